"""What is stored while a player is erased does not name him for good."""

import pytest

from tests.faults.bureau import Bureau

STORED_MEANWHILE = """
import threading
import time
from django.db import connection, transaction
from django.utils import timezone
from ratings.downloads.operations import make_downloads
from ratings.models import Download, RatingRun
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import event_of, people, publish
players = people(2)
event_of([(*players, "1-0")])
publish()
Download.objects.all().delete()
run, stored, held = RatingRun.objects.get().pk, [], threading.Event()

def store():
    with transaction.atomic():
        made = make_downloads(run, at=timezone.now())
        held.set()
        time.sleep(2)
    stored.append(made)
    connection.close()

storing = threading.Thread(target=store)
storing.start()
held.wait()
erase_player(players[0], at=timezone.now(), by=None, reason="asked for")
storing.join()
assert stored and stored[0]  # the maker of files was not ended by a deadlock
print(Download.objects.count())
"""


CORRECTED_MEANWHILE = """
import threading
import time
from django.db import connection, transaction
from django.utils import timezone
from events.amending.edits import with_result
from events.rules.game_result import Result
from ratings.models import Amendment
from ratings.personal_data.erasure.operations import erase_player
from ratings.rerating.amendments import amend
from tests.builders import event_of, everything, people, publish
players = people(2)
section = event_of([(*players, "1-0")]).sections.get()
publish()
game = section.games.get().pk
erasing = threading.Event()

def correct():
    erasing.wait()
    amend(section, lambda content: with_result(content, game, Result.DRAW), reason="seen", at=timezone.now())
    connection.close()

correcting = threading.Thread(target=correct)
correcting.start()
former = players[0].name
with transaction.atomic():
    erase_player(players[0], at=timezone.now(), by=None, reason="asked for")
    erasing.set()
    time.sleep(2)
correcting.join()
assert Amendment.objects.exists()
print(former in str(everything()))
"""


CALLED_AFTER_HIM = """
import threading
import time
from datetime import timedelta
from django.db import connection, transaction
from django.utils import timezone
from events.amending.edits import with_result
from events.models import Event, Submission, Team
from events.rules.game_result import Result
from players.operations import NewPlayer, register_players
from ratings.models import Amendment
from ratings.personal_data.clearing import clear_personal_data
from ratings.personal_data.erasure.operations import erase_player
from ratings.rerating.amendments import amend
from tests.builders import CLOCK, event_of, lines, people, publish, round_robin, submitted, trf
his = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)[0]
corrected = event_of([(*people(2), "1-0")]).sections.get()
Team.objects.create(section=corrected, number=1, name="Friends of Quentin Xylander")
publish()
game = corrected.games.get().pk
old = submitted(trf(lines(6), round_robin(6, "1=0"), name="Spring Open"), code="GAU")
Event.objects.filter(pk=old.pk).update(name="Quentin Xylander Memorial", state="refused")
erasing = threading.Event()

def correct():
    erasing.wait()
    amend(corrected, lambda content: with_result(content, game, Result.DRAW), reason="seen", at=timezone.now())
    connection.close()

def clear():
    erasing.wait()
    clear_personal_data(at=CLOCK + timedelta(days=30 * 365))
    connection.close()

doing = threading.Thread(target={deed})
doing.start()
with transaction.atomic():
    erase_player(his, at=timezone.now(), by=None, reason="asked for")
    erasing.set()
    time.sleep(2)
doing.join()
file = Submission.objects.get().file
told = [bytes(file.content).decode(), *map(str, Amendment.objects.values_list("before", "after"))]
print(Amendment.objects.exists(), file.replaced_at is not None, any("Xylander" in text for text in told))
"""


