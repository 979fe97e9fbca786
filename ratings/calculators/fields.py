"""Fields of the calculators, and the rows of their games."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.lib.forms import BLACK, DRAWN, LOST, WHITE, WON, number_input
from ratings.systems.base import GameResult

PLAYER = "1"  # the player's id in a case; a whole number, as one of the systems wants it
LOWEST, HIGHEST = -500, 4000
MOST_GAMES = 30
FIRST_ROWS = 3
MORE_ROWS = 6

_AS_WHITE = {WON: GameResult.WHITE_WINS, DRAWN: GameResult.DRAW, LOST: GameResult.BLACK_WINS}
_AS_BLACK = {WON: GameResult.BLACK_WINS, DRAWN: GameResult.DRAW, LOST: GameResult.WHITE_WINS}

_TYPED = str.maketrans({"−": "-", ",": "."})


class RatingField(forms.FloatField):
    """A rating as people type it: spaces between thousands, a decimal comma and a real minus sign are understood."""

    def __init__(self, *, lowest: float = LOWEST, highest: float = HIGHEST, whole: bool = False, **options: Any):
        self.whole = whole
        options.setdefault("required", False)
        widget = number_input(12, "numeric" if whole else "decimal")
        problem = format_lazy(
            _("Enter a rating from {lowest} to {highest}."), lowest=str(lowest).replace("-", "−"), highest=highest
        )
        messages = {"invalid": problem, "min_value": problem, "max_value": problem}
        super().__init__(min_value=lowest, max_value=highest, error_messages=messages, widget=widget, **options)
        self.widget.attrs = widget.attrs  # without `step`, which Django adds

    def to_python(self, value: Any) -> float | None:  # type: ignore[override]  # the stubs have whole numbers
        """Return the number. Raises ValidationError for anything else."""
        if isinstance(value, str):
            value = "".join(value.split()).translate(_TYPED)
        number: float | None = super().to_python(value)
        if self.whole and number is not None and not number.is_integer():
            raise forms.ValidationError(gettext("Enter a whole number: these ratings have no decimals."), code="whole")
        return number


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A row of the table, filled in: `number` of the row, colour and result from the player's side."""

    number: int
    rating: float | None
    result: str
    colour: str = WHITE
    own_list_rating: float | None = None
    opponent: str = ""

    def in_case(self, player: str, opponent: Any) -> dict[str, Any]:
        """Return the game of a rating case, `opponent` being the other side."""
        white = self.colour != BLACK
        sides = {"white": player, "black": opponent} if white else {"white": opponent, "black": player}
        return {**sides, "result": game_result(self.result, white).value}


def game_result(result: str, white: bool) -> GameResult:
    """Return a player's result as that of the game; `white`: he had the white pieces."""
    return (_AS_WHITE if white else _AS_BLACK)[result]


def own_result(result: GameResult, white: bool) -> str:
    """Return a played game's result as the player's; `white`: he had the white pieces."""
    return next(own for own in (WON, DRAWN, LOST) if game_result(own, white) is result)


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of the table as a template writes it. `note` says what is known of the opponent, `facts` what stands as it is."""

    number: int
    cells: tuple[tuple[BoundField, str], ...]  # field, heading of its column
    note: str = ""
    link: str = ""
    facts: tuple[tuple[str, str, str], ...] = ()  # heading of the column, text, link
