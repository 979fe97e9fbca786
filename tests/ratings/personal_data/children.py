"""A child whom others were taken for, by a slip of the desk or a merge."""

from datetime import date, timedelta

import pytest
from django.db.models import F

from events.models import Arbiter
from events.rules.states import EventError
from players.models import Player
from players.operations import save_player
from ratings.downloads.operations import make_downloads
from ratings.models import Download
from ratings.personal_data.erasure.operations import erase_player
from ratings.rerating.merges import merge_players, undo_merge
from tests.builders import CLOCK, event_of, everything, people, player, publish, with_address

LATER = CLOCK + timedelta(days=4000)
BORN = date(2012, 2, 3)


def child(first_name: str = "Zandile") -> Player:
    return with_address(player("Qwibbelthorpe", first_name, birth_date=BORN, fide_id=14398866), "zandile@example.org")


def held_for_years(row: Player | Arbiter) -> None:
    """What a row has, it has had for years: what is changed now is no slip that is put right at once."""
    type(row).history.filter(id=row.pk).update(history_date=F("history_date") - timedelta(days=1000))


def erase(row: Player) -> None:
    erase_player(row, at=LATER, by=None, reason="asked for")


def left() -> list[str]:
    """The tables in which something of hers stands."""
    signs = ("qwibbelthorpe", "zandile", "14398866", "datetime.date(2012, 2, 3)", "2012-02-03")
    return [table for table, rows in everything().items() if any(sign in str(rows).lower() for sign in signs)]


def mistaken_for(row: Player, **fields: object) -> None:
    """Give a player what is another's, and then again what is his."""
    own = {name: getattr(row, name) for name in ("last_name", "first_name", "birth_date", "birth_year", "email")}
    for values in ({"last_name": "Qwibbelthorpe", "first_name": "Zandile", **fields}, own):
        for name, value in values.items():
            setattr(row, name, value)
        save_player(row)


def files_of(run) -> None:
    """Make the public files of a month anew."""
    Download.objects.all().delete()
    make_downloads(run.pk, at=LATER)
    assert Download.objects.exists()


def merged_by_mistake() -> tuple[Player, Player, object]:
    """A child who was merged into another player, and that one with a published section, which is the child's."""
    other = people(2)[0]
    his = child()
    section = event_of([(other, people(1)[0], "1-0")]).sections.get()
    merge = merge_players(his, other, reason="one", at=CLOCK)
    publish()
    with pytest.raises(EventError, match="split the player instead"):
        undo_merge(merge, reason="two", at=LATER)
    return Player.objects.get(pk=his.pk), Player.objects.get(pk=other.pk), section
