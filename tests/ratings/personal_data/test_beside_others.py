"""His days and ids where they stand beside what is another's: a twin, a telephone number, a question about FIDE's list."""

from datetime import date

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType

from accounts.models import Decision
from accounts.trail.operations import record
from events.models import Arbiter, ErrorReport, Event, Guest, RatingPeriod, Section, SubmissionFinding
from players.models import FideList, FideQuestion
from players.operations import NewPlayer, register_players, save_player
from ratings.models import Amendment, RatingRun, Rerating, Revision
from ratings.personal_data.erasure.names import GONE
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import CLOCK, MARCH, everything, officer, submitted
from tests.ratings.personal_data.test_erasure import held

pytestmark = pytest.mark.django_db
DAY = date(2008, 5, 17)
LISTED = [14398765, "Xylander, Quentin", "RSA", "M", "", 2010, [], [], []]


@pytest.fixture
def twins():
    """A section in which two played who were born on one day, and they; it is not rated."""
    section = submitted().sections.get()
    players = [entry.player for entry in section.entries.order_by("number")[:2]]
    for row, first in zip(players, ("Anele", "Bets"), strict=True):
        row.last_name, row.first_name, row.birth_date = "Buthelezi", first, DAY
        save_player(row)
    Event.objects.update(state="refused")
    return section, *players


@pytest.mark.parametrize(
    ("message", "goes"),
    [
        ("His birth date 2008-05-17 was confirmed by telephone, 821234567.", True),
        ("The boy, born on 17 May 2008, sits on board 3 (receipt 100200300).", True),
        ("Born 2008-05-17: {twin} has it, too.", False),
        ("Born 2008-05-17: {before} has it, too.", False),
        ("Born 2008-05-17: {twin} has it, and {his}.", True),
    ],
)
def test_his_day_stays_in_a_text_of_his_event_beside_anothers_id_alone(twins, message, goes):
    section, his, twin = twins
    ids = {"his": his.number, "twin": twin.number, "before": "999000777"}
    twin.number = ids["before"]
    save_player(twin)
    twin.number = ids["twin"]
    save_player(twin)
    finding = SubmissionFinding.objects.create(
        submission=section.submissions.get(), severity="note", code="x", message=message.format(**ids)
    )
    erase_player(his, at=CLOCK, by=None, reason="asked for")
    finding.refresh_from_db()
    assert ("2008" not in finding.message) == goes


def test_who_shares_his_name_does_not_keep_it_beside_his_start_number_on_the_trail(twins):
    """Another has both his names and one more: of his section or its event the trail and the log of the desk are about him."""
    section, his, _ = twins
    register_players([NewPlayer("Buthelezi", "Anele Grace")], at=CLOCK)
    listed = "Buthelezi, Anele (1), Buthelezi, Bets (2): no FIDE id"
    for subject in (section, section.submissions.get(), section.event):
        record("waived", subject, at=CLOCK, by=None, part_of=section.event, reason=listed)
    LogEntry.objects.create(
        user=officer(),
        content_type=ContentType.objects.get_for_model(Event),
        object_id=str(section.event_id),
        object_repr="x",
        action_flag=2,
        change_message=listed,
    )
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    told = [
        *Decision.objects.filter(action="waived").values_list("reason", flat=True),
        LogEntry.objects.get().change_message,
    ]
    assert told == [f"{pseudonym} (1), Buthelezi, Bets (2): no FIDE id"] * 4


def test_who_shares_his_name_does_not_keep_it_where_his_own_event_or_a_correction_is_told_of(twins):
    """The name of his event, of his report of an error, and why months were calculated again, which all read."""
    section, his, _ = twins
    register_players([NewPlayer("Buthelezi", "Anele Grace")], at=CLOCK)
    name = "Anele Buthelezi"
    Event.objects.update(name=f"Simultaneous {name}", place=f"Club of {name}")
    report = ErrorReport.objects.create(
        section=section, player=his, role="player", round=2, month=MARCH, wrong=f"{name} won", right="lost", reporter_name=name,
        reporter_email="x@example.org", at=CLOCK,
    )  # fmt: skip
    month, _ = RatingPeriod.objects.get_or_create(month=MARCH)
    reason = f"The win of {name} in round 2 was entered as a loss"
    done = {"first": month, "queued_at": CLOCK, "state": "published"}
    rerating = Rerating.objects.create(reason=reason, **done)
    Amendment.objects.create(
        section=section, before={}, after={}, reason=reason, at=CLOCK, applied_at=CLOCK, rerating=rerating
    )
    other = Rerating.objects.create(reason=f"A game of {name}, who is Anele Grace", **done)
    for subject in (report, month):
        record("corrected", subject, at=CLOCK, by=None, reason=reason)
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    event = Event.objects.get()
    assert (event.name, event.place) == (f"Simultaneous {pseudonym}", f"Club of {pseudonym}")
    told = [Rerating.objects.get(pk=rerating.pk).reason]
    told += Decision.objects.filter(action="corrected").values_list("reason", flat=True)
    assert told == [reason.replace(name, pseudonym)] * 3
    assert not Decision.objects.filter(subject_name__contains=name).exists()
    assert Rerating.objects.get(pk=other.pk).reason == other.reason  # which may tell of the other


