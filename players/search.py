"""Searches for players by words of the name, by number, by region or province; suggestions for a field."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from config.lib.parsing import BIGINT_DIGITS
from players.hidden import not_hidden
from players.identity import fold
from players.merged import bears_id
from players.models import Player

LONGEST_SEARCH = 80  # characters
MOST_SUGGESTED = 8


@dataclass(frozen=True, slots=True)
class RegionChoice:
    """The code of the region or of the province to which a list is narrowed, if any."""

    region: str = ""
    province: str = ""

    def __bool__(self) -> bool:
        return bool(self.region or self.province)

    def condition(self) -> Q:
        """Return the condition for rows with a `region`."""
        condition = Q()
        if self.region:
            condition &= Q(region__code=self.region)
        if self.province:
            condition &= Q(region__province__code=self.province)
        return condition


NO_REGION = RegionChoice()


@dataclass(frozen=True, slots=True)
class Choice:
    """A search: folded words, `digits` of the beginning of a number or of a whole FIDE id, and a region."""

    words: tuple[str, ...] = ()
    digits: str = ""
    place: RegionChoice = NO_REGION

    def __bool__(self) -> bool:
        return bool(self.words or self.digits or self.place)

    def on_name(self, prefix: str = "") -> Q:
        """Return the condition for the name and number of a player, reached through `prefix`; it finds no hidden player."""
        condition = not_hidden(prefix) if self.words or self.digits else Q()
        for word in self.words:
            condition &= Q(**{f"{prefix}folded_name__contains": f" {word}"})
        if self.digits:
            led_to = Player.objects.filter(bears_id(self.digits)).values("pk")
            condition &= Q(**{f"{prefix}number__startswith": self.digits}) | Q(**{f"{prefix}pk__in": led_to})
        return condition


def name_choice(text: str) -> Choice:
    """Return the search for words of a name, or for a number, which may contain blanks."""
    digits = "".join(text.split())
    if digits.isascii() and digits.isdigit():
        return Choice(digits=digits[:BIGINT_DIGITS])
    # a text that folds to nothing must match no player rather than all
    return Choice(words=tuple(fold(text).split() or ([text] if text.strip() else [])))


def suggested_players(players: QuerySet[Player], text: str) -> list[Player]:
    """Return the first of the players by name whose name or number begins with a text. One query, or none without a text."""
    choice = name_choice(text[:LONGEST_SEARCH])
    if not choice:
        return []
    rows = players.filter(choice.on_name()).select_related("region").order_by("folded_name", "number")
    return list(rows[:MOST_SUGGESTED])
