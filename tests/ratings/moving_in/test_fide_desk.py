"""FIDE's list on the desk: uploaded, compared, looked at, taken, its questions answered."""

from dataclasses import replace
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts.models import Decision
from events.files.fide_list.listed import FideListError
from players.models import FideList, FideQuestion, FideRating, Player
from ratings.models import FideChange, ImportJob, ImportPiece
from ratings.moving_in.fide_desk import DESK, FideForm
from ratings.moving_in.fide_operations import answer_question
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.steps import STEPS
from ratings.personal_data.clearing import clear_personal_data
from tests.builders import officer, player
from tests.events.files.fide_lists import MOKOENA, SINGLE, text, zipped

pytestmark = pytest.mark.django_db
BRING = "/admin/ratings/importjob/bring/fide/"
CELE = {"fide_id": 14300002, "name": "Cele, Bets", "born": 2001, "standard": (1600, 3, 40)}


@pytest.fixture
def desk(client):
    """The desk of an officer."""
    client.force_login(officer())
    return client


@pytest.fixture
def naledi():
    return player("Mokoena", "Naledi", fide_id=14300001, birth_date=date(1990, 5, 17), sex="F")


def work() -> ImportJob:
    """What a worker does with the latest job."""
    job = ImportJob.objects.latest("pk")
    return process_job(job.pk, STEPS[job.kind])


def send(desk, content, month="2024-03", filename="players_list_foa.zip", **fields) -> str:
    """Bring a list in and have it compared; the address of its page."""
    answer = desk.post(BRING, {"file": SimpleUploadedFile(filename, content), "month": month, **fields})
    assert answer.status_code == 302, answer.content.decode()
    work()
    return answer.headers["Location"]


def page(desk, address, query="") -> str:
    return " ".join(desk.get(f"{address}{query}").content.decode().split())


def press(desk, address, do, **fields) -> ImportJob:
    """Press a button, and let a worker do what it asked for."""
    assert desk.post(address, {"do": do, **fields}).status_code == 302
    return work()


def test_names_of_which_unseen_characters_are_left_out_are_shown(desk, naledi):
    address = send(desk, zipped(text(MOKOENA, CELE | {"name": "Ce~le, Bets"}).replace(b"~", b"\xad")))
    shown = page(desk, address)
    assert "Names without characters that cannot be seen, which are left out: 1" in shown
    assert "line 3: Cele, Bets" in shown


def test_a_list_is_shown_taken_and_its_question_answered(desk, naledi):
    bets = player("Cele", "Bets", birth_date=date(2001, 1, 1))
    address = send(desk, zipped(text(MOKOENA, CELE)))
    shown = page(desk, address)
    assert "FIDE list of March 2024, standard, rapid, blitz: 2 players. Nothing is kept yet." in shown
    assert "<strong>1</strong> new" in shown
    assert "<strong>1</strong> in question" in shown
    assert 'Standard: <span class="before">–</span> → <strong>1850 (K 20)</strong>' in shown
    assert not FideList.objects.exists()
    assert "Naledi" not in page(desk, address, "?kind=question")
    job = press(desk, address, "take")
    assert (job.state, job.error) == ("taken", "")
    assert not ImportPiece.objects.exists()
    assert FideList.objects.get().by == job.asked_by
    assert 'href="?kind=question">1 question to answer</a>' in page(desk, address)
    asked = page(desk, address, "?kind=question")
    assert "14300002, Cele, Bets, RSA, born 2001" in asked
    press(desk, address, "same", question=FideQuestion.objects.get().pk, back="kind=question")
    assert Player.objects.get(pk=bets.pk).fide_id == 14300002
    assert FideRating.objects.get(player=bets).rating == 1600
    assert Decision.objects.filter(action="FIDE id answered").count() == 1
    assert "Every question is answered." in page(desk, address, "?kind=question")
    again = desk.post(address, {"do": "other", "question": FideQuestion.objects.get().pk}, follow=True)
    assert "It is answered already that 14300002 is the same person." in again.content.decode()


def test_what_the_list_says_of_who_is_asked_about_is_kept_until_the_answer(desk, naledi):
    player("Cele", "Bets", birth_date=date(2001, 1, 1))
    address = send(desk, zipped(text(MOKOENA, CELE)))
    press(desk, address, "take")
    clear_personal_data(at=timezone.now())
    assert "Cele, Bets" in FideQuestion.objects.get().listed
    press(desk, address, "other", question=FideQuestion.objects.get().pk)
    clear_personal_data(at=timezone.now())
    assert FideQuestion.objects.get().listed == []


def test_another_person_gets_nothing(desk):
    bets = player("Cele", "Bets", birth_date=date(2001, 1, 1))
    address = send(desk, text(CELE), filename="list.txt")
    press(desk, address, "take")
    press(desk, address, "other", question=FideQuestion.objects.get().pk)
    assert FideQuestion.objects.get().answer == "other"
    assert Player.objects.get(pk=bets.pk).fide_id is None


