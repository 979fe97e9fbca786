"""The tables of an event's sections: standings with tie-breaks, crosstables, rounds, and what the lists made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from django.utils.translation import gettext, gettext_noop, pgettext

from config.languages import counted
from config.lib import formatting
from events.models import Entry, Game
from events.models.section import ROUND_ROBINS, TEAM_FORMATS
from events.public.changes import add_figures, runs_before, with_rating_before
from events.public.queries import PublicSection
from events.public.rounds import PlayedGame, RoundTable, TeamRow, Visitor, round_tables
from events.public.rows import EMPTY, Figures, ListFigures, RoundCell, StandingRow
from events.rules.game_result import BYES, PLAYED, POINTS, Result
from events.rules.tiebreaks import (
    ROUND_ROBIN_ORDER,
    SONNEBORN_BERGER,
    SWISS_ORDER,
    WINS,
    TieBreak,
    is_ordered,
    named,
    places,
    rounds_of,
    tie_breaks,
)
from players.hidden import in_public, met_hidden_since, name_in_public
from players.models import Player
from ratings.lists.definitions import ListDefinition, by_kind
from ratings.lists.queries import Publication, run_before


@dataclass(frozen=True, slots=True)
class Changes:
    """Some lists, and the lines with what each of them made of the games."""

    lists: list[ListDefinition]
    rows: list[tuple[StandingRow, list[ListFigures]]]


@dataclass(slots=True)
class SectionTable:
    """A section with its standings. `rated_on`: date of the published list on which its games count, or "".

    `lists`: those that counted it; `round_tables`: the pairings; `teams`: their standings, of team events; `tie_breaks`: the
    columns, none where they cannot be calculated; `places_note`: by what the places go. `more`: how many players a page does
    not show, and `pairings_left_out`: whether it leaves out the rounds (`page_size`).
    """

    facts: PublicSection
    rows: list[StandingRow]
    rounds: list[int]
    rated_on: str
    period: str
    before_day: str
    games: int
    lists: list[ListDefinition]
    round_tables: list[RoundTable] = field(default_factory=list)
    teams: list[TeamRow] = field(default_factory=list)
    tie_breaks: tuple[TieBreak, ...] = ()
    places_note: str = ""
    more: int = 0
    pairings_left_out: bool = False

    @property
    def own_changes(self) -> Changes:
        """What our own lists made of the games."""
        return self._changes(by_kind(self.lists)[0])

    @property
    def other_changes(self) -> Changes:
        """What the lists of other systems made of the games."""
        return self._changes(by_kind(self.lists)[1])

    def _changes(self, lists: list[ListDefinition]) -> Changes:
        none = ListFigures(formatting.NONE, formatting.NONE, "")
        return Changes(lists, [(row, [row.lists.get(listing.id, none) for listing in lists]) for row in self.rows])

    @property
    def anchor(self) -> str:
        """The id of the section's element on the page."""
        return f"section-{self.facts.id}"

    @property
    def heading(self) -> str:
        """The section's name; an event of one section may have none."""
        return self.facts.name or gettext("Results")

    @property
    def round_days(self) -> list[str]:
        """The days of the rounds in words, consecutive rounds of one day together; no rounds whose day is unknown."""
        numbered = enumerate(self.facts.round_days, start=1)
        days = [(day, [number for number, _ in rounds]) for day, rounds in groupby(numbered, key=itemgetter(1)) if day]
        return [_on_day(numbers[0], numbers[-1], formatting.day(day)) for day, numbers in days]

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.rows) + self.more

    @property
    def round_robin(self) -> bool:
        """Whether everybody meets everybody."""
        return self.facts.format_code in ROUND_ROBINS

    @property
    def summary(self) -> str:
        """Players, rounds and games in words."""
        numbers = [counted(len(self.teams), "%(count)s team", "%(count)s teams")] if self.teams else []
        numbers += [
            counted(self.players, "%(count)s player", "%(count)s players"),
            counted(len(self.rounds), "%(count)s round", "%(count)s rounds"),
            counted(self.games, "%(count)s game", "%(count)s games"),
        ]
        return ", ".join(numbers)


