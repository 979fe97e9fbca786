"""PostgreSQL's errors say what was the matter, and quote no row: not in a traceback, a task's line, or a change of lines."""

import logging
import os
import subprocess
import sys
import traceback
from time import sleep

import psycopg
import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    connection,
    transaction,
)
from django.utils import timezone

from accounts.models import Mail
from accounts.outbox.tasks import send_mails
from config.lib.database import long_work, shared_wait
from config.outages import BUSY, GONE, outage
from players.models import Title
from ratings.moving_in.jobs.rows import copy_rows
from tests.prepared import ROOT, SERVER

pytestmark = [pytest.mark.servers, pytest.mark.django_db]


@pytest.fixture
def refused_mail():
    """What makes PostgreSQL refuse each attempt to send a mail."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE accounts_mail ADD CONSTRAINT never_sent CHECK (attempts < 1) NOT VALID")


def mail():
    now = timezone.now()
    return Mail(
        to="naledi@example.org", subject="A line\nNaledi Mokoena", text="Dear\nNaledi", created_at=now, next_at=now
    )


def test_a_refused_row_is_not_quoted(refused_mail):
    sent = mail()
    sent.attempts = 1
    with pytest.raises(IntegrityError, match=r"violates check constraint .never_sent.$") as caught:
        sent.save()
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(caught.value.__cause__)
    assert "naledi" not in told.lower()


def test_a_refused_row_among_many_is_not_quoted():
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE players_title ADD CONSTRAINT short CHECK (length(name) < 6) NOT VALID")
    with pytest.raises(IntegrityError, match=r"violates check constraint .short.$") as caught:
        copy_rows(Title, ["code", "name", "position"], [("ZZA", "Short", 998), ("ZZZ", "Naledi Mokoena", 999)])
    assert "Naledi" not in repr(caught.value.__cause__)


def test_a_command_that_cannot_be_read_is_not_quoted():
    with connection.cursor() as cursor, pytest.raises(ProgrammingError, match=r"does not exist$") as caught:
        cursor.execute("SELECT number FROM players_player WHERE surname = %s", ["Mokoena"])
    assert "LINE" not in repr(caught.value.__cause__)


@pytest.mark.parametrize("sql", ["SELECT %s::text::integer", "SELECT %s::text::date", "SELECT %s::text::int4range"])
def test_a_value_that_is_none_is_not_quoted(sql):
    with connection.cursor() as cursor, pytest.raises(DataError) as caught, transaction.atomic():
        cursor.execute(sql, ["Naledi Mokoena"])
    assert "Naledi" not in repr(caught.value) + repr(caught.value.__cause__)


def test_a_statement_of_the_web_server_ends(tmp_path):
    """It would run on, and hold a thread, after whoever asked has gone."""
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": SERVER, "VAR_DIR": str(tmp_path)}

    def shown(begun_by):
        program = f"{begun_by}\nfrom django.db import connection\nwith connection.cursor() as cursor:\n    "
        program += "print(*(cursor.execute(f'SHOW {one}_timeout').fetchone()[0] for one in ('statement', 'lock')))"
        return subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=env, stdout=-1, text=True, check=True
        ).stdout

    assert shown("import config.wsgi") == "30s 10s\n"
    assert shown("import django\ndjango.setup()") == "0 0\n"  # a worker, or a command


def test_many_rows_wait_together_as_long_as_one():
    with connection.cursor() as cursor:

        def wait():
            return cursor.execute("SHOW lock_timeout").fetchone()[0]

        before = wait()
        with shared_wait(8):
            assert wait() == "1250ms"
        with shared_wait(500):
            assert wait() == "50ms"
        assert wait() == before


def test_a_row_that_another_has_for_long_is_no_database_that_is_gone():
    with psycopg.connect(SERVER, autocommit=True) as connected, psycopg.connect(SERVER, autocommit=True) as another:
        connected.execute("SELECT pg_advisory_lock(4711)")
        another.execute("SET lock_timeout = '10ms'")
        with pytest.raises(psycopg.OperationalError) as caught:
            another.execute("SELECT pg_advisory_lock(4711)")
    raised = OperationalError("canceling statement due to lock timeout")
    raised.__cause__ = caught.value
    assert outage(raised) == BUSY


def test_a_task_that_fails_tells_no_row(refused_mail, caplog):
    mail().save()
    send_mails.apply()
    assert "never_sent" in caplog.text
    lines = [logging.Formatter().format(record) + repr(vars(record)) for record in caplog.records]
    assert "naledi" not in "".join(lines).lower()


def test_a_process_that_hung_amid_a_transaction_has_met_an_outage():
    """As one of a machine that was stopped for a while: its work is tried again, and no attempt is counted."""
    hung = connection.copy()
    with pytest.raises(DatabaseError) as caught, hung.cursor() as cursor:  # noqa: PT012
        cursor.execute("SET idle_in_transaction_session_timeout = 100")
        cursor.execute("BEGIN")
        sleep(0.5)
        cursor.execute("SELECT 1")
    hung.close()
    assert outage(caught.value) == "database"
    assert isinstance(caught.value, GONE)


def test_who_reads_a_large_file_amid_a_transaction_does_not_hang():
    """FIDE's list is read for minutes within the transaction that takes it."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 500")
        with long_work():
            sleep(1)
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone()[0] == "500ms"
