"""The tables of an event's sections: standings with rating changes, and crosstables."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date

from config.lib import formatting
from config.lib.database import as_float
from events.models import Entry, Game
from events.public.queries import PublicSection
from events.rules.game_result import BYES, PLAYED, POINTS, Result
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication, run_before
from ratings.models import Performance, Rating


@dataclass(frozen=True, slots=True)
class RoundCell:
    """A round in the crosstable. `opponent`: number of the opponent's line; `outcome`: win, draw, loss, unplayed or none.

    `value` are the points as a number, `result` how the game ended; None without a game.
    """

    opponent: str
    colour: str
    points: str
    outcome: str
    value: float | None = None
    result: Result | None = None


EMPTY = RoundCell("", "", "", "none")


@dataclass(slots=True)
class Figures:
    """The numbers of a line, unrounded. `changes`: by list, None for who is new to a list of another system."""

    points: float
    before: float | None = None
    performance: float | None = None
    changes: dict[int, float | None] = field(default_factory=dict)


@dataclass(slots=True)
class StandingRow:
    """A player's line. `cells`: the rounds; `others`: (change, direction) by id of a list of another system.

    `figures`: the numbers behind the texts.

    `before`: Main rating before the period; `main` and `own`: change on Main and on the list of the type of game.
    """

    line: int
    rank: int
    number: str
    name: str
    title: str
    region: str
    points: str
    figures: Figures
    before: str = ""
    performance: str = ""
    main: str = ""
    main_direction: str = ""
    own: str = ""
    own_direction: str = ""
    cells: list[RoundCell] = field(default_factory=list)
    others: dict[int, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SectionTable:
    """A section with its standings. `rated_on`: date of the published list on which its games count, or "".

    `own_list`: the list of its type of game; `others`: lists of other systems that rated it.
    """

    facts: PublicSection
    rows: list[StandingRow]
    rounds: list[int]
    rated_on: str
    period: str
    own_list: str
    before_day: str
    games: int
    others: list[ListDefinition]

    @property
    def other_rows(self) -> list[tuple[StandingRow, list[tuple[str, str]]]]:
        """The lines with a (change, direction) for each of the `others`."""
        return [
            (row, [row.others.get(listing.id, (formatting.NONE, "")) for listing in self.others]) for row in self.rows
        ]

    @property
    def anchor(self) -> str:
        """The id of the section's element on the page."""
        return f"section-{self.facts.id}"

    @property
    def heading(self) -> str:
        """The section's name; an event of one section may have none."""
        return self.facts.name or "Results"

    @property
    def summary(self) -> str:
        """Players, rounds and games in words."""
        return (
            f"{formatting.count(len(self.rows), 'player')}, {formatting.count(len(self.rounds), 'round')}, "
            f"{formatting.count(self.games, 'game')}"
        )


def section_tables(
    sections: Sequence[PublicSection],
    published: Sequence[Publication],
    lists: Sequence[ListDefinition],
    *,
    results_shown: bool = True,
) -> list[SectionTable]:
    """Return the tables of an event's sections, without players and games where these are not public.

    They are not public without `results_shown` and in refused sections. Four queries, or two before publication.
    """
    ids = [facts.id for facts in sections]
    shown_ids = [facts.id for facts in sections if results_shown and not facts.refused]
    start_runs = run_before(published)
    by_run = {publication.run: publication for publication in published}
    main = lists[0].id if lists else 0
    by_type = {listing.code: listing for listing in lists if listing.is_national}

    rows: dict[int, dict[int, StandingRow]] = {section: {} for section in ids}
    entries = Entry.objects.filter(section_id__in=shown_ids).select_related("player__region")
    for entry in entries.order_by("rank", "number"):
        player = entry.player
        rows[entry.section_id][player.pk] = StandingRow(
            line=len(rows[entry.section_id]) + 1,
            rank=entry.rank,
            number=player.number,
            name=player.name,
            title=player.title_id or "",
            region=player.region.code if player.region else "",
            points=formatting.score(float(entry.points)),
            figures=Figures(float(entry.points)),
        )

    rounds = dict.fromkeys(ids, 0)
    played = dict.fromkeys(ids, 0)
    cells: dict[tuple[int, int], dict[int, RoundCell]] = {}
    for section, round_, white, black, result, colour_known, guest in (
        Game.objects.filter(section_id__in=shown_ids)
        .order_by()
        .values_list("section_id", "round", "white_id", "black_id", "result", "colour_known", "guest__name")
    ):
        outcome = Result(result)
        rounds[section] = max(rounds[section], round_)
        played[section] += outcome in PLAYED
        lines = rows[section]
        for side, (own, other) in enumerate(((white, black), (black, white))):
            if own is not None:
                opponent = lines.get(other) if other is not None else None
                name = str(opponent.line) if opponent else guest or ""
                cells.setdefault((section, own), {})[round_] = _cell(outcome, side, name, colour_known)

    if any(facts.run in by_run for facts in sections):
        others = {listing.id: listing for listing in lists if not listing.is_national}
        started = _add_ratings(sections, rows, start_runs, main, others)
        _add_changes(sections, rows, main, by_type, others, started)

    tables = []
    for facts in sections:
        for player_id, row in rows[facts.id].items():
            by_round = cells.get((facts.id, player_id), {})
            row.cells = [by_round.get(round_, EMPTY) for round_ in range(1, rounds[facts.id] + 1)]
        publication = by_run.get(facts.run) if facts.run else None
        own_list = by_type.get(facts.type)
        tables.append(
            SectionTable(
                facts=facts,
                rows=list(rows[facts.id].values()),
                rounds=list(range(1, rounds[facts.id] + 1)),
                rated_on=publication.day_text if publication else "",
                period=publication.code if publication else "",
                own_list=own_list.name if own_list else "",
                before_day=formatting.day(publication.month) if publication else "",
                games=played[facts.id],
                others=[
                    listing for listing in lists if any(listing.id in row.others for row in rows[facts.id].values())
                ],
            )
        )
    return tables