def _on_day(first: int, last: int, day: str) -> str:
    """Return in words which rounds are played on a day."""
    if first == last:
        return gettext("round %(number)s on %(day)s") % {"number": first, "day": day}
    return gettext("rounds %(first)s–%(last)s on %(day)s") % {"first": first, "last": last, "day": day}


# The texts of the tie-breaks, marked for translation.
_TIE_BREAKS = (
    gettext_noop("Buchholz cut 1"), gettext_noop("number of wins"), gettext_noop("Wins"),
    gettext_noop("the sum of the opponents’ points"), gettext_noop("Buchholz without the opponent of the fewest points"),
    gettext_noop("the points of the opponents who were beaten, and half of those who drew"),
    gettext_noop("rounds with a full point, byes and forfeits included"),
)  # fmt: skip


def section_tables(
    sections: Sequence[PublicSection],
    published: Sequence[Publication],
    lists: Sequence[ListDefinition],
    *,
    results_shown: bool = True,
    on_desk: bool = False,
) -> list[SectionTable]:
    """Return the tables of an event's sections, without players and games where these are not public.

    They are not public without `results_shown` and in refused sections. `on_desk`: with the names of hidden players. Three
    queries, or two before publication.
    """
    shown = [facts.id for facts in sections if results_shown and not facts.refused]
    by_run = {publication.run: publication for publication in published}
    rows: dict[int, dict[int, StandingRow]] = {facts.id: {} for facts in sections}
    main = lists[0].id if lists else 0
    runs = runs_before(sections, run_before(published)) if any(facts.run in by_run for facts in sections) else {}
    entries = Entry.objects.filter(section_id__in=shown).select_related("player__region", "team")
    for entry in with_rating_before(entries, runs, main).order_by("rank", "number"):
        player = entry.player if on_desk else in_public(entry.player)
        row = _row(entry, player, len(rows[entry.section_id]) + 1)
        if entry.section_id in runs:
            row.figures.before = entry.before
            row.before = gettext("unrated") if entry.before is None else formatting.rating(entry.before)
        rows[entry.section_id][entry.player_id] = row
    games = _games(shown, on_desk=on_desk)
    if runs:
        add_figures(sections, rows, runs, lists)
    return [
        _table(facts, rows[facts.id], games.get(facts.id, []), by_run.get(facts.run) if facts.run else None, lists)
        for facts in sections
    ]


def _row(entry: Entry, player: Player, line: int) -> StandingRow:
    return StandingRow(
        line=line,
        rank=entry.rank,
        number="" if player.hidden_since else player.number,
        name=player.name,
        title=player.title_id or "",
        region=player.region.code if player.region else "",
        points=formatting.score(float(entry.points)),
        figures=Figures(float(entry.points)),
        team=entry.team.name if entry.team else "",
        team_key=entry.team_id,
        board=entry.board,
    )


def _games(sections: Sequence[int], *, on_desk: bool) -> dict[int, list[PlayedGame]]:
    """Return the games by section. One query."""
    games: dict[int, list[PlayedGame]] = {}
    found = Game.objects.filter(section_id__in=sections).order_by()
    for section, number, white, black, result, colour_known, name, hidden, federation, rating, performance in found.values_list(
        "section_id", "round", "white_id", "black_id", "result", "colour_known",
        "guest__name", met_hidden_since("guest__"), "guest__federation", "guest__fide_rating", "guest__performance",
    ):  # fmt: skip
        name = name if on_desk or not name else name_in_public(name, hidden)
        visitor = _visitor(name, federation, rating, performance) if name else None
        games.setdefault(section, []).append(PlayedGame(number, white, black, Result(result), colour_known, visitor))
    return games


def _visitor(name: str, federation: str, rating: int | None, performance: int | None) -> Visitor:
    kind, figure = ("FIDE", rating) if rating is not None else (gettext("performance"), performance)
    return Visitor(f"{name} ({federation})" if federation else name, f"{kind} {formatting.whole(figure or 0)}")


