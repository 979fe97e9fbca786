"""The form of a whole team's results from abroad: the event once, and below it the rounds of each player."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.functional import cached_property
from django.utils.translation import gettext

from accounts.models import User
from config.lib.parsing import whole_number
from config.lib.texts import plain_text
from events.abroad.fide_list import fill_from_list
from events.abroad.forms import FIRST_ROUNDS, HeadForm, ResultsForm
from events.access import writable_regions
from events.models import AbroadLink
from events.rules.abroad import MOST_TEAM_PLAYERS, MOST_TEAM_ROUNDS
from events.visibility import accepted_players
from players.identity import CHESS_SA_ID
from players.merged import bears
from players.models import Player
from players.search import LONGEST_SEARCH, suggested_players

FIRST_PLAYERS = 4
_MOST_NAMED = 4


def players_to_send(user: User | None = None, link: AbroadLink | None = None) -> QuerySet[Player]:
    """Return the players whose results can be sent in: by a user those of his regions, by a mailed link those with its address
    on record."""
    players = accepted_players().select_related("region").order_by("folded_name", "number")
    if link is not None:
        return players.filter(email=link.address)
    assert user is not None  # noqa: S101 - one of the two is given
    return players if user.is_officer else players.filter(region__in=writable_regions(user))


def offered(player: Player) -> str:
    """Return the text by which a row offers a player."""
    return f"{player.name} ({player.number})"


@dataclass
class TeamRow:
    """A player of the team: who he is, as typed, and the form of his results.

    `problem`: why it is not known who he is, or why the results were not taken; `sent`: his number once they are with the
    ratings officer.
    """

    place: int
    who: str
    player: Player | None
    results: ResultsForm
    problem: str = ""
    sent: str = ""

    @property
    def used(self) -> bool:
        """Whether anything was entered that is still to be sent in."""
        return not self.sent and bool(self.who or any(game.errors or game.filled for game in self.results.games.forms))

    @property
    def name(self) -> str:
        """What the player is called in messages."""
        if self.player:
            return self.player.name
        return self.who or gettext("Player %(number)s") % {"number": self.place + 1}

    @property
    def wrong(self) -> bool:
        """Whether something of the player himself is wrong."""
        return bool(self.problem) or any(game.errors for game in self.results.games.forms)

    @property
    def open(self) -> bool:
        """Whether his rounds are shown unfolded."""
        return self.wrong or self.used or (self.place == 0 and not self.sent)


class TeamForm:
    """The event, and a row for each player. `data` is what was sent; without it the first players of `offered` are named."""

    def __init__(
        self, players: QuerySet[Player], data: QueryDict | None = None, *, named: tuple[Player, ...] = ()
    ) -> None:
        """Take the rows from `data`, else one for each of the `named` players and some blank ones."""
        self.players, self.data = players, data
        if data is None:
            count = min(max(FIRST_PLAYERS, len(named)), MOST_TEAM_PLAYERS)
            texts = [offered(player) for player in named[:MOST_TEAM_PLAYERS]]
        else:
            count = min(whole_number(data.get("players") or "", digits=3) or 0, MOST_TEAM_PLAYERS)
            texts = [plain_text(data.get(f"p{place}-who", "")[:LONGEST_SEARCH]) for place in range(count)]
        self.rows = [self._row(place, texts[place] if place < len(texts) else "") for place in range(count)]
        for row in self.rows:
            if row.player and any(row.player == other.player for other in self.rows[: row.place]):
                row.problem = gettext("%(player)s stands in another row, too. Take one of the two out.") % {
                    "player": row.name
                }

    def _row(self, place: int, who: str) -> TeamRow:
        sent = self.data.get(f"p{place}-sent", "") if self.data is not None else ""
        player, problem = (None, "") if not who else self.find(who)
        return TeamRow(
            place, who, player, ResultsForm(player or Player(), None, self.data, rounds=f"p{place}-game"), problem, sent
        )

    def find(self, who: str) -> tuple[Player | None, str]:
        """Return the player of a name or a text with a number, or why it is not known who he is."""
        if number := re.search(rf"(?<![0-9]){CHESS_SA_ID}(?![0-9])", who):
            found = list(self.players.filter(bears(number[0]))[:1])
        else:
            found = suggested_players(self.players, who.replace(",", " "))
        if len(found) == 1:
            return found[0], ""
        if not found:
            return None, gettext(
                "Nobody whose results you may send in is called %(name)s. Correct it, or give the Chess SA id."
            ) % {"name": who}
        names = "; ".join(map(offered, found[:_MOST_NAMED]))
        return None, gettext("More than one player is meant by %(name)s: %(players)s. Give the Chess SA id.") % {
            "name": who,
            "players": f"{names}; …" if len(found) > _MOST_NAMED else names,
        }

    @cached_property
    def head(self) -> HeadForm:
        """The form of the event, which is checked with each player."""
        first = next((row for row in self.rows if row.used), None) or next(iter(self.rows), None)
        return first.results.head if first else ResultsForm(Player(), None, self.data).head

    @property
    def used(self) -> list[TeamRow]:
        """The rows that are still to be sent in."""
        return [row for row in self.rows if row.used]

    @property
    def rounds(self) -> int:
        """The greatest number of rounds that a row has."""
        return max((len(row.results.games.forms) for row in self.rows), default=FIRST_ROUNDS)

    def check(self, *, at: datetime) -> list[TeamRow]:
        """Check all rows as the form of one player does; return those in which nothing is wrong."""
        valid = []
        for row in self.used:
            if not row.who:
                row.problem = gettext("Say whose results these are: a name, or a Chess SA id.")
            right = row.results.is_valid(at=at)
            row.problem = row.problem or row.results.torn or " ".join(map(str, row.results.head.non_field_errors()))
            if right and row.player and not row.problem:
                valid.append(row)
        return valid

    def fill(self) -> list[str]:
        """Fill in the ratings that FIDE's list has, in the data; return what was filled in, a sentence a player."""
        assert self.data is not None  # noqa: S101 - only of what was sent
        said = [
            (row, fill_from_list(self.data, row.results.entered(), rounds=f"p{row.place}-game")) for row in self.used
        ]
        return [f"{row.name}: {filled}" for row, filled in said if filled]

    def quieten(self) -> None:
        """Drop the messages of all fields, which were not asked to be checked; who is unknown stays said."""
        for row in self.rows:
            for part in row.results.parts:
                part.errors.clear()

    def unknown(self) -> list[tuple[str, str]]:
        """Return (id of the field, message) of each row of which it is not known who it is, or who stands twice."""
        return [(f"id_p{row.place}-who", f"{row.name}: {row.problem}") for row in self.rows if row.problem]

    def problems(self) -> list[tuple[str, str]]:
        """Return (id of the field, message) of each error, in the order of the page."""
        if not self.used:
            return [("id_p0-who", gettext("Name at least one player."))]
        head = [(place, message) for place, message in self.head.problems() if place]
        return [*head, *(problem for row in self.used for problem in self._of_row(row))]

    def _of_row(self, row: TeamRow) -> Iterator[tuple[str, str]]:
        if row.problem:
            yield f"id_p{row.place}-who", f"{row.name}: {row.problem}"
        for game in row.results.games.forms:
            yield from game.problems(_of(row, game.named))


def _of(row: TeamRow, named: Callable[[str, str], str]) -> Callable[[str, str], str]:
    return lambda label, error: f"{row.name}: {named(label, error)}"


def widened(data: QueryDict, *, players: int = 0, rounds: int = 0) -> QueryDict:
    """Return what was sent with more rows for players, or more rounds for each of them."""
    wide = data.copy()
    count = min(whole_number(data.get("players") or "", digits=3) or 0, MOST_TEAM_PLAYERS)
    present = [whole_number(data.get(f"p{place}-game-TOTAL_FORMS") or "", digits=3) or 0 for place in range(count)]
    total = min(max(present, default=FIRST_ROUNDS) + rounds, MOST_TEAM_ROUNDS)
    count = min(count + players, MOST_TEAM_PLAYERS)
    values: dict[str, Any] = {"players": count}
    for place in range(count):
        values |= {f"p{place}-game-TOTAL_FORMS": total, f"p{place}-game-INITIAL_FORMS": 0}
    for name, value in values.items():
        wide[name] = str(value)
    return wide
