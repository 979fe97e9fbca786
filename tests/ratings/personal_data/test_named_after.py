"""What is called after a person who had no part in it: the files that the site makes of it are made anew."""

import io
import zipfile

import pytest

from events.models import Event, Section, Submission, Team
from players.models import Player
from players.operations import NewPlayer, register_players, save_player
from ratings.downloads.operations import make_downloads
from ratings.models import Download, PublishedRun
from ratings.personal_data.erasure.operations import erase_player
from ratings.verification.beside import register_findings
from tests.builders import CLOCK, event_of, lines, people, publish, round_robin, submitted, trf

pytestmark = pytest.mark.django_db

NAME = "Quentin Xylander"


def tournaments() -> str:
    """The tournament files of the month, names and contents."""
    with zipfile.ZipFile(io.BytesIO(Download.objects.get(name="tournaments.zip").content)) as archive:
        return "\n".join(f"{name}\n{archive.read(name).decode()}" for name in archive.namelist())


@pytest.mark.parametrize("what", ["event", "section", "team"])
def test_the_files_of_a_month_whose_event_was_called_after_him_are_made_anew(what):
    his = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)[0]
    section = event_of([(*people(2), "1-0")]).sections.get()
    if what == "event":
        Event.objects.update(name=f"{NAME} Memorial")
    elif what == "section":
        Section.objects.update(name=f"{NAME} Memorial")
    else:
        Team.objects.create(section=section, number=1, name=f"Friends of {NAME}")
    run = publish()
    make_downloads(run.pk, at=CLOCK)
    assert what == "team" or NAME in tournaments()
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="his mother asks").pseudonym
    assert not Download.objects.exists()
    make_downloads(PublishedRun.objects.get().run_id, at=CLOCK)
    assert NAME not in tournaments()
    assert what == "team" or pseudonym in tournaments()


def test_the_files_of_a_month_that_has_nothing_of_him_stay():
    his = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)[0]
    event_of([(*people(2), "1-0")])
    run = publish()
    make_downloads(run.pk, at=CLOCK)
    kept = Download.objects.count()
    erase_player(his, at=CLOCK, by=None, reason="his mother asks")
    assert Download.objects.count() == kept


def test_the_own_record_in_the_place_of_a_file_has_the_name_of_its_event_as_it_is_now():
    his = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)[0]
    event = submitted(trf(lines(6), round_robin(6, "1=0"), name=f"{NAME} Memorial"), code="GAU")
    Event.objects.filter(pk=event.pk).update(name=f"{NAME} Memorial", state="refused")
    first = event.sections.get().entries.order_by("number").first().player
    erase_player(first, at=CLOCK, by=None, reason="she asks")
    file = Submission.objects.get().file
    assert file.replaced_at
    assert NAME in bytes(file.content).decode()
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="his mother asks").pseudonym
    file.refresh_from_db()
    assert f"012 {pseudonym} Memorial" in bytes(file.content).decode()
    assert "Xylander" not in bytes(file.content).decode()


def test_the_club_of_others_that_was_called_after_him_has_another_name_on_the_register_and_in_files():
    his, member = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Ywander", "Peregrine")], at=CLOCK)
    member.club = f"{NAME} Academy"
    save_player(member)
    event_of([(member, people(1)[0], "1-0")])
    run = publish()
    make_downloads(run.pk, at=CLOCK)
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="his mother asks").pseudonym
    member.refresh_from_db()
    assert member.club == f"{pseudonym} Academy"
    assert member.name == "Peregrine Ywander"
    assert not Player.history.filter(club__contains=NAME).exists()
    assert not Download.objects.exists()
    assert list(register_findings()) == []