ENTERED_MEANWHILE = """
import threading
import time
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.test.utils import setup_test_environment
from django.utils import timezone
from events.models import Arbiter, Event
from events.operations import EventError
from events.registration.operations import save_registration
from events.registration.queries import Registration
from ratings.personal_data.erasure.operations import erase_player
from tests.admin_pages import posted_form
from tests.builders import details, event_of, everything, officer, people
setup_test_environment()
settings.STATIC_ROOT.mkdir(parents=True)
settings.STORAGES = {
    **settings.STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
him = people(2)[0]
former, erasing, refused = him.name, threading.Event(), []
shown = event_of([(*people(2), "1-0")], accept=False)
client = Client()
client.force_login(officer())
address = f"/admin/events/event/{shown.pk}/change/"
organiser = {"organiser_name": former, "organiser_number": him.number}
event_page = posted_form(client, address, reason_for_change="asked by mail", **organiser)
arbiter_page = posted_form(client, "/admin/events/arbiter/add/", name=former, number=him.number, title="NA")

def register():
    erasing.wait()
    try:
        save_registration(Registration(details(**organiser)), at=timezone.now())
    except EventError as error:
        refused.append(str(error))
    connection.close()

def change(place, page):
    erasing.wait()
    refused.append(client.post(place, page).content.decode())
    connection.close()

deeds = [
    threading.Thread(target=register),
    threading.Thread(target=change, args=(address, event_page)),
    threading.Thread(target=change, args=("/admin/events/arbiter/add/", arbiter_page)),
]
for deed in deeds:
    deed.start()
with transaction.atomic():
    erase_player(him, at=timezone.now(), by=None, reason="asked for")
    erasing.set()
    time.sleep(2)
for deed in deeds:
    deed.join()
print(sum("is not the id of" in text for text in refused), sum("whose data was erased" in text for text in refused), end=" ")
print(former in str(everything()))
"""


RECORDED_MEANWHILE = """
import threading
import time
from django.db import connection, transaction
from django.utils import timezone
from accounts.models import Decision
from accounts.trail.operations import record
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import event_of, people, publish
players = people(2)
event_of([(*players, "1-0")])
publish()
former, erasing = players[0].name, threading.Event()

def deed():
    erasing.wait()
    record("personal data exported", players[0], at=timezone.now(), by=None)
    connection.close()

doing = threading.Thread(target=deed)
doing.start()
with transaction.atomic():
    erase_player(type(players[0]).objects.get(pk=players[0].pk), at=timezone.now(), by=None, reason="asked for")
    erasing.set()
    time.sleep(2)
doing.join()
print(former in Decision.objects.get(action="personal data exported").subject_name)
"""


OWN_DEED_MEANWHILE = """
import threading
import time
from django.db import connection, transaction
from django.utils import timezone
from accounts.models import Decision, User
from accounts.trail.operations import record
from events.models import Arbiter
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import people
his, other = people(2)
user = User.objects.create_user("qx@example.org", first_name="Quentin", last_name="Xylander")
arbiter = Arbiter.objects.create(name="Quentin Xylander", player=his, number=his.number, user=user)
begun = threading.Event()

def deeds():
    # He had the page open before.
    if {erased_first}:
        begun.wait()
    with transaction.atomic():
        for subject in (other, user, arbiter):
            record("looked at", subject, at=timezone.now(), by=user)
        begun.set()
        time.sleep(1)
    connection.close()

def erase():
    with transaction.atomic():
        erase_player(type(his).objects.get(pk=his.pk), at=timezone.now(), by=None, reason="asked for")
        begun.set()
        time.sleep(1)

doing = threading.Thread(target=deeds)
doing.start()
{erased_first} or begun.wait()
erase()
doing.join()
told = [(row.actor_name, row.subject_name) for row in Decision.objects.filter(action="looked at")]
print(len(told), any(word in str(told) for word in ("Xylander", "qx@")))
"""


