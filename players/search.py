"""What a search of players asks for: words, a number, a region or province."""

from dataclasses import dataclass

from django.db.models import Q

from config.lib.parsing import BIGINT_DIGITS
from players.identity import fold
from players.models import Province, Region


@dataclass(frozen=True, slots=True)
class Choice:
    """What a list is narrowed to. Words are folded; `digits` is the beginning of a number, or a FIDE id."""

    words: tuple[str, ...] = ()
    digits: str = ""
    region: str = ""
    province: str = ""

    def __bool__(self) -> bool:
        return bool(self.words or self.digits or self.region or self.province)

    def on_name(self, prefix: str = "") -> Q:
        """The condition on the name and number of a player, reached through `prefix`."""
        condition = Q()
        for word in self.words:
            condition &= Q(**{f"{prefix}folded_name__contains": f" {word}"})
        if self.digits:
            condition &= Q(**{f"{prefix}number__startswith": self.digits}) | Q(**{f"{prefix}fide_id": self.digits})
        return condition

    def on_region(self, prefix: str = "") -> Q:
        """The condition on the region reached through `prefix`."""
        condition = Q()
        if self.region:
            condition &= Q(**{f"{prefix}region__code": self.region})
        if self.province:
            condition &= Q(**{f"{prefix}region__province__code": self.province})
        return condition


def name_choice(text: str) -> Choice:
    """What is asked for by some words of a name, or by a number that may have blanks in it."""
    digits = "".join(text.split())
    if digits.isascii() and digits.isdigit():
        return Choice(digits=digits[:BIGINT_DIGITS])
    # What folds to nothing finds nobody, rather than everybody.
    return Choice(words=tuple(fold(text).split() or ([text] if text.strip() else [])))


def regions_by_province() -> list[tuple[str, list[tuple[str, str]]]]:
    """The choices of a region field: the provinces, then the regions. Two queries."""
    provinces = [(f"province-{code}", name) for code, name in Province.objects.values_list("code", "name")]
    regions = [(code, f"{code} · {name}") for code, name in Region.objects.values_list("code", "name")]
    return [("Provinces", provinces), ("Regions", regions)]
