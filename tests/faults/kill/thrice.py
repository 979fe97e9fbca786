"""Every task of the clock and of the jobs, given to three workers at the same moment, and with the clock set on and back.

`python -m tests.faults.kill.thrice` with the surroundings of a bureau without data prints what came of each as JSON: numbers
of rows by table, with the mails by address and subject.
"""

import json
import threading
import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import django

from tests.faults.kill.forked import Here

# A Monday morning, on the last day for the results of October.
BASE = datetime(2026, 11, 30, 8, tzinfo=UTC)
_ROUNDS = 2  # the second finds what the first has begun


def main() -> None:
    """Do all of it once, thrice, and at three times."""
    django.setup()
    from django.conf import settings

    from config.celery import app

    app.loader.import_default_modules()
    app.conf.task_always_eager = True
    here = Here()
    _set_clock(timedelta())
    _fill()
    here.keep()
    names = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    found: dict[str, Any] = {"tasks": names}
    for what, workers in (("once", 1), ("thrice", 3)):
        here.go_back()
        for _ in range(_ROUNDS):
            for name in names:
                _at_once(app.tasks[name], (), workers)
            for name, key in _jobs():
                _at_once(app.tasks[name], (key,), workers)
        found[what] = _numbers()
    _set_clock(timedelta(hours=-5))
    _all(app, names)
    found["five hours back"] = _numbers()
    _set_clock(timedelta(days=40))
    for _ in range(_ROUNDS):
        _all(app, names)
    found["forty days on"] = _numbers()
    _set_clock(timedelta())
    _all(app, names)
    found["back again"] = _numbers()
    here.forget()
    print(json.dumps(found))


def _fill() -> None:
    from django.db import transaction
    from django.utils import timezone

    from accounts.models import User
    from accounts.outbox.content import render
    from accounts.outbox.operations import add_mail
    from events.models import Refusal
    from events.rules.states import State
    from events.submission.uploads import take_file
    from players.models import RegionalAdministrator
    from ratings.personal_data.erasure.jobs import ask_for_erasure
    from ratings.runs.operations import start_run
    from tests.builders import event_of, people, period, publish, region
    from tests.events.submission.world import clean, known, played
    from tests.ratings.desk.waiting import event, fill

    now = timezone.now()
    with transaction.atomic():
        event_of([(*people(2), "1-0")])
        publish(at=datetime(2024, 4, 1, 8, tzinfo=UTC))
        event_of([(*people(2), "1-0")], date(2024, 4, 5))
        by = User.objects.create_user("gau@example.org", is_staff=True)
        RegionalAdministrator.objects.create(user=by, region=region(), since=date(2024, 1, 1))
        User.objects.create_user("officer@example.org", is_staff=True, is_officer=True, week_mail=True)
        event(State.REGISTERED, ends=date(2026, 10, 18), moved=date(2026, 10, 1))
        refused = event(State.REFUSED, ends=date(2026, 11, 15), moved=date(2026, 11, 20))
        Refusal.objects.create(event=refused, at=now, reason="Too late.")
        fill(2, today=timezone.localdate(now))
        known()
        take_file(played(), name="open.trf", content=clean(), at=now, by=None)
        context = {"event": "Mopane Open", "days": "3 March", "returned": False, "reason": "So.", "link": "https://x/"}
        add_mail(render("events/mail/decision", context), "by@example.org", at=now)
        start_run(period(date(2024, 4, 1)), at=now)
        ask_for_erasure(people(1)[0], at=now, by=None, reason="asked for")


def _jobs() -> list[tuple[str, int]]:
    from events.models import Upload
    from ratings.models import Erasure, ImportJob, PublishedRun, RatingRun

    run = "ratings.tasks.calculate_or_publish"
    return [
        *((run, key) for key in RatingRun.objects.values_list("pk", flat=True)),
        *(("ratings.downloads.tasks.make_files", key) for key in PublishedRun.objects.values_list("run", flat=True)),
        *(("events.submission.tasks.check_upload", key) for key in Upload.objects.values_list("pk", flat=True)),
        *(
            ("ratings.personal_data.tasks.erase_personal_data", key)
            for key in Erasure.objects.values_list("pk", flat=True)
        ),
        *(("ratings.moving_in.tasks.work_on_import", key) for key in ImportJob.objects.values_list("pk", flat=True)),
    ]


def _at_once(task: Any, given: tuple[int, ...], workers: int) -> None:
    """Have so many workers do a task at the same moment."""
    from django.db import connection

    begin = threading.Barrier(workers)

    def work() -> None:
        try:
            begin.wait()
            task.apply(given, throw=True)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _all(app: Any, names: list[str]) -> None:
    for name in names:
        app.tasks[name].apply(throw=True)


def _set_clock(by: timedelta) -> None:
    """Set the clock that everything asks: so far from `BASE`."""
    from django.utils import timezone

    begun = time.monotonic()
    timezone.now = lambda: BASE + by + timedelta(seconds=time.monotonic() - begun)


def _numbers() -> dict[str, Any]:
    from django.apps import apps

    from accounts.models import Mail
    from config.models import OWN_MODELS

    numbers: dict[str, Any] = {
        model._meta.db_table: model._default_manager.count()
        for model in apps.get_models(include_auto_created=True)
        if model not in OWN_MODELS and not model._meta.db_table.startswith("ratings_live")
    }
    numbers["mails"] = sorted(map(list, Mail.objects.values_list("to", "subject")))
    return numbers


if __name__ == "__main__":
    main()
