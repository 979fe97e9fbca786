"""The queue, the database or the disk is gone: the answer says what was kept, and nothing is lost."""

import errno
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing

import pytest
from django.db import DatabaseError, InternalError, OperationalError
from django.test import RequestFactory
from psycopg.errors import DataCorrupted, DeadlockDetected, DiskFull, IndexCorrupted
from redis import Redis

from api.handlers import server_error
from config.outages import outage
from events.models import Event
from script.with_services import start_redis
from tests import prepared
from tests.conftest import ROOT
from tests.faults.bureau import SERVER, Bureau
from tests.faults.kill.servers import Servers
from tests.faults.month import at_stage
from tests.faults.stall import stalled, wait_for_stall

STARTED_AND_PUBLISHED = """
from django.test import Client
from django.test.utils import setup_test_environment
from ratings.models import RatingRun
from ratings.runs.worker import process_run
from ratings.tasks import rescue_runs
from tests.builders import event_of, officer, people, period
setup_test_environment()
event_of([(*people(2), "1-0")])
client = Client()
client.force_login(officer())
def asked(address, **sent):
    page = client.post(address, sent, follow=True)
    print(page.status_code, "What you asked for is kept, and goes on by itself" in page.content.decode(),
          RatingRun.objects.get().state)
asked(f"/admin/events/ratingperiod/{period().pk}/calculate/", reason="x")
rescue_runs()
run = process_run(RatingRun.objects.get().pk)
asked(f"/admin/ratings/ratingrun/{run.pk}/publish/", month="2024-03")
"""
TWENTY_LINKS_AT_ONCE = """
import threading
from django.db import connection
from django.utils import timezone
from accounts.models import MailRequest
from accounts.operations import AccountError, count_mail
refused = []
def ask():
    try:
        count_mail("player@example.org", "203.0.113.7", at=timezone.now(), purpose="reset")
    except AccountError:
        refused.append(1)
    finally:
        connection.close()
threads = [threading.Thread(target=ask) for _ in range(20)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(refused), MailRequest.objects.count())
"""
BROKEN = """
from contextlib import suppress
import psycopg
from django.db import OperationalError, connection
from django.utils import timezone
from events.models import Upload
from events.submission.checker import check
from events.submission.uploads import take_file
from ratings.models import RatingRun
from ratings.runs.operations import start_run
from ratings.runs.worker import process_run
from tests.builders import event_of, people, period
from tests.events.submission.world import clean, known, played
def breaks(execute, sql, params, many, context):
    if "players_player" in sql and not broken:
        broken.append(sql)
        key = connection.connection.info.backend_pid
        with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [key])
    return execute(sql, params, many, context)
known()
upload = take_file(played(), name="a.trf", content=clean(), at=timezone.now(), by=None)
broken = []
with connection.execute_wrapper(breaks):
    check(upload.pk, today=timezone.localdate())
upload.refresh_from_db()
print(upload.attempts, upload.error, bool(broken))
event_of([(*people(2), "1-0")])
run = start_run(period(), at=timezone.now())
broken = []
with connection.execute_wrapper(breaks), suppress(OperationalError):
    process_run(run.pk)
run.refresh_from_db()
print(run.attempts, bool(broken))
"""
# Says when PostgreSQL was killed, and goes on when it is told that it is back.
KILLED = """
import sys
import django; django.setup()
from django.db import connection
from django.utils import timezone
from events.models import Upload
from events.submission.uploads import take_file
from events.tasks import check_upload, rescue_uploads
from ratings.models import RatingRun
from ratings.runs.operations import start_run
from ratings.tasks import calculate_or_publish
from tests.builders import event_of, people, period
from tests.events.submission.world import clean, known, played
from tests.faults.kill.moment import kill_tree
def dies(execute, sql, params, many, context):
    if "players_player" in sql and not killed:
        killed.append(int(open(sys.argv[1]).readline()))
        kill_tree(killed[0])
    return execute(sql, params, many, context)
known()
upload = take_file(played(), name="a.trf", content=clean(), at=timezone.now(), by=None)
event_of([(*people(2), "1-0")])
run = start_run(period(), at=timezone.now())
for row, task in ((upload, check_upload), (run, calculate_or_publish)):
    killed = []
    with connection.execute_wrapper(dies):
        task.apply((row.pk,))
    print("away", flush=True)
    input()
    row.refresh_from_db()
    counted = row.attempts
    rescue_uploads.apply()
    row.refresh_from_db()
    print(counted, row.attempts, row.error, flush=True)
"""
SIX_AT_ONCE = """
import threading
from django.db import connection
from django.utils import timezone
from events.models import Upload
from events.submission.uploads import take_file
from tests.events.submission.world import clean, known, played
known()
event, content, taken = played(), clean(), []
def send():
    try:
        taken.append(take_file(event, name="a.trf", content=content, at=timezone.now(), by=None).pk)
    finally:
        connection.close()
threads = [threading.Thread(target=send) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(taken), len(set(taken)), Upload.objects.count())
"""


