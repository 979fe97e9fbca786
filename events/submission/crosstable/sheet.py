"""The form of results entered by hand: the players, the crosstable, the days of the rounds."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop

from config.languages import counted
from config.lib.pure_texts import PureTexts
from events.files.crosstable import Place, StatedResult, read_cells, write_cells
from events.models import Format, Section
from events.rules.game_result import FORFEITS
from events.rules.tournament import Entrant, Pairing, Tournament
from events.submission.crosstable.document import MOST_PLAYERS, MOST_ROUNDS, EnteredPlayer
from events.submission.crosstable.forms import DaysForm, EntryRow
from events.submission.crosstable.posted import CYCLES, FRESH_ROWS, complete, sent_cells, sent_numbers, sent_rounds
from events.submission.persons import chess_sa_id

# What `events.files.crosstable` finds wrong with a cell.
CELLS = PureTexts(
    gettext_noop("“%(text)s” cannot be read. Write it as 12w1, 7b½, 3w+ or bye."),
    gettext_noop("Row %(number)s has a result and no player. Give the name, or clear the cell."),
    gettext_noop("Player %(number)s cannot be the own opponent. Give the opponent’s number."),
    gettext_noop("There is no player %(number)s. Correct the opponent’s number."),
    gettext_noop("The cell of player %(number)s says a bye. Correct one of the two, or clear it."),
    gettext_noop("The cell of player %(number)s says an opponent %(other)s. Correct one of the two, or clear it."),
    gettext_noop("Player %(number)s has White in this game, too. Correct one of the two cells."),
    gettext_noop("Player %(number)s has Black in this game, too. Correct one of the two cells."),
    gettext_noop(
        "The cell of player %(number)s has the result %(result)s, which does not go with this one. Correct one of the two, or"
        " clear it."
    ),
    gettext_noop("Player %(number)s meets %(others)s in this round, too. Correct the opponent’s number."),
)


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A field of the crosstable."""

    name: str
    label: str
    value: str
    problem: str = ""


@dataclass(slots=True)
class Sheet:
    """All that is entered. `cells`: texts by (player, round); from them `results`, `pairings` and `wrong`, the errors."""

    rows: list[EntryRow]
    days: DaysForm
    rounds: int
    cells: dict[Place, str]
    wrong: dict[Place, str] = field(default_factory=dict)
    results: dict[Place, StatedResult] = field(default_factory=dict)
    pairings: list[Pairing] = field(default_factory=list)
    bound: bool = False

    @property
    def numbers(self) -> list[int]:
        """The start numbers of the rows."""
        return [row.number for row in self.rows]

    @property
    def heads(self) -> range:
        """The numbers of the rounds."""
        return range(1, self.rounds + 1)

    @property
    def table(self) -> Iterator[tuple[EntryRow, str, list[SheetCell], list[SheetCell]]]:
        """Each row of the crosstable: the player, the points, the cells, and the wrong cells."""
        for row in self.rows:
            cells = [
                SheetCell(
                    f"c{row.number}-{number}",
                    gettext("Player %(number)s, round %(round)s") % {"number": row.number, "round": number},
                    self.cells.get((row.number, number), ""),
                    CELLS.said(self.wrong.get((row.number, number), "")),
                )
                for number in self.heads
            ]
            yield row, self._points(row.number), cells, [cell for cell in cells if cell.problem]

    def _points(self, number: int) -> str:
        own = [self.results[number, round_] for round_ in self.heads if (number, round_) in self.results]
        whole, half = divmod(round(2 * sum(result.points for result in own)), 2)
        return f"{whole or ''}½" if half else str(whole)

    @property
    def blank(self) -> bool:
        """Whether all cells are blank."""
        return not any(text.strip() for text in self.cells.values())

    @property
    def count(self) -> str:
        """The numbers of games, forfeits and missing results in words."""
        results = [pairing.result for pairing in self.pairings if pairing.black is not None]
        forfeits, missing = sum(result in FORFEITS for result in results), results.count(None)
        counts = [counted(len(results) - forfeits, "%(count)s game", "%(count)s games")]
        counts += [counted(forfeits, "%(count)s forfeit", "%(count)s forfeits")] if forfeits else []
        counts += [gettext("%(count)s without a result yet") % {"count": missing}] if missing else []
        return ", ".join(counts)

    @property
    def days_open(self) -> bool:
        """Whether a day is missing or wrong."""
        return bool(self.days.errors) or any(not self.days[f"d{number}"].value() for number in self.heads)

    def is_valid(self) -> bool:
        """Check everything; return whether it can be kept."""
        self.bound = True
        rows = [row.is_valid() for row in self.rows]
        self._same_ids()
        if not any(row.filled for row in self.rows) and self.rows:
            self.rows[0].add_error("name", gettext("Enter the players first."))
        for form in (*self.rows, self.days):
            form.describe()
        return all(rows) and self.days.is_valid() and not self.problems()

    def _same_ids(self) -> None:
        for name, label in (("national_id", gettext("Chess SA id")), ("fide_id", gettext("FIDE id"))):
            holders: dict[str, int] = {}
            for row in self.rows:
                number = row.cleaned_data.get(name, "")
                first = holders.setdefault(number, row.number) if number else row.number
                if first != row.number:
                    problem = gettext("Player %(number)s has this %(field)s, too. Correct one of the two.")
                    row.add_error(name, problem % {"number": first, "field": label})

    def problems(self) -> list[tuple[str, str]]:
        """Return (id of the field, message) of each error."""
        problems: list[tuple[str, str]] = []
        if not self.bound:
            return problems
        for row in self.rows:
            for name, errors in row.errors.items():
                subject = {"number": row.number, "field": row.fields[name].label}
                text = gettext("Player %(number)s, %(field)s: %(error)s")
                problems += [(row[name].id_for_label, text % {**subject, "error": error}) for error in errors]
        for (number, round_), problem in sorted(self.wrong.items()):
            cell = {"number": number, "round": round_, "error": CELLS.said(problem)}
            text = gettext("Player %(number)s, round %(round)s: %(error)s")
            problems.append((f"id_c{number}-{round_}", text % cell))
        return problems + self.days.problems()

    def players(self) -> list[EnteredPlayer]:
        """Return the players of a valid sheet."""
        return [row.typed() for row in self.rows if row.filled]

    def played_on(self) -> list[date | None]:
        """Return the days of the rounds of a valid sheet."""
        return [self.days.cleaned_data[f"d{number}"] for number in self.heads]


