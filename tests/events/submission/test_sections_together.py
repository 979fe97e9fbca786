"""Several sections sent in at once: one event, one register, and what may not stand in each other's way."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from events.appeals.operations import refuse_section
from events.models import Appointment, Arbiter, Penalty, Submission
from events.operations import EventError, return_event
from events.rules.states import State
from events.submission.operations import submit_event
from events.submission.tasks import check_upload
from events.submission.uploads import not_submitted, take_file
from players.models import Player
from tests.builders import Line, lines, officer, recognised, round_robin, trf
from tests.events.submission.world import (
    FIRST,
    LAST,
    answer_penalties,
    clean,
    codes,
    correction,
    do,
    known,
    played,
    table,
    taken,
    written,
)

pytestmark = pytest.mark.django_db


def with_newcomer(newcomer: Line, results="1=01", **fields) -> bytes:
    people = [*lines(5), newcomer]
    return trf(people, round_robin(6, results), **{"starts": FIRST, "ends": LAST, **fields})


def two(desk, first: Line, second: Line):
    """An event of two sections, in each of which the last line is confirmed as a new player."""
    known(5)
    event = played("A", "B")
    one, other = event.sections.order_by("position")
    for section, line, results in ((one, first, "1=01"), (other, second, "0=")):
        upload = taken(event, with_newcomer(line, results), section=section)
        table(desk, upload, "others")
        upload.refresh_from_db()
        assert codes(upload) == []
    return event


def newcomers() -> list[Player]:
    return list(Player.objects.filter(last_name="Nofanele"))


BORN = "2001/02/03"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Line("Nofanele, Zodwa", born=BORN), Line("Nofanele, Zodwa", born=BORN)),
        (Line("Nofanele, Zodwa", born=BORN, fide="14300011"), Line("Nofanele, Zodwa", born=BORN, fide="14300011")),
        (Line("Nofanele, Zodwa", born=BORN), Line("Nofanele, Zodwa", born=BORN, fide="14300011")),
    ],
)
def test_who_is_new_in_two_sections_is_put_on_the_register_once(desk, first, second):
    event = two(desk, first, second)
    page = desk.get(f"/events/{event.pk}/results/").content.decode()
    assert "Nofanele, Zodwa (Section A, Section B)" in page
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    (player,) = newcomers()
    assert player.entries.count() == 2
    reasons = [entry.match_reason for entry in player.entries.order_by("section")]
    assert reasons == ["", "new to the register, as in another section of the event"]
    assert str(player.fide_id or "") == (first.fide or second.fide)
    notes = Submission.objects.filter(findings__code="player-newcomer")
    assert [one.section.name for one in notes] == ["B"]


def test_two_of_the_same_name_and_of_other_birth_dates_are_two(desk):
    event = two(desk, Line("Nofanele, Zodwa", born=BORN), Line("Nofanele, Zodwa", born="1970/02/03"))
    assert "put on the register once" not in desk.get(f"/events/{event.pk}/results/").content.decode()
    do(desk, event, "submit", declared="on", reason="Mother and daughter.")
    assert len(newcomers()) == 2


def test_one_fide_id_for_two_people_is_said_and_saves_nothing(desk):
    event = two(
        desk, Line("Nofanele, Zodwa", born=BORN, fide="14300011"), Line("Khumalo, Musa", born=BORN, fide="14300011")
    )
    before = written()
    answered = do(desk, event, "submit", declared="on", reason="x")
    assert answered.status_code == 422
    assert "same FIDE id 14300011" in answered.content.decode()
    assert written() == before


def test_the_event_reaches_over_the_days_of_all_its_sections(desk):
    known()
    event = played("A", "B", first=FIRST - timedelta(days=9), last=LAST - timedelta(days=9))
    one, other = event.sections.order_by("position")
    early, late = FIRST - timedelta(days=10), LAST - timedelta(days=5)
    taken(event, clean(starts=FIRST - timedelta(days=9), ends=late), section=one)
    taken(event, clean(results="0=", starts=early, ends=LAST - timedelta(days=9)), section=other)
    for section in (one, other):
        correction(desk, section.uploads.get(), "dates", which="file")
    do(desk, event, "submit", declared="on", reason="x")
    event.refresh_from_db()
    assert (event.state, event.starts, event.ends) == (State.SUBMITTED, early, late)


def test_the_same_results_in_two_sections_are_said_with_both_names(desk):
    known()
    event = played("A", "B")
    for section in event.sections.order_by("position"):
        taken(event, section=section)
    before = written()
    answered = do(desk, event, "submit", declared="on")
    assert answered.status_code == 422
    assert "take one of the two files away" in answered.content.decode()
    assert written() == before


def refused_section(desk):
    """An event of two sections that came back, and whose second was refused then, with corrected files of both."""
    known()
    event = played("A", "B")
    one, other = event.sections.order_by("position")
    taken(event, section=one)
    taken(event, clean(results="0="), section=other)
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    by = officer()
    return_event(event, at=timezone.now(), by=by, reason="Round 3 is wrong.")
    taken(event, clean(results="00=1"), section=one, name="a2.trf")
    taken(event, clean(results="11=0"), section=other, name="b2.trf")
    refuse_section(other, at=timezone.now(), by=by, reason="It was not played.")
    return event, one, other


@pytest.mark.rule("chessa 11")
def test_the_file_of_a_refused_section_stays_behind(desk):
    event, one, other = refused_section(desk)
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert (one.submissions.count(), other.submissions.count()) == (2, 1)


@pytest.mark.rule("chessa 11")
def test_no_file_is_taken_for_a_refused_section(desk):
    event, _, other = refused_section(desk)
    with pytest.raises(EventError, match="refused"):
        take_file(event, name="b3.trf", content=clean(results="1"), at=timezone.now(), by=None, section=other)
    assert f'value="{other.pk}"' not in desk.get(f"/events/{event.pk}/results/").content.decode()


def test_a_penalty_is_recorded_with_the_points_that_were_answered(desk):
    """A file of more rounds than were registered: the page counts them as the submission does."""
    known(6)
    rounds = [list(pairs) for pairs in round_robin(6)]
    more = [*rounds, rounds[0], rounds[1]]
    left = [
        [pair for pair in pairs if 6 not in pair[:2]] if number > 3 else pairs for number, pairs in enumerate(more, 1)
    ]
    event = played()
    content = trf(lines(6), left, starts=FIRST, ends=LAST) + b"142 7\n"
    upload = taken(event, content)
    (proposal,) = [one for one in upload.report["proposals"] if one["start"] == 6]
    answer_penalties(desk, upload)
    submit_event(event, declared=True, reason="x", at=timezone.now(), today=timezone.localdate(), by=None)
    penalty = Penalty.objects.get(status="confirmed", player__entries__number=6)
    assert (penalty.round, float(penalty.points)) == (proposal["round"], proposal["points"])
    assert proposal["points"] == 80
    assert Submission.objects.count() == 1


def test_two_namesakes_in_one_section_are_both_new_beside_one_of_the_other(desk):
    known(4)
    event = played("A", "B")
    one, other = event.sections.order_by("position")
    namesake = Line("Nofanele, Zodwa")
    first = trf([*lines(4), namesake, Line("Zulu, Ayanda")], round_robin(6), starts=FIRST, ends=LAST)
    two = [Line("Nofanele, Zodwa", born="2010/01/01"), Line("Nofanele, Zodwa", born="2012/02/02")]
    second = trf([*lines(4), *two], round_robin(6, "0="), starts=FIRST, ends=LAST)
    for section, content in ((one, first), (other, second)):
        table(desk, taken(event, content, section=section), "others")
    do(desk, event, "submit", declared="on", reason="x")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert len(newcomers()) == 3


def test_files_that_were_taken_for_each_others_are_put_right(desk):
    known()
    event = played("A", "B")
    one, other = event.sections.order_by("position")
    wrong = {one: clean(results="0="), other: clean()}
    for section, content in wrong.items():
        taken(event, content, section=section)
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    return_event(event, at=timezone.now(), by=officer(), reason="The files are swapped.")
    for section, content in ((one, wrong[other]), (other, wrong[one])):
        taken(event, content, section=section, name=f"{section.name}.trf")
    for upload in not_submitted(event.uploads.all()):
        check_upload(upload.pk)
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert [section.submissions.first().name for section in (one, other)] == ["A.trf", "B.trf"]


def arbiter_of_one_section(desk):
    """An event of two sections, each with a file: the second arbiter of A's file is start number 1 of B's."""
    players = known(6)
    event = played("A", "B")
    one, other = event.sections.order_by("position")
    deputy = Arbiter.objects.create(name="Ann Dube", title="NA", number="100000078", player=players[0])
    deputy.memberships.create(year=FIRST.year, paid_on=FIRST - timedelta(days=90))
    Appointment.objects.create(event=event, arbiter=recognised(), position=1, first_round=1, last_round=3)
    return event, one, other, deputy


def without_the_deputy(**fields) -> bytes:
    """A file of the event in which the arbiter of the other section does not play."""
    return trf([*lines(7)[1:6], Line("Nofanele, Zodwa")], round_robin(6, "0="), starts=FIRST, ends=LAST, **fields)


@pytest.mark.rule("chessa 8")
def test_an_arbiter_who_plays_in_a_section_that_is_checked_later_is_seen_by_the_region(desk):
    event, one, other, deputy = arbiter_of_one_section(desk)
    first = taken(event, without_the_deputy(), section=one)
    correction(desk, first, "arbiters", arbiter=deputy.pk)
    first.refresh_from_db()
    assert first.corrections.filter(kind="arbiter").exists()
    assert "arbiter-plays" not in codes(first)
    second = taken(event, section=other)
    first.refresh_from_db()
    assert not first.pending
    assert "arbiter-plays" in codes(first)
    assert "arbiter-plays" in codes(second)  # who served there served the event
    desk.post(f"/events/{event.pk}/results/{second.pk}/discard/")
    first.refresh_from_db()
    check_upload(first.pk)
    first.refresh_from_db()
    assert "arbiter-plays" not in codes(first)


@pytest.mark.rule("chessa 8")
def test_an_arbiter_added_to_a_section_checked_later_is_seen_in_the_section_in_which_he_plays(desk):
    event, one, other, deputy = arbiter_of_one_section(desk)
    first, second = taken(event, section=one), taken(event, without_the_deputy(), section=other)
    assert "arbiter-plays" not in [*codes(first), *codes(second)]
    correction(desk, second, "arbiters", arbiter=deputy.pk)
    for upload in (first, second):
        upload.refresh_from_db()
        assert not upload.pending
        assert "arbiter-plays" in codes(upload)
    answer = second.corrections.get(kind="arbiter")
    do(desk, event, f"corrections/{answer.pk}/undo")
    first.refresh_from_db()
    assert "arbiter-plays" not in codes(first)


@pytest.mark.rule("chessa 8")
@pytest.mark.parametrize(("fide", "plays"), [("14300002", True), ("14300003", False)])
def test_an_arbiter_is_found_in_another_section_by_the_id_on_a_line_alone(desk, fide, plays):
    """The player of the line is on the register without a FIDE id, and nothing but the line ties him to the arbiter."""
    event, one, other, deputy = arbiter_of_one_section(desk)
    deputy.player, deputy.fide_id = None, 14300002
    deputy.save()
    first_line, *others = lines(6)
    content = trf([replace(first_line, fide=fide), *others], round_robin(6), starts=FIRST, ends=LAST)
    taken(event, content, section=other)
    first = taken(event, without_the_deputy(), section=one)
    correction(desk, first, "arbiters", arbiter=deputy.pk)
    first.refresh_from_db()
    assert ("arbiter-plays" in codes(first)) is plays