@pytest.fixture
def bureau(kind, tmp_path):
    """A bureau without data."""
    made = Bureau(kind, tmp_path / "bureau")
    yield made
    made.close()


def test_without_the_queue_a_month_is_started_and_published_later(bureau):
    (bureau.folder / "static").symlink_to(prepared.static())
    bureau.env["REDIS_URL"] = "redis://127.0.0.1:1/0"
    assert bureau.python(STARTED_AND_PUBLISHED).splitlines() == ["200 True queued", "200 True publishing"]


def test_a_queue_that_is_silent_holds_no_request(bureau):
    """It takes connections and answers nothing, as a frozen Redis does: each step waits some seconds and goes on."""
    (bureau.folder / "static").symlink_to(prepared.static())
    with socket.create_server(("127.0.0.1", 0), backlog=50) as silent:
        bureau.env["REDIS_URL"] = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        begun = time.monotonic()
        assert bureau.python(STARTED_AND_PUBLISHED).splitlines() == ["200 True queued", "200 True publishing"]
        assert time.monotonic() - begun < 90  # on a busy machine; a silent queue never answers


NO_WRITES = """
from django.db import connection
from django.test import Client
from django.test.utils import setup_test_environment
from django.utils import timezone
from ratings.health.checks import examine
from tests.builders import officer
setup_test_environment()
officer()
name = connection.settings_dict["NAME"]
def asked():
    client = Client(raise_request_exception=False)
    sent = {"username": "officer@example.org", "password": "wrong"}
    print(client.get("/").status_code, client.post("/account/log-in/", sent).status_code,
          [check.text for check in examine(at=timezone.now()).checks if check.part == "database"][0])
for closed in ("on", "off"):
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = off")
        cursor.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {closed}')
    connection.close()
    asked()
"""


@pytest.mark.servers
def test_a_database_that_takes_no_writes_is_called_so(tmp_path):
    """As a standby, or one that its operator has closed as the disk fills up."""
    bureau = Bureau("servers", tmp_path / "bureau")
    (tmp_path / "bureau/static").symlink_to(prepared.static())
    try:
        assert bureau.python(NO_WRITES).splitlines() == [
            "200 503 The database takes no writes.", "200 200 It answers."
        ]  # fmt: skip
    finally:
        bureau.close()


@pytest.mark.servers
def test_a_check_or_a_calculation_whose_connection_breaks_counts_as_no_attempt(tmp_path):
    """Also where it breaks outside a transaction: what is noted does not go over it."""
    bureau = Bureau("servers", tmp_path / "bureau")
    try:
        assert bureau.python(BROKEN).splitlines() == ["0  True", "0 True"]
    finally:
        bureau.close()


