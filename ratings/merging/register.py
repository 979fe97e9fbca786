"""What the register says of two players who are one, and which of it is taken from whom."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from events.rules.states import EventError
from players.identity import folded_name
from players.models import Player

# What can be taken from either, each with the columns that go together.
FIELDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "name": ("Name", ("last_name", "first_name", "folded_name")),
    "birth": ("Birth", ("birth_date", "birth_year")),
    "death": ("Died on", ("died_on",)),
    "sex": ("Sex", ("sex",)),
    "title": ("Title", ("title_id",)),
    "region": ("Region", ("region_id",)),
    "federation": ("Federation", ("federation",)),
    "club": ("Club", ("club",)),
    "fide_id": ("FIDE id", ("fide_id",)),
    "email": ("E-mail address", ("email",)),
}
COLUMNS: Final = (
    *(column for _, columns in FIELDS.values() for column in columns), "hidden_since", "registered_at", "merged_into_id"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compared:
    """A field of the register of two players: its code, its name, and what it says of the one and of the other."""

    code: str
    label: str
    old: str
    new: str
    taken: bool

    @property
    def differs(self) -> bool:
        """Whether it says something else of the one."""
        return self.old != self.new


def taken_by_default(old: Player, new: Player) -> list[str]:
    """Return the fields that are blank of the player who stays and not of the one who goes. A date of birth completes
    its year."""
    taken = [code for code in FIELDS if _text(old, code) and not _text(new, code)]
    if old.birth_date and not new.birth_date and old.birth_year == new.birth_year:
        taken.append("birth")
    return taken


def compared(old: Player, new: Player) -> list[Compared]:
    """Return the two players field by field."""
    taken = taken_by_default(old, new)
    return [
        Compared(code, label, _text(old, code), _text(new, code), code in taken) for code, (label, _) in FIELDS.items()
    ]


def doubt(old: Player, new: Player) -> str:
    """Return in words what speaks against that two players are one and may be a slip in the register; "" for nothing."""
    years = (old.birth_year, new.birth_year)
    if None not in years and years[0] != years[1]:
        return f"{old} was born in {years[0]} and {new} in {years[1]}"
    if old.birth_date and new.birth_date and old.birth_date != new.birth_date:
        return f"{old} and {new} were born on different days of {years[0]}"
    return ""


def require_one_sex(old: Player, new: Player) -> None:
    """Raise EventError for a man and a woman."""
    if old.sex and new.sex and old.sex != new.sex:
        raise EventError(
            f"{old} is {old.get_sex_display()} and {new} {new.get_sex_display()}: they are two people, or one of the two is"
            " wrong on the register; correct that there first"
        )


def merged_values(old: Player, new: Player, taken: Collection[str]) -> dict[str, Any]:
    """Return the columns of the player who stays, with what is taken from the one who goes. He has been on the register since
    the first of them was, and is hidden if one of them is: to show him again is a decision of its own."""
    values = {
        column: getattr(old if code in taken else new, column)
        for code, (_, columns) in FIELDS.items()
        for column in columns
    }
    values["folded_name"] = folded_name(values["last_name"], values["first_name"])
    values["hidden_since"] = min(filter(None, (old.hidden_since, new.hidden_since)), default=None)
    values["registered_at"] = min(old.registered_at, new.registered_at)
    return values


def _text(player: Player, code: str) -> str:
    if code == "name":
        return f"{player.last_name}, {player.first_name}".rstrip(", ")
    if code == "birth":
        return str(player.birth_date or player.birth_year or "")
    if code == "region":
        return player.region.code if player.region else ""
    return str(getattr(player, FIELDS[code][1][0]) or "")