def _table(
    facts: PublicSection,
    rows: Mapping[int, StandingRow],
    games: Sequence[PlayedGame],
    publication: Publication | None,
    lists: Sequence[ListDefinition],
) -> SectionTable:
    rounds = list(range(1, max((game.round for game in games), default=0) + 1))
    cells: dict[int, dict[int, RoundCell]] = {}
    for game in games:
        for side, (own, other) in enumerate(((game.white, game.black), (game.black, game.white))):
            if own is not None:
                cells.setdefault(own, {})[game.round] = _cell(game, side, _opponent(game, other, rows))
    for player, row in rows.items():
        row.cells = [cells.get(player, {}).get(number, EMPTY) for number in rounds]
    teams = {row.team_key: row.team for row in rows.values() if row.team_key}
    table = SectionTable(
        facts=facts,
        rows=list(rows.values()),
        rounds=rounds,
        rated_on=publication.day_text if publication else "",
        period=publication.code if publication else "",
        before_day=formatting.day(publication.month) if publication else "",
        games=sum(game.result in PLAYED for game in games),
        lists=[listing for listing in lists if any(listing.id in row.lists for row in rows.values())],
    )
    table.round_tables, table.teams = round_tables(games, rows, dict(sorted(teams.items())))
    if facts.format_code not in TEAM_FORMATS and not teams:
        _add_tie_breaks(table, rows, games)
    return table


def _opponent(game: PlayedGame, other: int | None, rows: Mapping[int, StandingRow]) -> str:
    if other is None:
        return game.visitor.name.partition(" (")[0] if game.visitor else ""
    return str(rows[other].line) if other in rows else ""


def _cell(game: PlayedGame, side: int, opponent: str) -> RoundCell:
    outcome = game.result
    points = POINTS[outcome][side]
    if outcome in BYES:
        return RoundCell(
            "",
            "",
            gettext("%(points)s bye") % {"points": formatting.score(points)} if points else "–",
            "unplayed",
            points,
            outcome,
        )
    if outcome not in PLAYED:
        mark = "+" if points == 1 else "−" if points == 0 else "="
        return RoundCell(opponent, "", mark, "unplayed", points, outcome)
    colour = (pgettext("White", "w"), pgettext("Black", "b"))[side] if game.colour_known else ""
    word = {1.0: "win", 0.5: "draw", 0.0: "loss"}[points]
    return RoundCell(opponent, colour, formatting.score(points), word, points, outcome)


def _add_tie_breaks(table: SectionTable, rows: Mapping[int, StandingRow], games: Sequence[PlayedGame]) -> None:
    """Set the tie-breaks and shared places, unless somebody met an opponent whose points are not known."""
    met = {player for game in games for player in (game.white, game.black) if player is not None}
    if not games or any(game.visitor for game in games) or not met <= rows.keys():
        return
    in_file = named(code for code in table.facts.tie_breaks.split(",") if code)
    table.tie_breaks = in_file.known or (ROUND_ROBIN_ORDER if table.round_robin else SWISS_ORDER)
    figures = tie_breaks(
        {player: row.figures.points for player, row in rows.items()},
        rounds_of(((game.round, game.white, game.black, game.result) for game in games), round_robin=table.round_robin),
        len(table.rounds),
        round_robin=table.round_robin,
    )
    for player, row in rows.items():
        row.figures.tie_breaks = figures[player]
        row.tie_breaks = [_written(tie_break, figures[player][tie_break.code]) for tie_break in table.tie_breaks]
    keys = [
        (row.figures.points, *(row.figures.tie_breaks[tie_break.code] for tie_break in table.tie_breaks))
        for row in table.rows
    ]
    if in_file.others:
        names = ", ".join(code for code in table.facts.tie_breaks.split(",") if code)
        table.places_note = gettext("Places as in the arbiter’s file, which orders by %(names)s.") % {"names": names}
    elif is_ordered(keys):
        for row, place in zip(table.rows, places(keys), strict=True):
            row.rank = place
        table.places_note = gettext(
            "Who is level on points is ordered by the columns from left to right, and shares a place if all are equal."
        )
    else:
        table.places_note = gettext(
            "Places as in the arbiter’s file, which does not say how it orders who is level on points."
        )


def _written(tie_break: TieBreak, value: float) -> str:
    if tie_break is WINS:
        return f"{value:.0f}"
    return formatting.decimal(value, 2 if tie_break is SONNEBORN_BERGER else 1)