@pytest.mark.servers
def test_a_check_or_a_calculation_in_which_postgresql_dies_counts_as_no_attempt_once_it_is_back(tmp_path):
    """The worker cannot write so while it is away, and does before its next task."""
    with Servers() as servers:
        tables = f"{SERVER.rsplit('/', 1)[0]}/{prepared.postgres()}"
        dump = subprocess.run(["pg_dump", "--no-owner", tables], capture_output=True, check=True)
        subprocess.run(["psql", "-qX", servers.database], input=dump.stdout, stdout=subprocess.DEVNULL, check=True)
        env = {
            **os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "VAR_DIR": str(tmp_path),
            "DATABASE_URL": servers.database, "REDIS_URL": servers.queue,
        }  # fmt: skip
        line = [sys.executable, "-c", KILLED, str(servers.folder / "postgres/postmaster.pid")]
        with subprocess.Popen(
            line, cwd=ROOT, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as program:
            for error in ("", "The database did not answer: it is tried again until all is well."):
                assert program.stdout.readline() == "away\n"
                servers.start_again()
                program.stdin.write("\n")
                program.stdin.flush()
                assert program.stdout.readline() == f"1 0 {error}\n"


@pytest.mark.servers
def test_a_queue_that_takes_nothing_in_loses_nothing(bureau):
    """Its memory or its disk is full: it answers, and refuses to write."""
    (bureau.folder / "static").symlink_to(prepared.static())
    with ExitStack() as stack:
        bureau.env["REDIS_URL"] = start_redis(stack, bureau.folder)
        with Redis.from_url(bureau.env["REDIS_URL"]) as redis:
            redis.config_set("maxmemory", 1)
        assert bureau.python(STARTED_AND_PUBLISHED).splitlines() == ["200 True queued", "200 True publishing"]


def test_six_uploads_of_one_file_at_the_same_moment_leave_one(bureau):
    assert bureau.python(SIX_AT_ONCE).split() == ["6", "1", "1"]


def test_twenty_links_asked_for_at_the_same_moment_are_five(bureau):
    assert bureau.python(TWENTY_LINKS_AT_ONCE).split() == ["15", "5"]


@pytest.mark.parametrize("database", ["postgres://bureau@127.0.0.1:1/bureau", ""])
def test_without_the_database_pages_and_api_answer_503(tmp_path, database):
    """Nothing listens at the address, or the file of SQLite is not there, as with its disk."""
    program = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        "client = Client(raise_request_exception=False)\n"
        "for address in ('/', '/account/log-in/', '/api/v1/lists/'):\n"
        "    answer = client.get(address, headers={'host': 'localhost'})\n"
        "    print(answer.status_code, answer.headers['Retry-After'], 'database does not answer' in answer.content.decode())\n"
        "    assert address.startswith('/api') or 'The published ratings of Chess South Africa' in answer.content.decode()"
    )
    env = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "VAR_DIR": str(tmp_path),
        "DATABASE_URL": database,
    }  # fmt: skip
    (tmp_path / "static").symlink_to(prepared.static())
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["503 120 True"] * 3, done.stderr[-2000:]


@pytest.mark.servers
@pytest.mark.parametrize(
    ("words", "stage", "table"),
    [
        (("calculate", "2024-03"), "accepted", "ratings_ratingrun"),
        (("publish", "2024-03"), "calculated", "ratings_publishedrun"),
    ],
)
def test_a_command_whose_connection_is_ended_says_so_in_a_line_and_can_be_given_again(tmp_path, words, stage, table):
    bureau = Bureau("servers", tmp_path / "bureau", at_stage("servers", stage))
    try:
        with stalled(bureau, table):
            command = bureau.spawn(*words)
            wait_for_stall(bureau)
        assert command.wait(timeout=300) == 1
        said = (bureau.folder / "processes.log").read_text()
        assert said.startswith("The database did not answer in between (terminating connection due to administrator")
        assert said.endswith(
            "). Nothing is kept by half: give the command again in some minutes, when what it had begun is free\n"
        )
        with closing(bureau.connect()) as connection:
            connection.execute("UPDATE ratings_ratingrun SET lease_until = '2024-01-01 00:00:00+00:00'")
        assert bureau.command(*words).stdout.startswith("2024-03 ")
    finally:
        bureau.close()


GONE = [OperationalError("database is locked"), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))]


def answers(error, method, after="120"):
    """What the page and the API say where a request ends in an error, as texts."""
    try:
        raise error
    except (OSError, DatabaseError):
        page = server_error(RequestFactory().generic(method, "/events/1/results/upload/"))
        problem = server_error(RequestFactory().generic(method, "/api/v1/sections/1/file/"))
    assert (page.status_code, problem.status_code) == (503, 503)
    assert (page.headers["Retry-After"], problem.headers["Retry-After"]) == (after, after)
    return " ".join(page.content.decode().split()), json.loads(problem.content)["detail"]


@pytest.mark.parametrize(("error", "gone"), [(GONE[0], "database does not answer"), (GONE[1], "disk is full")])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT"])
def test_what_is_gone_is_said(error, gone, method):
    for text in answers(error, method):
        assert gone in text


