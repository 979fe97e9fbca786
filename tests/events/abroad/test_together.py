"""The same results sent in at the same moment by two links make one event."""

import sys
import time

import pytest

from tests.faults.bureau import KINDS, Bureau

PLAYER = """
from players.operations import NewPlayer, register_players
from tests.builders import with_address
from tests.events.abroad.entries import AT
with_address(*register_players([NewPlayer("Mokoena", "Naledi")], at=AT))
"""
SEND = """
import time
import django; django.setup()
from events.abroad.links import ask_link
from events.abroad.operations import Channel, submit_abroad
from events.operations import EventError
from players.models import Player
from tests.events.abroad.entries import AT, WHOLE
player = Player.objects.get()
link = ask_link(player.number, "naledi@example.org", "player", at=AT)
time.sleep(max(0, {moment} - time.time()))
try:
    submit_abroad(player, WHOLE, at=AT, channel=Channel(link=link))
except EventError as error:
    assert "on record already" in str(error), error
    raise SystemExit(3)
"""


@pytest.fixture(params=KINDS)
def bureau(request, tmp_path):
    made = Bureau(request.param, tmp_path / "bureau")
    made.python(PLAYER)
    yield made
    made.close()


def test_two_links_at_the_same_moment_make_one_event(bureau):
    code = SEND.format(moment=time.time() + 4)
    both = [bureau.start([sys.executable, "-c", code]) for _ in range(2)]
    assert sorted(process.wait() for process in both) == [0, 3], (bureau.folder / "processes.log").read_text()
    assert bureau.rows("SELECT state FROM events_event") == [("submitted",)]
    assert bureau.rows("SELECT count(*) FROM events_game") == [(5,)]
