"""What was typed about new players in the tables of an event's files, of which one was returned and sent in anew."""

from datetime import date

import pytest
from django.utils import timezone

from accounts.models import User
from events.models import Event, Submission, SubmissionFinding, SubmittedFile, Upload
from players.models import Player, RegionalAdministrator
from players.operations import NewPlayer, register_players
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import Line, everything, region, round_robin, trf
from tests.events.submission.world import FIRST, LAST, codes, current, do, played, table, taken
from tests.ratings.personal_data.test_erasure import held

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


def sent_anew(desk, event: Event, surnames: str) -> None:
    """The file of the players, all known by now, in another order; then the event is refused."""
    people = [Player.objects.get(last_name=surname) for surname in surnames.split()]
    file = file_of(
        [
            Line(row.name, sex="w" if row.sex == "F" else "m", born=f"{row.birth_date:%Y/%m/%d}", national=row.number)
            for row in people
        ]
    )
    taken(event, file, section=event.sections.get())
    submitted(desk, event)
    refused()


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


def test_what_was_typed_goes_from_a_file_in_which_he_had_another_start_number(desk, sent):
    sent_anew(desk, sent, "Bhengu Cele Qadebe Duma Fuze Gumede")
    erase("Qadebe")
    assert typed_of_first_file() == WITHOUT
    assert held(everything(), "Zodwana") == {}
    # Of the first file, which is not in force: the second one lacks nothing.
    assert not SubmissionFinding.objects.filter(code="corrected-birth").exists()


def test_it_goes_from_the_first_file_though_that_was_replaced_for_another(desk, sent):
    sent_anew(desk, sent, "Bhengu Cele Qadebe Duma Fuze Gumede")
    erase("Cele")
    assert SubmittedFile.objects.filter(replaced_at=None).count() == 0
    erase("Qadebe")
    assert typed_of_first_file() == {name: typed for name, typed in WITHOUT.items() if name != "Cele"}
    assert held(everything(), "Zodwana") == {}


def test_it_goes_though_he_is_in_the_last_file_no_more(desk, sent):
    register_players([NewPlayer("Zungu", "Ann", birth_date=date(2001, 1, 1), sex="F")], at=timezone.now())
    sent_anew(desk, sent, "Bhengu Cele Zungu Duma Fuze Gumede")
    assert Submission.objects.count() == 2
    erase("Qadebe")
    assert typed_of_first_file() == WITHOUT
    assert held(everything(), "Zodwana") == {}


def test_what_was_typed_of_a_child_born_on_his_day_stays_and_the_file_can_be_checked_again(desk, sent):
    refused()
    erase("Qadebe")
    assert typed_of_first_file() == WITHOUT
    Event.objects.update(state="returned")
    do(desk, sent, f"submitted/{Submission.objects.get().pk}/again")
    assert current(sent).error == ""
    assert "player-erased" in codes(current(sent))