def test_who_shares_his_name_does_not_keep_it_where_he_was_met_abroad(twins):
    section, _, _ = twins
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Xylander", "Quentin Karl")], at=CLOCK)
    his.fide_id = LISTED[0]
    save_player(his)
    Guest.objects.create(section=section, name="Xylander, Quentin", fide_id=LISTED[0], fide_rating=1900)
    record("waived", section, at=CLOCK, by=None, part_of=section.event, reason="Xylander, Quentin is met 2 times")
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    assert Decision.objects.get(action="waived").reason == f"{pseudonym} is met 2 times"


def test_who_shares_his_name_does_not_keep_it_where_he_was_to_organise(twins):
    section, _, _ = twins
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Xylander", "Quentin Karl")], at=CLOCK)
    event = section.event
    for name, number in (("Quentin Xylander", his.number), ("Bo Nel", "")):
        event.organiser_name, event.organiser_number = name, number
        event.save()
    record("waived", section, at=CLOCK, by=None, part_of=event, reason="Quentin Xylander fell ill")
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    assert Decision.objects.get(action="waived").reason == f"{pseudonym} fell ill"


def test_the_reason_of_a_re_rating_that_was_taken_back_names_him_no_more(twins):
    """Its amendments wait again, and belong to it no longer."""
    _, his, _ = twins
    register_players([NewPlayer("Buthelezi", "Anele Grace")], at=CLOCK)
    month, _ = RatingPeriod.objects.get_or_create(month=MARCH)
    Section.objects.update(period=month)
    run = RatingRun.objects.create(period=month, queued_at=CLOCK, input_hash="x", state="calculated")
    reason = "Anele Buthelezi lost that game after all"
    undone = Rerating.objects.create(reason=reason, first=month, queued_at=CLOCK, state="undone")
    revised = Revision.objects.create(
        period=month, number=2, run=run, published_at=CLOCK, rerating=undone, reason=f"{reason}: no"
    )
    for told in (reason, revised.reason):
        record("corrected", month, at=CLOCK, by=None, reason=told)
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    told = [
        Rerating.objects.get().reason,
        *Decision.objects.filter(action="corrected").values_list("reason", flat=True),
    ]
    revised.refresh_from_db()
    gone = reason.replace("Anele Buthelezi", pseudonym)
    assert (sorted(told), revised.reason) == ([gone, gone, f"{gone}: no"], f"{gone}: no")


def test_the_reason_why_a_section_was_given_to_a_namesake_names_him_no_more(twins):
    """It was his before the correction."""
    section, _, _ = twins
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Xylander", "Quentin Karl")], at=CLOCK)
    month, _ = RatingPeriod.objects.get_or_create(month=MARCH)
    reason = "Quentin Xylander is another person"
    rerating = Rerating.objects.create(reason=reason, first=month, queued_at=CLOCK, state="published")
    before = {"entries": [{"id": 1, "player_id": his.pk}]}
    Amendment.objects.create(
        section=section, before=before, after={}, reason=reason, at=CLOCK, applied_at=CLOCK, rerating=rerating
    )
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    assert Rerating.objects.get().reason == reason.replace("Quentin Xylander", pseudonym)


