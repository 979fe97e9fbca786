"""Remembers that two players who look like one person are two."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.trail.operations import record
from players.models import Player
from ratings.models import DistinctPair


def tell_apart(one: Player, other: Player, *, at: datetime, by: User | None = None) -> DistinctPair:
    """Say that two players are two people, so that they are not listed as likely duplicates again."""
    first, second = sorted((one, other), key=lambda player: player.pk)
    with transaction.atomic():
        pair, created = DistinctPair.objects.get_or_create(first=first, second=second, defaults={"at": at, "by": by})
        if created:
            record("told apart", first, at=at, by=by, after={"another person": str(second)})
    return pair
