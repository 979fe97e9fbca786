"""Finds the players among the names and ids of a CSV of results, and gives each a start number. Pure.

Mentions are of one player if they agree in Chess SA id, else FIDE id, else start number, else name.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import NamedTuple

from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.csv import values
from events.files.csv.table import BLACK, IDENTITY, WHITE, CsvRow
from events.files.dates import Birth
from events.rules.limits import MAX_PLAYERS
from events.rules.sizes import LONGEST_NAME
from events.rules.tournament import Entrant
from players.identity import fold, sorted_words

_NO_PLAYER = frozenset({"", "bye", "free", "spielfrei"})
_DIGITS = re.compile(r"'?[\d ]+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")  # ids or start numbers instead of names
_DETAILS = {
    side: frozenset(f"{side}_{name}" for name in ("sex", "title", "rating", "federation", "region", "club", "born"))
    for side in (WHITE, BLACK)
}  # columns that most files lack
_NUMBER = re.compile(r"\d{1,4}(?:[.,]0*)?")


# Of more players of one name none is told by the name alone: each of 40,000 lines would look through them all.
_MOST_NAMESAKES = 50


class Mention(NamedTuple):  # made quickly, 40,000 times
    """A player as one line names White or Black. `folded`: the folded words of the name, sorted."""

    row: CsvRow
    column: str  # the one that names the player
    number: int | None
    national_id: str
    fide_id: str
    last_name: str
    first_name: str
    folded: str
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    region: str = ""
    club: str = ""
    birth: Birth = Birth()

    @property
    def place(self) -> tuple[int, int | None, int | None]:
        """Line, first and last column of the cell that names the player."""
        return self.row.place(self.column)

    @property
    def name(self) -> str:
        """`Last, First`."""
        return f"{self.last_name}, {self.first_name}" if self.first_name else self.last_name


@dataclass(eq=False)
class _Player:
    """The mentions of one player, the first one first. What is said of them all is looked up once they are complete, and once:
    there may be 40,000, and as many findings."""

    mentions: list[Mention] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)

    @cached_property
    def who(self) -> str:
        """The name, or an id, as findings quote it."""
        name = next((mention.name for mention in self.mentions if mention.name), "")
        return quoted(name or self.mentions[0].national_id or self.mentions[0].fide_id)

    @cached_property
    def identifier(self) -> str:
        """An id or start number, in words."""
        ids = (mention.national_id or mention.fide_id or f"number {mention.number}" for mention in self.mentions)
        return next((identifier for identifier in ids if identifier != "number None"), "without an id")

    @cached_property
    def births(self) -> frozenset[date | int]:
        """The birth dates, and years where there are no dates."""
        return frozenset(filter(None, (mention.birth.day or mention.birth.year for mention in self.mentions)))


def read_mention(row: CsvRow, side: str, report: Report) -> Mention | None:
    """Return White or Black (`side`) of a line; None if the line names no player there.

    A `white` or `black` column may hold ids or start numbers instead of names.
    """
    named = _name_of(row, f"{side}_name", report)
    if fold(named) in _NO_PLAYER and not row.value(f"{side}_last_name"):
        named = ""
    figures = named if _DIGITS.fullmatch(named) else ""
    number_named = figures if _NUMBER.fullmatch(figures) else ""
    national_id, fide_id = _identifiers(row, side, "" if number_named else figures, report)
    last, _, first = ("", "", "") if figures else named.partition(",")
    is_whole = bool(last.strip() and first.strip())
    last = last.strip() or _name_of(row, f"{side}_last_name", report)
    first = first.strip() or _name_of(row, f"{side}_first_name", report)
    column = next((identity for identity in IDENTITY if row.value(f"{side}_{identity}")), "")
    mention = Mention(
        row=row,
        column=f"{side}_{column}",
        number=values.start_number_of(row, f"{side}_number", values.text_of(row, f"{side}_number", report), report)
        or values.start_number_of(row, f"{side}_name", number_named, report),
        national_id=national_id,
        fide_id=fide_id,
        last_name=last or first,
        first_name=first if last else "",
        # As the cell has it, which is folded already.
        folded=sorted_words(named if is_whole else f"{last}, {first}" if first else last),
    )
    if not _DETAILS[side].isdisjoint(row.columns):
        mention = _with_details(mention, side, report)
    if mention.national_id or mention.fide_id or mention.number or mention.folded:
        return mention
    return None


def _with_details(mention: Mention, side: str, report: Report) -> Mention:
    row = mention.row
    return mention._replace(
        sex=values.sex_of(row, f"{side}_sex", report),
        title=values.title_of(row, f"{side}_title", report),
        rating=values.rating_of(row, f"{side}_rating", report),
        federation=_federation(row, f"{side}_federation", report),
        region=values.text_of(row, f"{side}_region", report)[:LONGEST_NAME],
        club=values.text_of(row, f"{side}_club", report)[:LONGEST_NAME],
        birth=values.birth_of(row, f"{side}_born", report),
    )


def says_bye(row: CsvRow, side: str) -> bool:
    """Return whether the cell of a player says `bye` or a like word."""
    return fold(row.value(f"{side}_name")) in _NO_PLAYER - {""}


def _name_of(row: CsvRow, name: str, report: Report) -> str:
    """Return a name; "" with a finding if it is longer than LONGEST_NAME, or as `text_of` has it."""
    text = values.text_of(row, name, report)
    if len(text) <= LONGEST_NAME or _DIGITS.fullmatch(text):
        return text
    message = f"The cell has {len(text)} characters, at most {LONGEST_NAME} are kept. Shorten it."
    report.add(Code.LONG_CELL, message, *row.place(name))
    return ""


def _identifiers(row: CsvRow, side: str, named: str, report: Report) -> tuple[str, str]:
    national_id = fide_id = ""
    for kind in ("national_id", "fide_id", "id"):
        if text := values.text_of(row, f"{side}_{kind}", report):
            ids = values.identifier_of(row, f"{side}_{kind}", kind, text, report)
            national_id, fide_id = national_id or ids[0], fide_id or ids[1]
    if named:
        ids = values.identifier_of(row, f"{side}_name", "id", named, report)
        national_id, fide_id = national_id or ids[0], fide_id or ids[1]
    return national_id, fide_id


def _federation(row: CsvRow, name: str, report: Report) -> str:
    text = values.text_of(row, name, report)
    return values.federation_of(text, lambda: row.place(name), report) if text else ""


def number_players(mentions: list[Mention], report: Report) -> tuple[tuple[Entrant, ...], list[int | None]]:
    """Return the players by start number, and the start number of each mention, None if it fits no player.

    Start numbers are those of the file; players without one get the next numbers in order of their first mention.
    """
    owners = _owners(mentions, report)
    players = list(dict.fromkeys(owner for owner in owners if owner is not None))
    if len(players) > MAX_PLAYERS:
        message = f"The file has {len(players)} players, at most {MAX_PLAYERS} can be told apart. Split it."
        report.add(Code.TOO_MANY_PLAYERS, message, players[MAX_PLAYERS].mentions[0].row.line)
        players = players[:MAX_PLAYERS]
    numbers = _numbers(players, report)
    _check_names(players, report)
    for player in players:
        _check_details(player, report)
    entrants = sorted((_entrant(player, numbers[player]) for player in players), key=lambda entrant: entrant.number)
    return tuple(entrants), [None if owner is None else numbers.get(owner) for owner in owners]


class _Index:
    """Players by each of their ids, numbers and names."""

    def __init__(self) -> None:
        self._by: dict[tuple[str, str | int], dict[_Player, None]] = {}  # in the order in which they were added

    def find(self, kind: str, key: str | int | None) -> Collection[_Player]:
        return self._by.get((kind, key), {}) if key else ()

    def add(self, player: _Player, mention: Mention) -> None:
        player.mentions.append(mention)
        if mention.number:
            player.numbers.add(mention.number)
        for kind, key in (
            ("national", mention.national_id),
            ("fide", mention.fide_id),
            ("number", mention.number),
            ("name", mention.folded),
        ):
            if key:
                self._by.setdefault((kind, key), {})[player] = None


def _owners(mentions: list[Mention], report: Report) -> list[_Player | None]:
    """Return the player of each mention. Mentions with the surest key are assigned first."""
    index = _Index()
    owners: dict[int, _Player | None] = {}
    surest = [_surest_key(mention) for mention in mentions]
    for kind in ("national", "fide", "number", "name"):
        for place, mention in enumerate(mentions):
            if surest[place] == kind:
                owners[place] = _owner(mention, kind, index, report)
    for player in {owner for owner in owners.values() if owner is not None}:
        player.mentions.sort(key=lambda mention: (mention.row.line, mention.column.startswith(BLACK)))
    return [owners[place] for place in range(len(mentions))]


def _surest_key(mention: Mention) -> str:
    if mention.national_id:
        return "national"
    return "fide" if mention.fide_id else "number" if mention.number else "name"


def _owner(mention: Mention, kind: str, index: _Index, report: Report) -> _Player | None:
    if kind == "national":
        candidates = index.find("national", mention.national_id)
    elif kind == "fide":
        candidates = index.find("fide", mention.fide_id)
    elif kind == "number":
        candidates = index.find("number", mention.number)
        named = index.find("name", mention.folded) if not candidates else ()
        if 0 < len(named) <= _MOST_NAMESAKES:
            without = [player for player in named if not player.numbers]
            candidates = without if len(without) == 1 else ()
        if not candidates and not mention.folded:
            message = f"Start number {mention.number} has neither id nor name anywhere in the file. Give one of them."
            report.add(Code.MISSING_NAME, message, *mention.place)
            return None
    else:
        candidates = index.find("name", mention.folded)
        if len(candidates) > 1:
            message = f"{quoted(mention.name)} is the name of {len(candidates)} players of this file. Give the id here."
            report.add(Code.NAME_OF_TWO, message, *mention.place)
    player = next(iter(candidates), None) or _Player()
    index.add(player, mention)
    return player


def _numbers(players: list[_Player], report: Report) -> dict[_Player, int]:
    owner_of: dict[int, _Player] = {}
    numbers: dict[_Player, int] = {}
    for player in players:
        first = {mention.number: mention for mention in reversed(player.mentions)}
        for number in sorted(player.numbers):
            if player in numbers:
                message = f"{player.who} has the start numbers {numbers[player]} and {number}. Correct one of them."
                report.add(Code.BAD_START_NUMBER, message, *first[number].place)
            elif number in owner_of:
                message = (
                    f"The start number {number} of {player.who} is that of {owner_of[number].who} too; no two players have "
                    "the same."
                )
                report.add(Code.DUPLICATE_START_NUMBER, message, *first[number].place)
            else:
                owner_of[number], numbers[player] = player, number
    free = _free_numbers(owner_of)
    return numbers | {player: next(free) for player in players if player not in numbers}


def _free_numbers(taken_numbers: Iterable[int]) -> Iterator[int]:
    """Yield the free start numbers: those after the greatest taken one, then the gaps."""
    used = set(taken_numbers)
    yield from range(max(used, default=0) + 1, MAX_PLAYERS + 1)
    yield from (number for number in range(1, MAX_PLAYERS + 1) if number not in used)


def _check_names(players: list[_Player], report: Report) -> None:
    """Check that each id has one name and each name one id."""
    nameless = [player for player in players if not any(mention.folded for mention in player.mentions)]
    if nameless:
        message = (
            f"{len(nameless)} of the {len(players)} players have no name in the file, {nameless[0].who} the first: the id "
            "alone says who they are, and nobody would see a wrong figure in it. Give the names."
        )
        report.add(Code.NAME_LEFT_OUT, message, *nameless[0].mentions[0].place)
    holders: dict[str, _Player] = {}
    for player in players:
        named = [mention for mention in player.mentions if mention.folded]
        if not named:
            continue
        for other in named[1:]:
            if other.folded != named[0].folded:
                key = other.national_id or other.fide_id or f"start number {other.number}"
                message = (
                    f"{key} is {quoted(other.name)} here and {quoted(named[0].name)} on line {named[0].row.line}. Correct the "
                    "id or the name."
                )
                report.add(Code.ID_WITH_TWO_NAMES, message, *other.place)
        first = holders.setdefault(named[0].folded, player)
        if first is not player and not _born_apart(first, player):
            message = (
                f"{quoted(named[0].name)} is here {player.identifier} and on line {first.mentions[0].row.line} "
                f"{first.identifier}. If it is one person, correct the id; two persons are told apart by their birth dates."
            )
            report.add(Code.NAME_OF_TWO_IDS, message, *player.mentions[0].place)
        if not named[0].first_name and not report.counts(Code.NAME_WITHOUT_COMMA):
            message = f"{quoted(named[0].name)} has no comma between last and first name; all of it is taken as the last name."
            report.add(Code.NAME_WITHOUT_COMMA, message, *named[0].place)


def _born_apart(first: _Player, second: _Player) -> bool:
    return bool(first.births and second.births and first.births.isdisjoint(second.births))


def _check_details(player: _Player, report: Report) -> None:
    """Check that the lines agree on a player's details. Ratings and clubs may differ: the first counts."""
    if len(player.mentions) == 1:
        return
    for detail, stated in (
        ("sex", [mention.sex for mention in player.mentions]),
        ("birth date", [mention.birth.day for mention in player.mentions]),
        ("year of birth", [mention.birth.year for mention in player.mentions]),
        ("federation", [mention.federation for mention in player.mentions]),
        ("FIDE id", [mention.fide_id for mention in player.mentions]),
    ):
        first = next((value for value in stated if value), None)
        for mention, value in zip(player.mentions, stated, strict=True):
            if value and value != first:
                message = (
                    f"The {detail} of {player.who} is {value} here and {first} on an earlier line; the first is taken. "
                    "Correct the one that is wrong."
                )
                report.add(Code.DETAILS_DIFFER, message, *mention.place)
                break


def _entrant(player: _Player, number: int) -> Entrant:
    mentions = player.mentions
    named = next((mention for mention in mentions if mention.folded), mentions[0])
    birth = next((m.birth for m in mentions if m.birth.day), None) or next(
        (m.birth for m in mentions if m.birth.year), Birth()
    )
    return Entrant(
        number=number,
        name=named.name,
        last_name=named.last_name,
        first_name=named.first_name,
        sex=_first(mention.sex for mention in mentions),
        title=_first(mention.title for mention in mentions),
        rating=next((mention.rating for mention in mentions if mention.rating), None),
        federation=_first(mention.federation for mention in mentions),
        region=_first(mention.region for mention in mentions),
        club=_first(mention.club for mention in mentions),
        fide_id=_first(mention.fide_id for mention in mentions),
        national_id=_first(mention.national_id for mention in mentions),
        birth_year=birth.year,
        birth_date=birth.day,
        line=mentions[0].row.line,
    )


def _first(values: Iterable[str]) -> str:
    return next((value for value in values if value), "")
