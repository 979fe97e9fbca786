"""What was typed about new players in the tables of an event's files."""

from datetime import date

import pytest
from django.utils import timezone

from accounts.models import User
from events.models import Event, Submission, Upload
from players.models import Player, RegionalAdministrator
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import Line, region, round_robin, trf
from tests.events.submission.world import FIRST, LAST, codes, current, do, played, table, taken

pytestmark = pytest.mark.django_db
NAMES = ("Qadebe", "Bhengu, Thabo", "Cele, Lindiwe", "Duma, Sipho", "Fuze, Ayanda", "Gumede, Bongi")
TYPED = "2010-03-04\tF\n2010-03-04\tM\n2011-01-01\tF\n2011-01-02\tF\n2011-01-03\tF\n2011-01-05\tF"


def file_of(people: list[Line]) -> bytes:
    return trf(people, round_robin(6), starts=FIRST, ends=LAST)


@pytest.fixture
def desk(client):
    """The client of a Regional Administrator."""
    by = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=region(), since=date(2023, 1, 1))
    client.force_login(by)
    return client


@pytest.fixture
def sent(desk) -> Event:
    """An event whose file has new players, of whom one has a surname alone in it; what it lacks is typed. It is returned."""
    upload = taken(played(), file_of([Line(name, sex="") for name in NAMES]))
    table(desk, upload, "others")
    table(desk, upload, "paste", pasted=TYPED, cell="birth-1")
    table(desk, upload, "keep", given_1="Zodwana")
    return submitted(desk, upload.event)


def submitted(desk, event: Event) -> Event:
    do(desk, event, "submit", declared="on", late_reason="It was not registered.")
    event.refresh_from_db()
    assert event.state == "submitted"
    Event.objects.filter(pk=event.pk).update(state="returned")
    return Event.objects.get(pk=event.pk)


def refused() -> None:
    Event.objects.update(state="refused")


def erase(surname: str) -> Player:
    his = Player.objects.get(last_name=surname)
    erase_player(his, at=timezone.now(), by=None, reason="asked for")
    return his


def typed_of_first_file() -> dict[str, set[str]]:
    """Surname → values that were typed."""
    upload = Upload.objects.order_by("pk").first()
    found: dict[str, set[str]] = {}
    for row in upload.corrections.filter(kind__in=("birth", "sex", "given")):
        found.setdefault(row.answer.partition(":")[0].partition(",")[0], set()).add(row.value)
    return found


WITHOUT = {
    "Bhengu": {"2010-03-04", "M"},
    "Cele": {"2011-01-01", "F"},
    "Duma": {"2011-01-02", "F"},
    "Fuze": {"2011-01-03", "F"},
    "Gumede": {"2011-01-05", "F"},
}


def test_what_was_typed_of_a_child_born_on_his_day_stays_and_the_file_can_be_checked_again(desk, sent):
    refused()
    erase("Qadebe")
    assert typed_of_first_file() == WITHOUT
    Event.objects.update(state="returned")
    do(desk, sent, f"submitted/{Submission.objects.get().pk}/again")
    assert current(sent).error == ""
    assert "player-erased" in codes(current(sent))
