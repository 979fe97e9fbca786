"""What two say of one thing at one moment: the second is told, or finds what the first has said."""

import pytest

from tests import prepared
from tests.faults.bureau import Bureau

TYPED_TOGETHER = """
import json
import threading
import time
from datetime import date
from django.db import connection, transaction
from django.test import Client
from accounts.models import User
from events.models import Upload
from events.submission.uploads import locked_not_submitted
from players.models import RegionalAdministrator
from tests.builders import region
from tests.events.submission.test_newcomers import given, new_players
from tests.events.submission.world import table
by = User.objects.create_user("gau@example.org", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=region(), since=date(2023, 1, 1))
first, second = Client(SERVER_NAME="127.0.0.1"), Client(SERVER_NAME="127.0.0.1")
for browser in (first, second):
    browser.force_login(by)
upload = new_players(first)
answers = []

def type_too():
    answers.append(table(second, upload, "keep", birth_1="2011-05-06", shown=json.dumps({"birth-1": ""})))
    connection.close()

typing = threading.Thread(target=type_too)
with transaction.atomic():
    locked_not_submitted(upload)
    typing.start()
    time.sleep(2)
    table(first, upload, "keep", birth_1="2010-03-04", shown=json.dumps({"birth-1": ""}))
typing.join()
print(answers[0].status_code, "Somebody has entered 2010-03-04 meanwhile" in answers[0].content.decode(), given(upload))
"""


ANSWERED_TOGETHER = """
import threading
import time
from django.db import connection, transaction
from events.models import Penalty
from events.operations import accept_event
from events.penalties.operations import decide_penalties
from tests.builders import CLOCK, submitted
event = submitted()
section = event.sections.get()
player = section.entries.first().player
penalty = Penalty.objects.create(section=section, player=player, round=2, kind="forfeit", points=20)

def accept():
    accept_event(event, at=CLOCK, reason="Looked at.", penalty_reason="Asked twice.")
    connection.close()

accepting = threading.Thread(target=accept)
with transaction.atomic():
    decide_penalties([penalty], Penalty.Status.DROPPED, at=CLOCK, reason="He rang.")
    accepting.start()
    time.sleep(2)
accepting.join()
penalty.refresh_from_db()
event.refresh_from_db()
print(event.state, penalty.status, penalty.reason)
"""


REFUSED_TOGETHER = """
import threading
import time
from datetime import date
from django.db import connection
from django.test import Client
from accounts.models import User
from events.models import Event, UnsavedRegistration
from players.models import RegionalAdministrator
from tests.builders import region
from tests.events.registration.entries import draft, send
by = User.objects.create_user("gau@example.org", is_staff=True)
RegionalAdministrator.objects.create(user=by, region=region(), since=date(2023, 1, 1))
first, second = Client(SERVER_NAME="127.0.0.1"), Client(SERVER_NAME="127.0.0.1")
for browser in (first, second):
    browser.force_login(by)
event = draft(first)
Event.objects.update(state="registered")
key = event.sections.get().pk
answers = {}

def refused(browser, number):
    typed = {"do": "save", "organiser_number": number, "version": event.version, "section__0__section": key, "typed": ""}
    answers[number] = send(browser, f"/events/{event.pk}/edit/", **typed)
    connection.close()

saving = threading.Thread(target=refused, args=(second, "222"))

def waits(execute, sql, *rest):
    done = execute(sql, *rest)
    if sql.startswith('INSERT INTO "events_unsavedregistration"') and not saving.is_alive():
        saving.start()
        time.sleep(2)
    return done

with connection.execute_wrapper(waits):
    refused(first, "111")
saving.join()
for number, answer in sorted(answers.items()):
    print(number, answer.status_code, "what you typed now is not" in answer.content.decode())
print(UnsavedRegistration.objects.get().fields["organiser_number"])
"""


@pytest.mark.servers
def test_of_two_whose_registrations_are_refused_together_the_second_is_told_that_his_is_not_kept(tmp_path):
    bureau = Bureau("servers", tmp_path / "bureau")
    (bureau.folder / "static").symlink_to(prepared.static())
    try:
        assert bureau.python(REFUSED_TOGETHER).splitlines() == ["111 422 False", "222 422 True", "['111']"]
    finally:
        bureau.close()


@pytest.mark.servers
def test_an_answer_given_while_its_event_is_accepted_stands(tmp_path):
    bureau = Bureau("servers", tmp_path / "bureau")
    try:
        assert bureau.python(ANSWERED_TOGETHER).strip() == "accepted dropped He rang."
    finally:
        bureau.close()


@pytest.mark.servers
def test_of_two_who_type_into_one_cell_the_second_is_told(tmp_path):
    bureau = Bureau("servers", tmp_path / "bureau")
    (bureau.folder / "static").symlink_to(prepared.static())
    try:
        assert bureau.python(TYPED_TOGETHER).strip() == "422 True {'birth-1': '2010-03-04'}"
    finally:
        bureau.close()
