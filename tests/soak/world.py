"""What the bureau begins with: 34 months of accepted events, the first one published, events to send in, people logged in."""

from pathlib import Path

from tests import prepared
from tests.faults.bureau import Bureau

KEY = "a bureau that is used for a while has this secret key: 0123456789 abcdef"
MONTHS = 34  # from January 2024 on; the first is published
EVENTS = 60
_FILLING = """
from datetime import date, timedelta
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from accounts.models import User
from players.models import Region, RegionalAdministrator
from tests.builders import months, officer
from players.operations import NewPlayer, register_players
from tests.events.submission.world import played
from tests.federation import load

def session(user, key):
    data = {{SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: "accounts.backends.RoleBackend",
            HASH_SESSION_KEY: user.get_session_auth_hash(), "seen": int(timezone.now().timestamp())}}
    Session.objects.create(session_key=key, session_data=SessionStore().encode(data),
                           expire_date=timezone.now() + timedelta(days=7))

with transaction.atomic():
    for place, month in enumerate(months(date(2024, 1, 1), {months})):
        load(players=1500, games=300, sections=6, seed=place, month=month)
for command in ("calculate", "publish"):
    call_command(command, "2024-01")
with transaction.atomic():
    session(officer("officer@example.org"), "officer" + "0" * 25)
    register_players([NewPlayer(f"Mopane{{n}}", "Anele", birth_date=date(1950 + n % 50, 5, 17), sex="M")
                      for n in range(6 * {events})], at=timezone.now())
    for number in range({events}):
        played(name=f"Mopane Open {{number}}")
    by = User.objects.create_user("administrator@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=Region.objects.get(code="GAU"), since=date(2024, 1, 1))
    for number in range(3):
        session(by, f"uploader{{number}}" + "0" * 23)
"""
_ENTRY = """
import json
from tests.events.registration.entries import entry
from events.models import Event
from tests.builders import Line, round_robin, trf
from tests.events.submission.world import FIRST, LAST
played = Event.objects.filter(state="registered").order_by("pk").values_list("pk", flat=True)
files = {}
for place, event in enumerate(played):
    six = [Line(f"Mopane{n}, Anele", born=f"{1950 + n % 50}/05/17") for n in range(6 * place, 6 * place + 6)]
    files[event] = trf(six, round_robin(6), starts=FIRST, ends=LAST).decode()
print(json.dumps([entry(30), list(files.items())]))
"""
OFFICER = "officer" + "0" * 25


def uploader(number: int) -> str:
    """The session of one of the three who send files in."""
    return f"uploader{number}" + "0" * 23


def template(kind: str, *, months: int = MONTHS, events: int = EVENTS) -> tuple[str, Path]:
    """The database, as the template of a `Bureau`, and a file with what uploaders send.

    That is a registration, and the events that were played, each with a tournament file.
    """

    def make(folder: Path) -> None:
        bureau = Bureau(kind, folder)
        bureau.env["SECRET_KEY"] = KEY
        bureau.python(_FILLING.format(months=months, events=events))
        (folder / "sent.json").write_text(bureau.python(_ENTRY))
        if kind == "servers":
            (folder / prepared.DATABASE).write_text(bureau.name)

    folder = prepared.once(f"{kind}-soak-{months}", make)
    name = (folder / prepared.DATABASE).read_text() if kind == "servers" else str(folder / "bureau.sqlite3")
    return name, folder / "sent.json"
