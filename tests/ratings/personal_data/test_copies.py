"""What is kept beside the rows of whom is erased: SQLite's log, and pages that were drawn before."""

from datetime import timedelta

import pytest
from django.core.cache import caches
from django.http import HttpResponse
from django.utils import timezone

from config import page_cache, services
from players.operations import NewPlayer, register_players
from ratings.personal_data.erasure.jobs import forget_copies_again
from ratings.personal_data.erasure.operations import erase_player
from tests.faults.bureau import Bureau

ERASES = """
import sqlite3
from pathlib import Path
from django.conf import settings
from django.db import connection
from django.utils import timezone
from players.operations import NewPlayer, register_players
from ratings.models import Erasure
from ratings.personal_data.erasure.jobs import ask_for_erasure, process_erasure
from ratings.personal_data.tasks import rescue_erasures

path = str(settings.DATABASES["default"]["NAME"])
names = ("Qzalone", "Qzread")

def kept(name):
    return any(name.encode() in file.read_bytes() for file in (Path(path), Path(f"{path}-wal")))

players = register_players([NewPlayer(name, "Zola") for name in names], at=timezone.now())
print(*map(kept, names))
process_erasure(ask_for_erasure(players[0], at=timezone.now(), by=None, reason="asked for").pk)
print(*map(kept, names))
reader = sqlite3.connect(path, isolation_level=None)
reader.execute("BEGIN")
reader.execute("SELECT count(*) FROM players_player").fetchone()
process_erasure(ask_for_erasure(players[1], at=timezone.now(), by=None, reason="asked for").pk)
print(Erasure.objects.filter(state="done").count(), kept("Qzread"))
reader.execute("COMMIT")
rescue_erasures()
print(kept("Qzread"), connection.cursor().execute("PRAGMA busy_timeout").fetchone()[0])
"""


def test_sqlite_s_log_names_him_no_more_once_nobody_reads_what_was_before(tmp_path):
    bureau = Bureau("embedded", tmp_path / "bureau")
    try:
        said = bureau.python(ERASES).splitlines()
    finally:
        bureau.close()
    assert said == ["True True", "False True", "2 True", "False 20000"]


@pytest.mark.django_db
def test_a_page_that_was_drawn_before_and_is_kept_after_goes_at_the_clock_s_next_look(rf, settings, monkeypatch):
    settings.CACHES = {**settings.CACHES, "pages": services.page_cache("")}
    monkeypatch.setattr(page_cache, "_failed_at", 0.0)
    caches["pages"].clear()
    (his,) = register_players([NewPlayer("Nel", "Zola")], at=timezone.now())
    at = timezone.now()
    erase_player(his, at=at, by=None, reason="asked for")
    request = rf.get(f"/players/{his.number}/")
    page_cache.keep(request, HttpResponse("Zola Nel"), '"1"')
    forget_copies_again(at=at + timedelta(seconds=30))
    assert page_cache.kept_page(request) is None
    page_cache.keep(request, HttpResponse("of now"), '"2"')
    forget_copies_again(at=at + timedelta(hours=1))
    assert page_cache.kept_page(request).etag == '"2"'
