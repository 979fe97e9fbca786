"""/health/ says whether the site works, and to officers what does not; the desk shows it, too."""

import re
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from redis import Redis

from accounts.models import Mail, User
from accounts.outbox.operations import PUT_OFF
from config.celery import app
from config.models import FailedTask, SignOfLife
from config.signs_of_life import give_sign
from config.tasks import retry_failed
from events.models import SubmittedFile, Upload
from ratings.health.checks import LEAST_FREE, SILENCE, examine
from ratings.health.waiting import PATIENCE, ago, waiting
from ratings.models import Erasure, ImportJob, RatingRun, Rerating, Revision
from ratings.rerating.operations import request_publication as request_corrected_lists
from ratings.runs.operations import claim_run, request_publication
from script.with_services import start_redis
from tests.builders import CLOCK, calculate, event_of, officer, people, period, publish, submitted
from tests.faults.bureau import free_port
from tests.ratings.chain import AT, publish_again, rerate

pytestmark = pytest.mark.django_db
NOW = datetime(2024, 4, 1, 12, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)


@pytest.fixture
def alive():
    for process in ("worker", "beat"):
        give_sign(process)


def parts(health):
    return {check.part: check.works for check in health.checks}


def mail(**fields):
    return Mail.objects.create(**{"kind": "x", "to": "a@example.org", "created_at": NOW, "next_at": NOW, **fields})


def test_a_site_that_works(client, alive):
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (200, {"works": True})
    assert "no-store" in answer.headers["Cache-Control"]


def test_without_workers_and_beat_it_does_not_work(client):
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (503, {"works": False})


def test_only_officers_and_superusers_see_the_details(client, alive):
    mail(created_at=timezone.now())
    for user in (User.objects.create_user("region@example.org"), None):
        if user:
            client.force_login(user)
        assert client.get("/health/").json() == {"works": True}
    for user in (officer(), User.objects.create_superuser("chief@example.org")):
        client.force_login(user)
        told = client.get("/health/").json()
        assert {check["part"] for check in told["checks"]} == {
            "database", "queue", "disk", "workers", "beat", "tasks", "waiting",
        }  # fmt: skip
        assert [(row["kind"], row["count"]) for row in told["waiting"]] == [("mails", 1)]


@pytest.mark.parametrize(("process", "part"), [("worker", "workers"), ("beat", "beat")])
def test_a_process_that_is_silent_counts_as_gone(alive, process, part):
    signs = ((SILENCE, True), (SILENCE + MOMENT, False), (-SILENCE, True), (-SILENCE - MOMENT, False))
    for silence, works in signs:  # the last: by a clock that was ahead for a while
        SignOfLife.objects.update(at=NOW)
        SignOfLife.objects.filter(process=process).update(at=NOW - silence)
        found = parts(examine(at=NOW))
        assert found == {**dict.fromkeys(found, True), part: works}


def test_what_waits_longer_than_it_should(alive):
    SignOfLife.objects.update(at=NOW)
    sent = mail(created_at=NOW - PATIENCE)
    assert examine(at=NOW).works
    sent.created_at -= MOMENT
    sent.save()
    health = examine(at=NOW)
    assert [check.text for check in health.failing] == ["Too long: 1 mail, the oldest from 15 minutes ago."]


def test_a_task_of_the_clock_that_failed_is_told_until_it_succeeds(client, alive, settings):
    fails = [True]

    @app.task(name="tests.clears")
    def clears():
        if fails:
            raise ValueError("of naledi@example.org")

    clears.apply()  # the clock does not start it
    assert examine(at=timezone.now()).failing == []
    settings.CELERY_BEAT_SCHEDULE = {**settings.CELERY_BEAT_SCHEDULE, "clear-what-is-old": {"task": "tests.clears"}}
    clears.apply()
    (check,) = examine(at=timezone.now()).failing
    assert re.sub(r"\d+ seconds?", "1 second", check.text) == (
        "The clock’s work failed: “clear what is old” 1 second ago (ValueError). It is tried again within the hour; the"
        " worker’s log says more."
    )
    assert client.get("/health/").status_code == 503
    client.force_login(officer())
    assert "“clear what is old”" in client.get("/admin/").content.decode()
    fails.clear()
    clears.apply()
    assert examine(at=timezone.now()).failing == []


