"""A month's files that are stored while a player of it is erased do not name him for good."""

import pytest

from tests.faults.bureau import Bureau

STORED_MEANWHILE = """
import threading
import time
from django.db import connection, transaction
from django.utils import timezone
from ratings.models import Download, PublishedRun
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import event_of, people, publish
players = people(2)
event_of([(*players, "1-0")])
publish()
held = threading.Event()

def store():
    with transaction.atomic():
        run = PublishedRun.objects.select_for_update().get().run
        Download.objects.create(run=run, name="x", content=b"his name", size=8, sha256="0" * 64, made_at=timezone.now())
        held.set()
        time.sleep(2)
    connection.close()

storing = threading.Thread(target=store)
storing.start()
held.wait()
erase_player(players[0], at=timezone.now(), by=None, reason="asked for")
storing.join()
print(Download.objects.count())
"""


@pytest.mark.servers
def test_files_that_are_stored_meanwhile_are_taken_away(tmp_path):
    bureau = Bureau("servers", tmp_path / "bureau")
    try:
        assert bureau.python(STORED_MEANWHILE).strip() == "0"
    finally:
        bureau.close()