@pytest.mark.parametrize("error", GONE)
def test_a_reader_who_sent_nothing_is_told_nothing_of_what_was_sent(error):
    """He may follow the redirect of a form that was kept."""
    for method in ("GET", "HEAD"):
        for text in answers(error, method):
            assert "sent" not in text
            assert "kept" not in text
            assert "again" in text


@pytest.mark.parametrize("error", GONE)
def test_a_sender_is_told_to_look_before_he_sends_it_again(error):
    """It may have been committed before the database or the disk failed."""
    for method in ("POST", "PUT"):
        for text in answers(error, method):
            assert "not kept" not in text
            assert "may not have been kept" in text
            assert "look" in text


@pytest.mark.parametrize(
    ("error", "gone"),
    [
        (OperationalError("database or disk is full"), "disk"),
        (OperationalError("could not extend file: No space left on device"), "disk"),
        (OperationalError("database is locked"), "database"),
        (OperationalError("no such table: players_player"), "database"),
        (OperationalError("no such column: x"), ""),
        (PermissionError(errno.EACCES, "no"), ""),
        (ValueError("database is locked"), ""),
        (None, ""),
    ],
)
def test_what_is_an_outage(error, gone):
    assert outage(error) == gone


@pytest.mark.parametrize(("name", "gone"), [("SQLITE_IOERR_SHMSIZE", "disk"), ("SQLITE_IOERR_READ", "database")])
def test_sqlite_without_room_for_its_connections_has_a_full_disk(name, gone):
    """The first connection to a database on a full disk; a damaged disk has the words in common."""
    cause = sqlite3.OperationalError("disk I/O error")
    cause.sqlite_errorname = name
    error = OperationalError("disk I/O error")
    error.__cause__ = cause
    assert outage(error) == gone


@pytest.mark.parametrize("name", ["SQLITE_CORRUPT", "SQLITE_CORRUPT_INDEX", "SQLITE_NOTADB"])
def test_a_damaged_file_of_sqlite_is_an_outage(name):
    cause = sqlite3.DatabaseError("database disk image is malformed")
    cause.sqlite_errorname = name
    error = DatabaseError("database disk image is malformed")
    error.__cause__ = cause
    for text in answers(error, "GET"):
        assert "database does not answer" in text


@pytest.mark.parametrize("cause", [DataCorrupted, IndexCorrupted])
def test_what_postgresql_cannot_read_any_more_is_an_outage(cause):
    error = InternalError('invalid page in block 0 of relation "base/5/16384"')
    error.__cause__ = cause()
    for text in answers(error, "GET"):
        assert "database does not answer" in text


def test_what_postgresql_says_of_a_full_disk_is_known_by_its_number():
    error = OperationalError('could not extend file "base/5/16384": wrote only 4096 of 8192 bytes at block 7')
    error.__cause__ = DiskFull()
    assert outage(error) == "disk"


def test_a_row_that_another_has_just_removed_is_no_mistake_of_the_program():
    """Between its being found and its being locked; by a double click, for one."""
    try:
        raise Event.DoesNotExist
    except Event.DoesNotExist:
        page = server_error(RequestFactory().post("/events/1/withdraw/"))
        reading = server_error(RequestFactory().get("/events/1/"))
    assert (page.status_code, reading.status_code) == (409, 500)
    assert "It is no longer there" in page.content.decode()


def test_two_transactions_that_waited_for_one_another_are_no_mistake_of_the_program():
    error = OperationalError("deadlock detected")
    error.__cause__ = DeadlockDetected()
    assert outage(error) == "busy"
    for text in answers(error, "POST", after="1"):
        assert "at that moment" in text
        assert "taken back whole: nothing of it is kept" in text
        assert "may not have been kept" not in text
    for text in answers(error, "GET", after="1"):
        assert "at that moment" in text
        assert "kept" not in text


def test_only_the_outbox_knows_a_mail_server():
    """Whatever else sent mail would do it within a request."""
    sends = re.compile(r"django\.core\.mail|smtplib|mail_admins|mail_managers|email_user\(")
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ("accounts", "api", "config", "events", "players", "ratings")
        for path in (ROOT / room).rglob("*.py")
        if sends.search(path.read_text())
    }
    outbox = {f"accounts/outbox/{name}.py" for name in ("delivery", "smtp", "tasks")}
    assert found == outbox | {"config/services.py"}
