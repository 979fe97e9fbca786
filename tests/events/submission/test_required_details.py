"""What articles 13 to 15, 21 and 22 require holds or blocks a file, and is mended beside the finding."""

from dataclasses import replace
from datetime import date

import pytest
from django.utils import timezone

from accounts.models import Decision
from events.appeals.operations import refuse_section, take_back
from events.models import Event, Refusal, SubmissionFinding
from events.operations import accept_event
from events.rules.states import State
from players.models import Player
from tests.builders import Line, lines, officer, player, region, round_robin, trf
from tests.events.submission.world import FIRST, LAST, codes, correction, do, known, on_register, played, table, taken

pytestmark = pytest.mark.django_db


def texts(answered) -> str:
    return answered.content.decode()


def file_with(first: Line, **fields) -> bytes:
    """A file whose first player is this one."""
    return trf([first, *lines(6)[1:]], round_robin(6), starts=FIRST, ends=LAST, **fields)


def with_code(content: bytes, code: str) -> bytes:
    """The same file with another code of a region on its national lines."""
    return content.replace(b" GAU ", f" {code} ".encode())


@pytest.mark.rule("chessa 14.1")
def test_a_new_player_with_initials_is_held_until_his_first_name_is_given(desk):
    event = played()
    upload = taken(event, file_with(Line("Adendorff, A.", born="1980/05/17")))
    table(desk, upload, "others")
    upload.refresh_from_db()
    assert codes(upload) == ["name-incomplete"]
    assert table(desk, upload, "keep", given_1="B.").status_code == 422
    table(desk, upload, "keep", given_1="Anele")
    upload.refresh_from_db()
    assert codes(upload) == []
    do(desk, event, "submit", declared="on")
    assert Player.objects.filter(last_name="Adendorff", first_name="Anele").exists()


@pytest.mark.rule("chessa 14.5")
def test_an_unknown_region_blocks_until_it_is_said_which_is_meant(desk):
    known()
    number = Player.objects.order_by("number").first().number
    event = played()
    line = replace(lines(1)[0], national=number)
    upload = taken(event, with_code(file_with(line), "JHB"))
    assert codes(upload) == ["region-unknown"]
    page = texts(desk.get(f"/events/{event.pk}/results/"))
    assert "JHB is region" in page
    assert do(desk, event, "submit", declared="on", reason="It is GAU.").status_code == 422
    assert correction(desk, upload, "regions").status_code == 422
    correction(desk, upload, "regions", **{"code-0": "GAU"})
    upload.refresh_from_db()
    assert codes(upload) == []


@pytest.mark.rule("chessa 14.5")
@pytest.mark.parametrize(("answer", "left"), [("LCP", []), ("GAU", ["region-changed"])])
def test_another_region_than_the_registers_is_asked_about(desk, answer, left):
    moved = player("Adendorff", "Anele", birth_date=date(1980, 5, 17), sex="M", region=region("LCP"))
    known(6)[0].delete()
    event = played()
    upload = taken(event, file_with(replace(lines(1)[0], national=moved.number)))
    assert codes(upload) == ["region-differs"]
    correction(desk, upload, "regions", _1=answer)
    upload.refresh_from_db()
    assert codes(upload) == left
    do(desk, event, "submit", declared="on", reason="He moved." if left else "")
    assert Event.objects.get(pk=event.pk).state == State.SUBMITTED
    moved.refresh_from_db()
    assert moved.region.code == "LCP"  # an officer changes the register