def test_a_namesake_with_an_id_of_his_own_keeps_his_name_where_they_meet(twins):
    """He organises the event, or plays in it: the id beside it says whose name it is."""
    section, his, twin = twins
    twin.last_name, twin.first_name = "Buthelezi", "Anele"
    save_player(twin)
    section.entries.filter(player__in=[his, twin]).update(name_in_file="Buthelezi, Anele")
    Event.objects.update(organiser_name="Anele Buthelezi", organiser_number=twin.number)
    told = "Anele Buthelezi ({}) came late"
    for number in (his.number, twin.number):
        record("penalty", section, at=CLOCK, by=None, reason=told.format(number))
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    assert Event.objects.get().organiser_name == "Anele Buthelezi"
    reasons = Decision.objects.filter(action="penalty").order_by("pk").values_list("reason", flat=True)
    assert list(reasons) == [f"{pseudonym} ({his.number}) came late", told.format(twin.number)]
    names = dict(section.entries.values_list("player", "name_in_file"))
    assert (names[his.pk], names[twin.pk]) == (pseudonym, "Buthelezi, Anele")


def test_another_name_beside_his_id_as_an_arbiters_goes(twins):
    section, his, _ = twins
    Arbiter.objects.create(name=his.name, number=his.number, player=his, title="NA")
    message = "The id beside an arbiter’s name in the file is another person’s: {}, {}: {} on the register of arbiters."
    finding = SubmissionFinding.objects.create(
        submission=section.submissions.get(),
        severity="hold",
        code="arbiter-id-of-another",
        message=message.format("Anele Zungu", his.number, his.name),
    )
    record("waived", section.event, at=CLOCK, by=None, reason=finding.message)
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    finding.refresh_from_db()
    assert finding.message == message.format(pseudonym, his.number, pseudonym)
    assert Decision.objects.get(action="waived").reason == finding.message


def test_what_was_decided_about_his_twin_keeps_the_day(twins):
    _, his, twin = twins
    told = {"before": {"birth date": "2008-05-17"}, "after": {"birth date": "2008-05-18", "twin": "born 2008-05-17"}}
    record("changed", twin, at=CLOCK, by=None, reason=f"twin of {his.number}", **told)
    record("seen", twin, at=CLOCK, by=None, after={"of": "Anele Buthelezi, born 2008-05-17"})
    erase_player(his, at=CLOCK, by=None, reason="asked for")
    row = Decision.objects.get(action="changed", subject=f"players.player {twin.pk}")
    assert (row.before, row.after) == (told["before"], told["after"])
    named = Decision.objects.get(action="seen")
    assert GONE in named.after["of"]
    assert "2008" not in named.after["of"]


@pytest.fixture
def alike():
    """Two whose names are alike, of whom the first has, or not, the FIDE id that is asked of both."""
    return register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Xylander", "Quint")], at=CLOCK)


@pytest.mark.parametrize("has_id", [True, False])
def test_an_open_question_whether_another_is_he_goes(alike, has_id):
    his, other = alike
    if has_id:
        his.fide_id = LISTED[0]
        save_player(his)
    fide = FideList.objects.create(month="2026-11-01", at=CLOCK, filename="x")
    asked = {"listed": LISTED, "why": "the names are alike", "list": fide}
    FideQuestion.objects.create(player=other, fide_id=LISTED[0], **asked)
    FideQuestion.objects.create(player=other, fide_id=14300000, **asked | {"listed": [14300000, "Xylander, Q"]})
    erase_player(his, at=CLOCK, by=None, reason="asked for")
    assert [row.fide_id for row in FideQuestion.objects.all()] == [14300000]
    assert held(everything(), "14398765") == {}


def test_an_answer_that_another_is_not_he_stays_without_what_the_list_says_of_him(alike):
    """Else the other would be given his id and ratings by a later list. Nothing ties the id to the pseudonym."""
    his, other = alike
    his.fide_id = LISTED[0]
    save_player(his)
    fide = FideList.objects.create(month="2026-11-01", at=CLOCK, filename="x")
    FideQuestion.objects.create(
        player=other, fide_id=LISTED[0], listed=LISTED, why="the names are alike", list=fide, answer="other",
        answered_at=CLOCK,
    )  # fmt: skip
    record("FIDE id answered", other, at=CLOCK, by=None, after={"FIDE id": "14398765", "answer": "somebody else"})
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="asked for").pseudonym
    left = FideQuestion.objects.get()
    assert (left.fide_id, left.listed, left.why, left.answer) == (LISTED[0], [], GONE, "other")
    assert Decision.objects.get(action="FIDE id answered").after["FIDE id"] == "14398765"
    assert not any(pseudonym in line for rows in held(everything(), "14398765").values() for line in rows)