def opened_sheet(section: Section, tournament: Tournament) -> Sheet:
    """Return the sheet of a file's crosstable; without players, blank rows for the section as registered."""
    entrants = {entrant.number: entrant for entrant in tournament.entrants}
    rounds = min(max(tournament.rounds, len(tournament.round_dates), tournament.planned_rounds or 0), MOST_ROUNDS)
    cycles = CYCLES.get(Format(section.format), 0)
    fresh = rounds // cycles + 1 if cycles and rounds else FRESH_ROWS
    rows = [
        EntryRow(number, old=entrants.get(number), initial=_initial(entrants.get(number)))
        for number in sorted(entrants) or range(1, min(fresh, MOST_PLAYERS) + 1)
    ]
    rounds = rounds or 1
    days = dict(enumerate(tournament.round_dates, start=1))
    cells = write_cells(tournament.pairings)
    initial = {f"d{number}": days.get(number) for number in range(1, rounds + 1)}
    sheet = Sheet(rows, DaysForm(rounds, initial=initial), rounds, cells)
    sheet.pairings, _, sheet.results = read_cells(cells, set(entrants))
    return sheet


def sent_sheet(tournament: Tournament, data: QueryDict) -> Sheet:
    """Return the sheet as sent. `tournament`: the one that was opened. Names are filled in for ids on the register."""
    entrants = {entrant.number: entrant for entrant in tournament.entrants}
    numbers, rounds = sent_numbers(data), sent_rounds(data)
    known = complete(data, numbers)
    rows = [EntryRow(number, data, old=entrants.get(number)) for number in numbers]
    for row in rows:
        row.known = known.get(row.number)
    cells = {place: text for place, text in sent_cells(data).items() if place[0] in numbers and place[1] <= rounds}
    sheet = Sheet(rows, DaysForm(rounds, data), rounds, cells)
    sheet.pairings, sheet.wrong, sheet.results = read_cells(cells, {row.number for row in rows if row.filled})
    return sheet


def _initial(entrant: Entrant | None) -> dict[str, Any]:
    if entrant is None:
        return {}
    return {
        "name": entrant.name,
        "national_id": chess_sa_id(entrant),
        "fide_id": entrant.fide_id,
        "born": entrant.birth_date.isoformat() if entrant.birth_date else entrant.birth_year,
        "sex": entrant.sex,
    }