@pytest.mark.servers
@pytest.mark.parametrize(
    ("meanwhile", "told"),
    [
        (STORED_MEANWHILE, "0"),
        (CORRECTED_MEANWHILE, "False"),
        (CALLED_AFTER_HIM.format(deed="correct"), "True False False"),
        (CALLED_AFTER_HIM.format(deed="clear"), "False True False"),
        (ENTERED_MEANWHILE, "2 1 False"),
        (RECORDED_MEANWHILE, "False"),
        (OWN_DEED_MEANWHILE.format(erased_first=True), "3 False"),
        (OWN_DEED_MEANWHILE.format(erased_first=False), "3 False"),
    ],
    ids=[
        "files",
        "a correction",
        "a correction of what is called after him",
        "the record of it",
        "a Chief Organiser and an arbiter",
        "a deed",
        "deeds of his own",
        "deeds of his own before",
    ],
)
def test_what_is_stored_meanwhile_does_not_name_him(tmp_path, meanwhile, told):
    bureau = Bureau("servers", tmp_path / "bureau")
    try:
        assert bureau.python(meanwhile).strip() == told
    finally:
        bureau.close()


LINKED_MEANWHILE = """
import threading
import time
from django.contrib.admin.models import LogEntry
from django.db import connection, transaction
from django.test import Client
from django.test.utils import setup_test_environment
from django.conf import settings
from django.utils import timezone
from accounts.models import Mail
from events.models import Arbiter
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import everything, officer, people
setup_test_environment()
settings.STATIC_ROOT.mkdir(parents=True)
settings.STORAGES = {
    **settings.STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
him = people(1)[0]
former, erasing = him.name, threading.Event()
arbiter = Arbiter.objects.create(name=former, title="NA", number=him.number, player=him)
client = Client()
client.force_login(officer())
address = f"/admin/events/arbiter/{arbiter.pk}/account/"
shown = client.get(address).context["shown"]

def link():
    erasing.wait()
    client.post(address, {"email": "new@example.org", "link": "1", "shown": shown})
    connection.close()

linking = threading.Thread(target=link)
linking.start()
with transaction.atomic():
    erase_player(him, at=timezone.now(), by=None, reason="asked for")
    erasing.set()
    time.sleep(2)
linking.join()
print(former in str(everything()), Mail.objects.exists(), LogEntry.objects.exists())
"""


DELETED_MEANWHILE = (
    LINKED_MEANWHILE.replace("/account/", "/delete/")
    .replace(
        'shown = client.get(address).context["shown"]',
        'carried = re.findall(r\'name="(shown-[0-9]+)" value="([^"]*)"\', client.get(address).content.decode())',
    )
    .replace(
        '{"email": "new@example.org", "link": "1", "shown": shown}',
        '{"post": "yes", "reason_for_change": "asked", **dict(carried)}',
    )
)
DELETED_MEANWHILE = f"import re\n{DELETED_MEANWHILE}"


TWO_AT_ONCE = """
import threading
from django.db import connection
from django.utils import timezone
from ratings.models import Erasure
from ratings.personal_data.erasure.jobs import ask_for_erasure, process_erasure
from tests.builders import event_of, people, publish
first, second = people(2)
event_of([(first, second, "1-0")])
publish()
for player, other in ((first, second), (second, first)):
    ask_for_erasure(player, at=timezone.now(), by=None, reason=f"asked for, as for {other.name}")
at_once = threading.Barrier(2)

def erase(key):
    at_once.wait()
    process_erasure(key)
    connection.close()

erasing = [threading.Thread(target=erase, args=(key,)) for key in Erasure.objects.values_list("pk", flat=True)]
for thread in erasing:
    thread.start()
for thread in erasing:
    thread.join()
print(*Erasure.objects.values_list("state", flat=True))
"""


@pytest.mark.servers
def test_two_erasures_at_once_whose_reasons_name_the_other_are_both_done(tmp_path):
    bureau = Bureau("servers", tmp_path / "bureau")
    try:
        assert bureau.python(TWO_AT_ONCE).strip() == "done done"
    finally:
        bureau.close()


@pytest.mark.servers
@pytest.mark.parametrize("meanwhile", [LINKED_MEANWHILE, DELETED_MEANWHILE], ids=["linked", "deleted"])
def test_an_arbiter_who_is_erased_meanwhile_gets_no_account_and_is_not_deleted_by_name(tmp_path, meanwhile):
    bureau = Bureau("servers", tmp_path / "bureau")
    try:
        assert bureau.python(meanwhile).strip() == "False False False"
    finally:
        bureau.close()
