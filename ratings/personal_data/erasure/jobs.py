"""Erasures that are asked for, and done by a worker. Clock and actor are passed in.

All of the work is one transaction, with the erasure's row locked: a worker that dies leaves nothing half erased, and another
takes it up when the lease has run out.
"""

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.trail.operations import key_of, record
from config.lib.database import empty_log
from config.lib.leases import free, lease_length, spare_attempt
from config.outages import GONE
from config.page_cache import forget_pages
from events.periods import lock_periods
from events.rules.states import EventError
from players.models import Player
from ratings.models import Erasure
from ratings.personal_data.erasure.hindrances import hindrance
from ratings.personal_data.erasure.operations import BusyError, erase_player, require_as_shown, required_reason
from ratings.personal_data.person import person_of, since

MOST_ATTEMPTS = 3
_DRAWN = timedelta(minutes=10)  # after an erasure: no request takes as long
_READ = timedelta(days=1)  # nor does any work on what was read before it
ASKED = "erasure asked for"  # on the trail
FAULT = "it could not be done, which is a fault of this software: its log says more"

log = logging.getLogger(__name__)


def ask_for_erasure(
    player: Player, *, at: datetime, by: User | None, reason: str, shown: Collection[str] = ()
) -> Erasure:
    """Put a player's data up to be erased, also once more after it failed. `shown`: the keys on the trail of all that the user
    was shown as his; without any, of all that is his now. The caller wakes a worker. Raises EventError."""
    reason = required_reason(reason)
    with transaction.atomic():
        # While he is erased his row is locked: who asks once more is told at once, and not at its end.
        _refuse_second(player)
        player = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        _refuse_second(player)
        if problem := hindrance(player):
            raise EventError(problem)
        person = person_of(player)
        if shown:
            require_as_shown(person, shown)
        asked = {"asked_at": at, "by": by, "reason": reason, "rows": {key_of(row): since(row) for row in person.rows}}
        anew = {"state": Erasure.State.WAITING, "error": "", "attempts": 0, "lease_until": None}
        erasure, _ = Erasure.objects.update_or_create(player=player, defaults=asked | anew)
        record(ASKED, player, at=at, by=by, reason=reason)
        return erasure


def _refuse_second(player: Player) -> None:
    if Erasure.objects.filter(player=player, state=Erasure.State.WAITING).exists():
        raise EventError(f"the erasure of {player} is asked for already")


def withdraw_erasure(player: Player, *, at: datetime, by: User | None) -> None:
    """Take back that a player's data is to be erased. Raises EventError if it is being erased, or was."""
    with transaction.atomic():
        undone = Erasure.objects.filter(player=player).exclude(state=Erasure.State.DONE)
        erasure = undone.select_for_update(of=("self",), skip_locked=True).first()
        if erasure is None:
            raise EventError(f"the data of {player} is being erased, or is erased already: look at the page as it is")
        erasure.delete()
        record("erasure withdrawn", player, at=at, by=by)


def to_erase(*, at: datetime) -> QuerySet[Erasure]:
    """Return the erasures that wait for a worker, or whose worker gave no sign while its lease lasted."""
    return Erasure.objects.filter(free(at=at), state=Erasure.State.WAITING)


def forget_copies_again(*, at: datetime) -> None:
    """Do soon after an erasure once more what may have failed: the cache did not answer, a page was drawn before and is kept
    since, or somebody was reading while SQLite's log was to be emptied."""
    done = Erasure.objects.filter(state=Erasure.State.DONE)
    if done.filter(at__gt=at - _DRAWN).exists():
        forget_pages()
    if done.filter(at__gt=at - _READ).exists():
        empty_log()


def process_erasure(key: int, *, clock: Callable[[], datetime] = timezone.now) -> None:
    """Erase what is asked for, unless another worker has it or it is done. What stands against it is noted on its row."""
    if not _claim(key, at=clock()):
        return
    try:
        with transaction.atomic():
            # Hazard: before its own row, which another erasure may write to, whose player this one's reason names.
            lock_periods()
            erasure = _locked(key)
            if erasure is not None:
                erase_player(erasure.player, at=clock(), by=erasure.by, reason=erasure.reason, shown=list(erasure.rows))
    except BusyError:  # the clock's next look tries again
        _waiting(key).update(attempts=0, lease_until=None)
    except EventError as error:
        _fail(key, str(error))
    except GONE as error:  # it is tried again when the lease has run out
        log.warning("erasure %s could not be done now", key, exc_info=True)
        spare_attempt(_waiting(key), error)
    except Exception:
        log.exception("erasure %s could not be done", key)
        _fail(key, FAULT)


def _claim(key: int, *, at: datetime) -> bool:
    with transaction.atomic():
        waiting = to_erase(at=at).filter(pk=key)
        erasure = waiting.select_for_update(of=("self",), skip_locked=True).first()
        if erasure is None:
            return False
        if erasure.attempts >= MOST_ATTEMPTS:
            _fail(key, f"given up after {MOST_ATTEMPTS} attempts: each ended before it was done")
            return False
        waiting.update(attempts=F("attempts") + 1, lease_until=at + lease_length())
        return True


def _waiting(key: int) -> QuerySet[Erasure]:
    return Erasure.objects.filter(pk=key, state=Erasure.State.WAITING)


def _locked(key: int) -> Erasure | None:
    return _waiting(key).select_related("player", "by").select_for_update(of=("self",), skip_locked=True).first()


def _fail(key: int, error: str) -> None:
    _waiting(key).update(state=Erasure.State.FAILED, error=error, lease_until=None)
