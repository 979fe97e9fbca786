"""Files of more players than a page shows at once. Names are invented."""

from datetime import date
from string import ascii_lowercase

from django.utils import timezone

from config.lib.shown_rows import MOST_SHOWN
from events.models import Event
from events.submission.operations import submit_event
from players.models import Player
from players.operations import NewPlayer, register_players
from tests.builders import Line, trf
from tests.events.submission.world import FIRST, LAST, played, taken
from tests.kept import kept

MANY = 2 * MOST_SHOWN + 30  # players


def many_known(count: int) -> list[Player]:
    """Players on the register, each of another name."""
    names = [(ascii_lowercase[place // 26], ascii_lowercase[place % 26]) for place in range(count)]
    return register_players(
        [NewPlayer(f"Dum{first}{last}", f"Sip{last}{first}", birth_date=date(1990, 5, 17)) for first, last in names],
        at=timezone.now(),
    )


def of_players(players: list[Player], *, born: int = 1990, ids: int | None = None) -> bytes:
    """A file of an even number of players and three rounds. `born`: the year that it gives; `ids`: how many of them have their
    Chess SA id in it, all unless told."""
    half = len(players) // 2
    known = [
        Line(
            f"{player.last_name}, {player.first_name}",
            born=f"{born}/05/17",
            national=player.number if ids is None or place < ids else "",
        )
        for place, player in enumerate(players)
    ]
    rounds = [
        [(white + 1, half + (white + number) % half + 1, "1=0"[(white + number) % 3]) for white in range(half)]
        for number in range(3)
    ]
    return trf(known, rounds, starts=FIRST, ends=LAST)


@kept
def held() -> Event:
    """An event whose file has each of many players born in another year than the register."""
    event = played()
    taken(event, of_players(many_known(MANY), born=1991))
    return event


@kept
def held_and_sent() -> Event:
    """The event, submitted."""
    event, now = held(), timezone.now()
    submit_event(event, declared=True, reason="All known.", at=now, today=timezone.localdate(now), by=None)
    return event
