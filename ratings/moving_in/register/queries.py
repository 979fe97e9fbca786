"""What the page of a list of players shows, a page of lines at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from config.lib import formatting
from config.lib.names import shown
from config.lib.pages import Stretch, keyset_page
from events.files.register_list import COLUMNS, WORDS
from players.models import Player, RegisterImport
from ratings.models import ImportJob, ListedPlayer
from ratings.moving_in.register.lines import candidates_of_row, changes_of_row, line_of
from ratings.moving_in.register.matching import LEAVE_OUT, NEW, FieldChange, Kind

KINDS = {
    Kind.NEW: "new",
    Kind.CHANGED: "changed",
    Kind.DOUBTFUL: "doubtful",
    Kind.REFUSED: "cannot be taken",
    Kind.LEFT_OUT: "left out",
    Kind.UNCHANGED: "without a difference",
}
_ANSWERABLE = (Kind.DOUBTFUL, Kind.REFUSED)


@dataclass(frozen=True, slots=True)
class Count:
    """How many lines there are of a kind."""

    kind: str
    words: str
    lines: int


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the list: its place, heading and first values, and how it is read ("" for not)."""

    place: int
    heading: str
    samples: list[str]
    column: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A player who may be meant: what the register says of him, and the evidence."""

    player: Player
    evidence: str

    @property
    def facts(self) -> str:
        """What the register says of him beside name and id."""
        player = self.player
        born = player.birth_date or player.birth_year
        facts = (f"born {born}" if born else "", player.region.code if player.region else "", player.club)
        return ", ".join(fact for fact in facts if fact)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the list with what becomes of it.

    `asks`: whether an officer may answer whom it means; `answer`: what he has answered.
    """

    line: int
    name: str
    facts: str
    kind: str
    words: str
    why: str
    player: Player | None
    changes: tuple[FieldChange, ...]
    choices: list[Choice]
    asks: bool
    answer: str

    @property
    def is_other(self) -> bool:
        """Whether the answer is a player who is none of the choices."""
        return self.answer not in ("", NEW, LEAVE_OUT, *(choice.player.number for choice in self.choices))


def counts(job: ImportJob) -> list[Count]:
    """Return how many lines there are of each kind."""
    known: Mapping[str, int] = job.summary.get("counts", {})
    return [Count(kind.value, words, known.get(kind.value, 0)) for kind, words in KINDS.items()]


def columns(job: ImportJob) -> list[Column]:
    """Return the columns of the list, with values while its file is there."""
    read = job.summary.get("columns", [])
    samples = job.summary.get("samples") or [[]] * len(read)
    return [
        Column(place, shown(heading), [shown(value) for value in values if value], column)
        for place, ((heading, column), values) in enumerate(zip(read, samples, strict=True))
        if heading
    ]


def meanings() -> list[tuple[str, str]]:
    """Return what a column can mean, with words for it."""
    return [("", "– not read –"), *((column, formatting.sentence(WORDS.get(column, column))) for column in COLUMNS)]


def page_of(job: ImportJob, kind: str, *, after: int | None, before: int | None) -> Stretch[ListedPlayer]:
    """Return a page of the lines of a kind, or of all with a difference, after a line or before it. One query."""
    rows = _rows(job, kind)
    if before is not None:
        return keyset_page(rows, ("line",), (before,), backwards=True)
    return keyset_page(rows, ("line",), None if after is None else (after,))


def _rows(job: ImportJob, kind: str) -> QuerySet[ListedPlayer]:
    rows = ListedPlayer.objects.filter(job=job)
    return rows.filter(kind=kind) if kind in KINDS else rows.exclude(kind=Kind.UNCHANGED)


def shown_lines(rows: Sequence[ListedPlayer], done: RegisterImport | None = None) -> list[ShownLine]:
    """Return lines as their page shows them; `done`: the import that has taken them. Two queries."""
    keys = {row.player_id for row in rows} | {one.player for row in rows for one in candidates_of_row(row)}
    players = Player.objects.select_related("region").in_bulk(keys - {None})
    added = _added(rows, done) if done else {}
    return [_shown(row, players, added) for row in rows]


def _added(rows: Sequence[ListedPlayer], done: RegisterImport) -> dict[tuple[Any, ...], Player]:
    """Return the players whom an import has put on the register for these lines, by what the lines say."""
    names = {(row.last_name, row.first_name) for row in rows if row.kind == Kind.NEW}
    versions = Player.history.filter(
        last_name__in={last for last, _ in names}, history_change_reason=str(done), history_type="+"
    )
    players = Player.objects.filter(pk__in=versions.values("id"))
    return {(one.last_name, one.first_name, one.birth_date, one.birth_year, one.fide_id): one for one in players}


def _shown(row: ListedPlayer, players: Mapping[int, Player], added: Mapping[tuple[Any, ...], Player]) -> ShownLine:
    line, kind = line_of(row), Kind(row.kind)
    key = (row.last_name, row.first_name, row.birth_date, row.birth_year, row.fide_id)
    player = players.get(row.player_id or 0) or (added.get(key) if kind is Kind.NEW else None)
    choices = [
        Choice(players[candidate.player], candidate.evidence)
        for candidate in candidates_of_row(row)
        if candidate.player in players
    ]
    return ShownLine(
        line=row.line,
        name=line.name,
        facts=_facts(row),
        kind=row.kind,
        words=KINDS[kind],
        why=row.why,
        player=player,
        changes=changes_of_row(row),
        choices=choices,
        asks=kind in _ANSWERABLE or bool(row.answer),
        answer=row.answer,
    )


def _facts(row: ListedPlayer) -> str:
    facts = (
        row.national_id,
        f"FIDE {row.fide_id}" if row.fide_id else "",
        f"born {row.birth_date or row.birth_year}" if row.birth_date or row.birth_year else "",
        row.sex,
        row.title,
        row.region,
        row.federation,
        row.club,
        f"in the list “{row.written}”" if row.written else "",
    )
    return ", ".join(fact for fact in facts if fact)
