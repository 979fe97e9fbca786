"""The id of a Chief Organiser or an arbiter may be another person's: it is asked about in the registration and held later."""

import pytest

from events.models import Appointment, Arbiter, Event
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import CLOCK, player
from tests.events.registration.entries import NEW, entry
from tests.events.submission.world import clean, codes, known, played, taken

pytestmark = pytest.mark.django_db
NUMBER = "180012345"


def messages(upload, code: str) -> list[str]:
    """The messages of the holds with this code."""
    findings = [finding for group in upload.report["groups"] for finding in group["findings"]]
    return [found["message"] for found in findings if (found["code"], found["severity"]) == (code, "hold")]


@pytest.mark.rule("chessa 13.5")
@pytest.mark.parametrize(
    ("first", "last", "taken_for"),
    [
        ("Thandi", "Nkosi", True),
        ("T.", "Nkosi", True),
        ("Thandie Grace", "Nkosi", True),
        ("Sipho", "Nkosi", False),
        ("Thandi", "Steyn", False),
        ("Willem", "Steyn", False),
    ],
)
def test_the_chief_organisers_id_is_that_of_the_name(desk, first, last, taken_for):
    player(last, first, national_id=NUMBER)
    answered = desk.post(NEW, entry(do="save", organiser_number=NUMBER))
    assert answered.status_code == (302 if taken_for else 422)
    assert ("correct the id or the name" in answered.content.decode()) is not taken_for
    known()
    upload = taken(played(organiser_number=NUMBER))
    held = messages(upload, "organiser-id-of-another")
    assert bool(held) is not taken_for
    assert all(f"is that of {first} {last} ({NUMBER})" in message for message in held)


@pytest.mark.rule("chessa 15.2")
@pytest.mark.parametrize("kind", ["Chess SA", "FIDE"])
@pytest.mark.parametrize(("name", "other"), [("Mokoena", True), ("Tenza", False)])
def test_the_id_beside_an_arbiter_of_the_file_is_a_players_of_the_name(desk, kind, name, other):
    known()
    ids = {"national_id": NUMBER} if kind == "Chess SA" else {"fide_id": int(NUMBER)}
    player(name, "Grace", **ids)
    upload = taken(played(), clean(arbiter=f"IA Grace Tenza ({NUMBER})"))
    held = messages(upload, "arbiter-id-of-another")
    assert bool(held) is other
    assert all("Grace Tenza" in message and "Grace Mokoena" in message for message in held)


@pytest.mark.rule("chessa 15.2")
@pytest.mark.parametrize(("name", "other"), [("Willem Steyn", True), ("G Tenza", False)])
def test_the_id_beside_an_arbiter_of_the_file_is_an_arbiters_of_the_name(desk, name, other):
    known()
    Arbiter.objects.create(name=name, title="NA", number=NUMBER)
    upload = taken(played(), clean(arbiter=f"IA Grace Tenza ({NUMBER})"))
    assert ("arbiter-id-of-another" in codes(upload)) is other


@pytest.mark.rule("chessa 15.2")
@pytest.mark.parametrize(("name", "other"), [("Mokoena", True), ("Tenza", False)])
@pytest.mark.parametrize("linked", [False, True])
def test_the_id_of_an_appointed_arbiter_is_a_players_of_the_name(desk, arbiter, name, other, linked):
    """Unless the register of arbiters says that he is that player."""
    known()
    same = player(name, "Grace", national_id=NUMBER)
    Arbiter.objects.filter(pk=arbiter.pk).update(number=NUMBER, player=same if linked else None)
    event = played()
    Appointment.objects.create(event=event, arbiter=arbiter, position=1)
    held = messages(taken(event), "arbiter-id-of-player")
    assert bool(held) is (other and not linked)
    assert all("Grace Tenza: Grace Mokoena" in message for message in held)
    Event.objects.all().delete()
    shown = desk.post(NEW, entry(**{"do": "look", "arbiter-0-arbiter": arbiter.pk})).content.decode()
    assert ("ask the AOC which is right" in shown) is (other and not linked)


@pytest.mark.parametrize("officiated", [False, True])
def test_whose_data_was_erased_is_named_by_the_id_alone(desk, officiated):
    """The pseudonym beside the name in the file, or in the form, would tell who he is on the lists."""
    erased = player("Steyn", "Willem", national_id=NUMBER)
    if officiated:
        Arbiter.objects.create(name="Willem Steyn", title="NA", number=NUMBER, player=erased)
    pseudonym = erase_player(erased, at=CLOCK, by=None, reason="asked for").pseudonym
    said = desk.post(NEW, entry(do="save", organiser_number=NUMBER)).content.decode()
    assert "correct the id or the name" in said
    known()
    upload = taken(played(organiser_number=NUMBER), clean(arbiter=f"IA Willem Steyn ({NUMBER})"))
    held = [*messages(upload, "organiser-id-of-another"), *messages(upload, "arbiter-id-of-another")]
    assert len(held) == 2
    assert f"is {pseudonym}" not in said
    assert not any(pseudonym in text for text in held)
    assert all(NUMBER in text for text in held)