def test_an_older_list_and_one_with_fewer_players_wait_for_the_officers_word(desk, naledi):
    others = [CELE | {"fide_id": 14300002 + number} for number in range(3)]
    press(desk, send(desk, text(MOKOENA, *others), month="2024-04"), "take")
    address = send(desk, text(MOKOENA), month="2024-03")
    older = page(desk, address)
    assert "The FIDE list of April 2024 is held, and this is that of March 2024" in older
    assert 'value="older" class="default">Take it though it is older<' in older
    assert 'value="take"' not in older
    assert press(desk, address, "take").state == "ready"
    press(desk, address, "older")
    fewer = page(desk, address)
    assert "The list has 1 player, the FIDE list of April 2024 4" in fewer
    assert 'value="fewer" class="default">Take it though it has fewer players<' in fewer
    press(desk, address, "fewer")
    assert "FIDE list of March 2024" in page(desk, address)
    assert press(desk, address, "take").state == "taken"
    assert FideList.objects.get(dropped_at=None).month == date(2024, 3, 1)


def test_what_only_a_list_that_is_taken_back_asked_is_no_longer_asked(desk, naledi):
    bets = player("Cele", "Bets", birth_date=date(2001, 1, 1))
    newer = send(desk, zipped(text(MOKOENA, CELE)), month="2024-04")
    press(desk, newer, "take")
    asked = FideQuestion.objects.get()
    older = send(
        desk,
        text(MOKOENA, heading=SINGLE.replace("OCT26", "MAR24"), kind="rapid"),
        month="2024-03",
        filename="list.txt",
        kind="rapid",
    )
    press(desk, older, "older")
    job = press(desk, older, "take")
    assert (job.state, job.error) == ("taken", "")
    assert FideList.objects.get(dropped_at=None).kinds == "R"
    told = desk.post(newer, {"do": "same", "question": asked.pk}, follow=True)
    assert "This is no longer asked: look at the page as it is." in told.content.decode()
    assert not FideQuestion.objects.exists()
    assert not FideRating.objects.filter(player=bets).exists()
    assert Player.objects.get(pk=bets.pk).fide_id is None


@pytest.mark.parametrize("question", ["kept", "gone"])
def test_a_question_is_not_answered_whose_list_is_taken_back_meanwhile(naledi, question):
    bets = player("Cele", "Bets", birth_date=date(2001, 1, 1))
    at = timezone.now()
    taken = FideList.objects.create(month=date(2024, 3, 1), kinds="S", at=at)
    asked = FideQuestion.objects.create(player=bets, fide_id=14300002, listed=[], why="Name", list=taken)
    FideList.objects.update(dropped_at=at)
    if question == "gone":
        FideQuestion.objects.all().delete()
    with pytest.raises(FideListError, match="no longer asked"):
        answer_question(asked, "other", at=at, by=None)


def test_a_list_that_is_cut_off_is_refused_in_words(desk, naledi):
    address = send(desk, zipped(text(MOKOENA))[:-40])
    assert "The zip is cut off or damaged" in page(desk, address)
    assert not FideList.objects.exists()
    assert not FideChange.objects.exists()


def test_a_file_that_is_too_large_is_refused_with_the_limit_and_what_to_do(desk):
    form = FideForm(
        replace(DESK, limit=1_200_000), {"month": "2024-03"}, {"file": SimpleUploadedFile("list.txt", b"x" * 1_260_000)}
    )
    assert form.errors["file"] == [
        "The file has 1.3 MB; at most 1.2 MB are taken. Send the zip as FIDE has it, or have those who run the site bring it"
        " in: manage.py import_fide FILE."
    ]


def test_month_and_kind_are_asked_for(desk, naledi):
    single = text(MOKOENA, heading=SINGLE, kind="rapid")
    assert desk.post(BRING, {"file": SimpleUploadedFile("list.txt", single), "month": "last"}).status_code == 422
    assert "This is the list of 2026-10, not of 2024-03." in page(
        desk, send(desk, single, filename="list.txt", kind="rapid")
    )


def test_what_the_officer_saw_is_taken(desk, naledi):
    address = send(desk, text(MOKOENA))
    naledi.delete()
    job = press(desk, address, "take")
    assert (job.state, FideList.objects.exists()) == ("ready", False)
    assert "compare it again, then take it" in job.error
    press(desk, address, "compare")
    assert "the list changes nothing on the register" in page(desk, address)


def test_changes_come_page_by_page(desk, naledi):
    address = send(desk, text(MOKOENA))
    job = ImportJob.objects.get()
    FideChange.objects.bulk_create(
        FideChange(job=job, position=position, kind="new", player=naledi, name=f"Player {position}")
        for position in range(2, 60)
    )
    assert "Player 51<" not in page(desk, address)
    assert "Player 51<" in page(desk, address, "?kind=new&after=50")
    assert "?kind=new&amp;before=51" in page(desk, address, "?kind=new&after=50").replace(
        "kind=new&amp;", "kind=new&amp;"
    )


def test_reading_is_cancelled_and_begun_again(desk, naledi):
    answer = desk.post(BRING, {"file": SimpleUploadedFile("list.txt", text(MOKOENA)), "month": "2024-03"})
    address = answer.headers["Location"]
    assert '<button name="do" value="cancel" class="plain">Cancel</button>' in page(desk, address)
    desk.post(address, {"do": "cancel"})
    job = ImportJob.objects.get()
    assert (job.state, job.error) == ("failed", f"Cancelled by {job.by} while it was being read.")
    assert work().state == "failed"
    assert press(desk, address, "again").state == "ready"
