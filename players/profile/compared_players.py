"""Who is meant by what was typed to compare players: Chess SA ids, and names between commas."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext

from events.visibility import public_players
from players.identity import CHESS_SA_DIGITS
from players.merged import players_of
from players.models import Player
from players.profile.comparison import MOST_COMPARED
from players.profile.queries import player_detail
from players.search import suggested_players


@dataclass(frozen=True, slots=True)
class NameChoice:
    """A name that several players have: each with what tells him from the others, and the field's text that means him."""

    name: str
    players: list[tuple[Player, str, str]]


@dataclass(slots=True)
class Typed:
    """Who was found, in the order of the text, at most `MOST_COMPARED`; what could not be found, in sentences."""

    players: list[Player] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    choices: list[NameChoice] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The numbers of those who were found."""
        return ", ".join(player.number for player in self.players)


def read_players(text: str) -> Typed:
    """Return the players that a text means. Ids need only blanks between them. One query for ids, one for each name."""
    numbers, names = _parts(text)
    asked = [number for number in numbers if _is_number(number)]
    by_number = players_of(public_players(), asked)
    typed = Typed(list(dict.fromkeys(by_number[number] for number in numbers if number in by_number)))
    unknown = [number for number in numbers if number not in by_number]
    typed.problems = [
        gettext("There is no player with the number %(number)s.") % {"number": number} for number in unknown
    ]
    several = []
    for name in names[:MOST_COMPARED]:
        found = suggested_players(public_players(), name)
        if len(found) == 1 and found[0] not in typed.players:
            typed.players.append(found[0])
        elif len(found) > 1:
            several.append((name, found))
        elif not found:
            typed.problems.append(gettext("There is no player with the name “%(name)s”.") % {"name": name})
    if len(typed.players) > MOST_COMPARED:
        typed.problems.append(
            gettext("The first %(number)s are shown: no more fit one chart.") % {"number": MOST_COMPARED}
        )
        typed.players = typed.players[:MOST_COMPARED]
    typed.choices = [_choice(name, found, typed.players) for name, found in several]
    return typed


def _parts(text: str) -> tuple[list[str], list[str]]:
    """Return the numbers and the names of a text, each once, in their order."""
    numbers: list[str] = []
    names: list[str] = []
    for part in text.split(","):
        words = part.split()
        numbers += [word for word in words if word.isdecimal()]
        names += [" ".join(word for word in words if not word.isdecimal())]
    return list(dict.fromkeys(numbers)), [name for name in dict.fromkeys(names) if name]


def _choice(name: str, found: Sequence[Player], chosen: Sequence[Player]) -> NameChoice:
    before = [player.number for player in chosen]
    return NameChoice(name, [(player, player_detail(player), ", ".join([*before, player.number])) for player in found])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) == CHESS_SA_DIGITS