@pytest.mark.usefixtures("alive")
def test_a_task_of_the_clock_that_failed_is_tried_again_within_the_hour(queue, settings):
    @app.task(name="tests.mails")
    def mails():
        raise ValueError

    settings.CELERY_BEAT_SCHEDULE = {**settings.CELERY_BEAT_SCHEDULE, "mail": {"task": "tests.mails"}}
    mails.apply()
    FailedTask.objects.create(task="tests.renamed_since", at=NOW, error="ValueError")
    retry_failed()
    assert queue.take() == ["tests.mails"]
    (check,) = examine(at=timezone.now()).failing
    assert "“mail”" in check.text


def test_a_mail_that_its_recipients_server_puts_off_is_no_fault_of_the_bureau(alive):
    SignOfLife.objects.update(at=NOW)
    begun = NOW - timedelta(days=1)
    put_off = mail(created_at=begun, attempts=5, last_error=f"{PUT_OFF}450 greylisted")
    other = mail(state="sent", created_at=NOW - MOMENT, sent_at=NOW, next_at=None)
    assert examine(at=NOW).works
    for fields in ({}, {"attempts": 5, "last_error": "[Errno 111] Connection refused"}):
        of_server = mail(created_at=begun, **fields)
        assert not examine(at=NOW).works
        of_server.delete()
    # No other was taken since, or by a clock that was ahead: it may be the mail server itself.
    for sent_at in (begun, NOW + MOMENT):
        Mail.objects.filter(pk=other.pk).update(sent_at=sent_at)
        assert [check.part for check in examine(at=NOW).failing] == ["waiting"]
    put_off.delete()
    assert examine(at=NOW).works


def test_every_kind_of_job_waits(django_assert_num_queries):
    by = officer()
    old, older = NOW - timedelta(hours=1), NOW - timedelta(hours=2)
    players = people(2)
    event_of([(*players, "1-0")])
    publish()  # without its downloads
    Erasure.objects.create(player=players[0], asked_at=old, reason="asked for")
    run = RatingRun.objects.create(period=period(date(2024, 4, 1)), queued_at=older)
    Rerating.objects.create(first=period(), reason="x", queued_at=older, by=by)
    ImportJob.objects.create(kind="register", filename="a.csv", size=1, at=old, asked_at=old, by=by, asked_by=by)
    event = submitted()
    file = SubmittedFile.objects.create(sha256="0" * 64, content=b"x")
    Upload.objects.create(event=event, file=file, name="b.trf", asked_at=old, at=old)
    for moment in (older, old):
        mail(created_at=moment)
    with django_assert_num_queries(1):
        found = {row.kind: row for row in waiting(at=NOW)}
    assert {kind: row.count for kind, row in found.items()} == {
        "runs": 1, "re-ratings": 1, "imports": 1, "files": 1, "downloads": 1, "erasures": 1, "mails": 2,
    }  # fmt: skip
    assert found["mails"].since == older
    RatingRun.objects.filter(pk=run.pk).update(lease_until=NOW + MOMENT)
    assert "runs" not in {row.kind for row in waiting(at=NOW)}  # a worker has it in hand
    RatingRun.objects.filter(pk=run.pk).update(lease_until=NOW - MOMENT)
    assert next(row.since for row in waiting(at=NOW) if row.kind == "runs") == NOW - MOMENT


def test_a_month_waits_to_be_published_since_it_was_asked_for():
    """Not since its calculation was: an officer looks at the result for as long as he likes."""
    event_of([(*people(2), "1-0")])
    run = calculate(at=CLOCK)
    asked_at = CLOCK + timedelta(days=2)
    request_publication(run, at=asked_at)
    assert [(row.kind, row.since) for row in waiting(at=asked_at)] == [("runs", asked_at)]
    claim_run(run.pk, at=asked_at)
    assert waiting(at=asked_at) == []
    run.refresh_from_db()
    assert [row.since for row in waiting(at=asked_at + timedelta(hours=1))] == [run.lease_until]


