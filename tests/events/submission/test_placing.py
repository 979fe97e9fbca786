"""No file is passed over: what is for no section yet blocks sending in, and says which section it fits, and why."""

import pytest

from events.models import Upload
from events.submission.uploads import not_submitted
from tests.builders import Line, round_robin, trf
from tests.events.submission.world import FIRST, LAST, clean, correction, do, known, played, sent_file, table, taken

pytestmark = pytest.mark.django_db


def children(born: int, sex: str = "m") -> bytes:
    """A file of six children who name no section."""
    names = ("Anele", "Bets", "Chris", "Dumisani", "Elsabe", "Fikile")
    people = [Line(f"Cele, {name}", sex=sex, born=f"{born}/05/17") for name in names]
    return trf(people, round_robin(6), starts=FIRST, ends=LAST, name="Schools event")


def page(desk, event) -> str:
    return desk.get(f"/events/{event.pk}/results/").content.decode()


def test_a_file_for_no_section_keeps_the_event_from_being_sent_in(desk, arbiter):
    known()
    event = played("A", "B")
    for section in event.sections.all():
        taken(event, clean(name=f"Mopane {section.name}"), section=section)
    stray = taken(event, clean(name="Mopane", results="0="), name="more.trf")
    assert stray.section is None
    assert "more.trf is for no section yet: say which, or take it away." in page(desk, event)
    answer = do(desk, event, "submit", declared="on", reason="It was so.", shown="")
    assert answer.status_code == 422
    assert "more.trf is for no section yet" in answer.content.decode()
    do(desk, event, f"{stray.pk}/discard")
    assert "for no section yet" not in page(desk, event)


def test_a_file_that_fits_a_section_with_a_file_waits_beside_it(desk):
    event = played("A", "B")
    first = taken(event, clean(name="Mopane A"), name="a.trf")
    again = taken(event, clean(name="Mopane", results="0="), name="corrected.trf")
    assert (first.section.name, again.section) == ("A", None)
    shown = page(desk, event)
    assert "It fits Section A, which has a.trf already" in shown
    assert "6 of its 6 players are in the section’s file before." in shown
    assert "corrected.trf is for no section yet" in shown
    do(desk, event, f"{again.pk}/assign", section=first.section_id)
    assert [upload.name for upload in not_submitted(event.uploads.all())] == ["corrected.trf"]


def test_new_players_of_a_section_are_recognised_in_a_corrected_file(desk):
    event = played("A", "B")
    first = taken(event, clean(name="Mopane A"), name="a.trf")
    table(desk, first, "others")
    again = taken(event, clean(name="Mopane", results="0="), name="corrected.trf")
    assert again.error == ""
    assert "6 of its 6 players are in the section’s file before." in page(desk, event)


def test_why_a_section_was_guessed_stands_beside_the_file_until_it_is_moved(desk):
    event = played("U14", "U16", "Open")
    upload = taken(event, children(FIRST.year - 14), name="results.trf")
    assert upload.section.name == "U14"
    said = "6 of 6 players are of the age that the section’s name says."
    assert said in page(desk, event)
    do(desk, event, f"{upload.pk}/check")
    assert said in page(desk, event)
    do(desk, event, f"{upload.pk}/assign", section=event.sections.get(name="U16").pk)
    assert said not in page(desk, event)


def test_what_was_answered_of_a_file_is_kept_while_another_one_waits(desk):
    event = played("A", "B")
    first = taken(event, clean(name="Mopane A", control="60+30"))
    correction(desk, first, "control", which="file", reason="The clocks showed it.")
    taken(event, clean(name="Mopane A", results="0="), name="again.trf")
    assert Upload.objects.get(pk=first.pk).corrections.count() == 1


def test_of_several_files_for_the_one_section_none_takes_the_others_place(desk):
    event = played()
    answer = desk.post(
        f"/events/{event.pk}/results/upload/",
        {"file": [sent_file(name="a.trf"), sent_file(clean(results="0="), "b.trf")]},
    )
    assert answer.status_code == 422
    assert "The event has one section, and a section one file: choose one." in answer.content.decode()
    assert not event.uploads.exists()
