"""Arbiters and users as the register asks for them: they may not be on it."""

from collections.abc import Collection, Iterator

from django.db.models import Q

from accounts.models import User
from events.models import Arbiter
from players.models import Player
from players.strangers import names_strangers


@names_strangers
def names_of_arbiters_and_users(players: Collection[Player]) -> Iterator[str]:
    """Yield what arbiters and users are called who are none of some players, by link, Chess SA id or FIDE id."""
    numbers, fide_ids = {row.number for row in players}, {row.fide_id for row in players} - {None}
    own = Arbiter.objects.filter(Q(player__in=players) | Q(number__in=numbers) | Q(fide_id__in=fide_ids))
    yield from Arbiter.objects.exclude(pk__in=own).values_list("name", flat=True)
    users = User.objects.exclude(arbiters__in=own).values_list("first_name", "last_name")
    yield from (f"{first} {last}" for first, last in users)