def test_corrected_lists_wait_to_be_published_since_it_was_asked_for():
    event_of([(*people(2), "1-0")])
    publish()
    rerating = rerate(date(2024, 3, 1))
    asked_at = AT + timedelta(days=2)
    request_corrected_lists(rerating, at=asked_at)
    assert [row.since for row in waiting(at=asked_at) if row.kind == "re-ratings"] == [asked_at]


def test_the_files_of_a_month_wait_since_they_could_be_made():
    """Not since the month was calculated: an officer publishes days later, and corrected lists have files of their own."""
    event_of([(*people(2), "1-0")])
    run = publish()
    published = Revision.objects.get().published_at
    RatingRun.objects.filter(pk=run.pk).update(finished_at=published - timedelta(days=2))
    assert [row.since for row in waiting(at=NOW)] == [published]
    publish_again(rerate(date(2024, 3, 1)))
    assert [row.since for row in waiting(at=NOW)] == [Revision.objects.get(number=2).published_at]


def test_a_queue_that_does_not_answer(settings, alive):
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    (failing,) = examine(at=timezone.now()).failing
    assert failing.text == "It does not answer (ConnectionError). What is asked for is kept and waits."
    settings.REDIS_URL = ""
    settings.VAR_DIR = Path("/there/is/none")
    assert [check.part for check in examine(at=timezone.now()).failing] == ["queue", "disk"]


@pytest.mark.servers
def test_a_queue_that_takes_nothing_in(settings, alive, tmp_path):
    """Its memory is full, as set here, or its disk: it answers, and no worker is told of anything."""
    with ExitStack() as stack:
        settings.REDIS_URL = start_redis(stack, tmp_path)
        assert examine(at=timezone.now()).works
        with Redis.from_url(settings.REDIS_URL) as redis:
            redis.config_set("maxmemory", 1)
        (failing,) = examine(at=timezone.now()).failing
    assert failing.text == "It takes nothing in (OutOfMemoryError). What is asked for is kept and waits."


def test_a_disk_that_is_full(monkeypatch, alive):
    for free, works in ((LEAST_FREE, True), (LEAST_FREE - 1, False)):
        monkeypatch.setattr("shutil.disk_usage", lambda path, free=free: type("Usage", (), {"free": free}))
        assert examine(at=timezone.now()).works is works


def test_the_desk_shows_what_does_not_work(client, alive):
    client.force_login(officer())
    assert "desk-trouble" not in client.get("/admin/").content.decode()
    mail(created_at=timezone.now() - timedelta(minutes=3))
    page = client.get("/admin/").content.decode()
    assert "1 mail, the oldest from 3 minutes ago" in page
    (address,) = re.findall(r'href="([^"]+)">see the mails', page)
    assert "a@example.org" in client.get(address).content.decode()
    SignOfLife.objects.all().delete()
    page = client.get("/admin/").content.decode()
    assert "Something does not work" in page
    assert "<dt>Workers</dt>" in page


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 seconds ago"), (1, "1 second ago"), (119, "119 seconds ago"), (120, "2 minutes ago"), (7200, "2 hours ago"),
     (172_800, "2 days ago"), (-5, "0 seconds ago")],
)  # fmt: skip
def test_how_long_ago(seconds, words):
    assert ago(NOW - timedelta(seconds=seconds), NOW) == words


def test_without_a_token_there_are_no_metrics(client, settings):
    assert client.get("/metrics/").status_code == 404
    settings.METRICS_TOKEN = "abc"
    for header in ({}, {"Authorization": "Bearer abcd"}, {"Authorization": "abc"}, {"Authorization": "Bearer ä"}):
        assert client.get("/metrics/", headers=header).status_code == 401