@pytest.mark.rule("chessa 14.5")
@pytest.mark.parametrize(
    ("in_file", "registered", "after", "noted"),
    [("", None, "GAU", True), ("LCP", None, "LCP", True), ("", "LCP", "LCP", False), ("LCP", "LCP", "LCP", False)],
)
def test_a_registered_player_without_a_region_gets_one_and_the_uploader_sees_it(
    desk, in_file, registered, after, noted
):
    known(6)[0].delete()
    home = {"region": region(registered)} if registered else {}
    naledi = player("Adendorff", "Anele", birth_date=date(1980, 5, 17), sex="M", **home)
    Player.objects.exclude(pk=naledi.pk).update(region=region("LCP"))
    event = played()
    line = replace(lines(1)[0], national=naledi.number)
    upload = taken(event, with_code(file_with(line), in_file or "   "))
    assert codes(upload) == []
    page = texts(desk.get(f"/events/{event.pk}/results/"))
    assert ("On the register without a region" in page) == noted
    do(desk, event, "submit", declared="on")
    assert Event.objects.get().state == State.SUBMITTED
    naledi.refresh_from_db()
    assert (naledi.region.code if naledi.region else None) == registered  # his region sees more of him
    accept_event(event, at=timezone.now(), by=officer(), reason="Seen.", penalty_reason="Seen.")
    naledi.refresh_from_db()
    assert naledi.region.code == after
    newest, *_ = naledi.history.all()
    assert (newest.region, newest.history_user is not None) == (naledi.region, noted)
    decisions = Decision.objects.filter(action="region assigned")
    assert [(row.subject_name, row.before, row.after) for row in decisions] == (
        [(str(naledi), {"region": ""}, {"region": after})] if noted else []
    )
    assert SubmissionFinding.objects.filter(code="region-assigned").exists() == noted


@pytest.mark.rule("chessa 13.5")
def test_the_organisers_id_is_that_of_the_registration(desk):
    known()
    event = played()
    assert codes(taken(event)) == []
    Event.objects.update(organiser_number="")
    assert codes(taken(event, name="again.trf")) == ["organiser-id-missing"]  # by its first name it is that upload


@pytest.mark.rule("chessa 15.2", "chessa 15.3")
def test_an_arbiter_without_id_and_title_holds_the_file():
    known()
    event = played()
    assert codes(taken(event, file_with(lines(1)[0], arbiter="Piet Ndlovu"))) == [
        "arbiter-unknown",
        "arbiter-id-missing",
        "arbiter-title-missing",
    ]


@pytest.mark.rule("chessa 21", "chessa 22")
@pytest.mark.parametrize(("which", "base", "left"), [("60+30", 60, []), ("90+30", 90, []), ("mixed", 90, ["mixed"])])
def test_several_time_controls_wait_for_the_word_which_was_played_and_why(desk, which, base, left):
    known()
    event = played()
    upload = taken(event, file_with(lines(1)[0], control="Rounds 1-2: 60+30, rounds 3-5: 90+30"))
    assert codes(upload) == ["time-controls-several"]
    assert do(desk, event, "submit", declared="on", reason="They knew.").status_code == 422
    answer = "registration" if which == "90+30" else which
    assert correction(desk, upload, "control", which=answer).status_code == 422
    correction(desk, upload, "control", which=answer, reason="The arbiter wrote it.")
    upload.refresh_from_db()
    assert codes(upload) == [f"time-controls-{one}" for one in left]
    do(desk, event, "submit", declared="on", reason="As it was." if left else "")
    assert event.sections.get().base_minutes == base
    note = SubmissionFinding.objects.get(code="corrected-control")
    assert note.message.endswith(": The arbiter wrote it.")


@pytest.mark.rule("chessa 14.5")
def test_a_player_of_a_section_whose_refusal_is_taken_back_later_gets_a_region_then(desk):
    known(6)[0].delete()
    naledi = player("Adendorff", "Anele", birth_date=date(1980, 5, 17), sex="M")
    Player.objects.exclude(pk=naledi.pk).update(region=region("LCP"))
    event = played("A", "B")
    first, second = event.sections.order_by("pk")
    taken(event, file_with(replace(lines(1)[0], national=naledi.number)), section=first)
    others = [replace(line, name=f"{line.name}x") for line in lines(6)]
    on_register(others)
    Player.objects.exclude(pk=naledi.pk).update(region=region("LCP"))
    taken(event, trf(others, round_robin(6, "0=10"), starts=FIRST, ends=LAST), section=second)
    do(desk, event, "submit", declared="on", reason="All is right.")
    by, at = officer(), timezone.now()
    refuse_section(first, at=at, by=by, reason="No.")
    accept_event(Event.objects.get(), at=at, by=by, reason="Seen.", penalty_reason="Seen.")
    naledi.refresh_from_db()
    assert naledi.region is None
    take_back(Refusal.objects.get(), at=at, by=by, reason="Refused by mistake.")
    naledi.refresh_from_db()
    assert naledi.region.code == "GAU"
