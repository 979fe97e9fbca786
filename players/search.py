"""What a search of players asks for: words, a number, a region or province; and the players whom a field suggests."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from config.lib.parsing import BIGINT_DIGITS
from players.identity import fold
from players.models import Player

LONGEST_SEARCH = 80  # characters
MOST_SUGGESTED = 8


@dataclass(frozen=True, slots=True)
class RegionChoice:
    """The code of a region or of a province that a list is narrowed to, or neither."""

    region: str = ""
    province: str = ""

    def __bool__(self) -> bool:
        return bool(self.region or self.province)

    def condition(self) -> Q:
        """The condition on rows that have a `region`."""
        condition = Q()
        if self.region:
            condition &= Q(region__code=self.region)
        if self.province:
            condition &= Q(region__province__code=self.province)
        return condition


NO_REGION = RegionChoice()


@dataclass(frozen=True, slots=True)
class Choice:
    """What a list is narrowed to. Words are folded; `digits` is the beginning of a number, or a FIDE id."""

    words: tuple[str, ...] = ()
    digits: str = ""
    place: RegionChoice = NO_REGION

    def __bool__(self) -> bool:
        return bool(self.words or self.digits or self.place)

    def on_name(self, prefix: str = "") -> Q:
        """The condition on the name and number of a player, reached through `prefix`."""
        condition = Q()
        for word in self.words:
            condition &= Q(**{f"{prefix}folded_name__contains": f" {word}"})
        if self.digits:
            condition &= Q(**{f"{prefix}number__startswith": self.digits}) | Q(**{f"{prefix}fide_id": self.digits})
        return condition


def name_choice(text: str) -> Choice:
    """What is asked for by some words of a name, or by a number that may have blanks in it."""
    digits = "".join(text.split())
    if digits.isascii() and digits.isdigit():
        return Choice(digits=digits[:BIGINT_DIGITS])
    # What folds to nothing finds nobody, rather than everybody.
    return Choice(words=tuple(fold(text).split() or ([text] if text.strip() else [])))


@dataclass(frozen=True, slots=True)
class SuggestedPlayer:
    """A player who is suggested while one types. `listed` has the last name first; title and region are codes."""

    id: int
    number: str
    name: str
    listed: str
    title: str | None
    region: str | None


def suggested_players(players: QuerySet[Player], text: str) -> list[SuggestedPlayer]:
    """The first of some players, by name, whose name or number begins as the text does. One query; none for no text."""
    choice = name_choice(text[:LONGEST_SEARCH])
    if not choice:
        return []
    rows = (
        players.filter(choice.on_name())
        .order_by("folded_name", "number")
        .values_list("pk", "number", "first_name", "last_name", "title_id", "region__code")[:MOST_SUGGESTED]
    )
    return [
        SuggestedPlayer(pk, number, f"{first} {last}".strip(), f"{last}, {first}", title, region)
        for pk, number, first, last, title, region in rows
    ]