def _cell(outcome: Result, side: int, opponent: str, colour_known: bool) -> RoundCell:
    points = POINTS[outcome][side]
    if outcome in BYES:
        return RoundCell("", "", f"{formatting.score(points)} bye" if points else "–", "unplayed", points, outcome)
    if outcome not in PLAYED:
        mark = "+" if points == 1 else "−" if points == 0 else "="
        return RoundCell(opponent, "", mark, "unplayed", points, outcome)
    colour = ("w", "b")[side] if colour_known else ""
    word = {1.0: "win", 0.5: "draw", 0.0: "loss"}[points]
    return RoundCell(opponent, colour, formatting.score(points), word, points, outcome)


def _add_ratings(
    sections: Sequence[PublicSection],
    rows: dict[int, dict[int, StandingRow]],
    start_runs: dict[date, int],
    main: int,
    others: Mapping[int, ListDefinition],
) -> set[tuple[int, int, int]]:
    """Set `before` of all rows; return (section, player, list) for ratings on the `others` at the start of the period."""
    runs = {section.id: start_runs.get(section.period) for section in sections if section.run and section.period}
    players = {player for section in runs for player in rows[section]}
    ratings = {
        (run, player, list_id): value
        for run, player, list_id, value in Rating.objects.filter(
            run_id__in={run for run in runs.values() if run}, player_id__in=players
        )
        .order_by()
        .values_list("run_id", "player_id", "list_id", as_float("published"))
    }
    started = set()
    for section, run in runs.items():
        for player, row in rows[section].items():
            value = ratings.get((run, player, main)) if run else None
            row.figures.before = value
            row.before = "unrated" if value is None else formatting.rating(value)
            started |= {(section, player, list_id) for list_id in others if run and (run, player, list_id) in ratings}
    return started


def _add_changes(
    sections: Sequence[PublicSection],
    rows: dict[int, dict[int, StandingRow]],
    main: int,
    by_type: dict[str, ListDefinition],
    others: Mapping[int, ListDefinition],
    started: Set[tuple[int, int, int]],
) -> None:
    """Set performances and changes from the published runs, on Main, the list of the type of game, and the `others`.

    On the `others` a player who is not in `started` is marked as new.
    """
    runs = {section.id: section.run for section in sections if section.run}
    own = {section.id: by_type[section.type].id for section in sections if section.type in by_type}
    performances = Performance.objects.filter(section_id__in=list(runs), run_id__in=set(runs.values())).order_by()
    for run, list_id, section, player, performance, change in performances.values_list(
        "run_id", "list_id", "section_id", "player_id", as_float("performance"), as_float("change")
    ):
        row = rows[section].get(player)
        if row is None or runs[section] != run:
            continue
        row.figures.changes[list_id] = change
        if list_id == main:
            row.figures.performance = performance
            row.performance = formatting.whole(performance)
            row.main, row.main_direction = formatting.change(change), formatting.direction(change)
        elif list_id == own.get(section):
            row.own, row.own_direction = formatting.change(change), formatting.direction(change)
        elif list_id in others:
            listing = others[list_id]
            new = not change and (section, player, list_id) not in started
            row.figures.changes[list_id] = None if new else change
            row.others[list_id] = ("new", "") if new else (listing.change(change), listing.direction(change))
