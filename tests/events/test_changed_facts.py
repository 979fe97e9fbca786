"""What is changed of a section or an event in the admin is checked as its files were."""

from dataclasses import replace
from datetime import date

import pytest

from accounts.models import Decision
from events.models import Arbiter, Event, Fee, Membership, SubmissionFinding
from events.operations import EventError, accept_event
from tests.admin_pages import form_errors, posted_form
from tests.builders import CLOCK, event_of, lines, officer, people, round_robin, submitted, trf
from tests.events.submission.world import known

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


@pytest.fixture
def accepted():
    event = submitted(trf(lines(6), round_robin(6)))
    accept_event(event, at=CLOCK, by=None, reason="in order")
    return event


def pages(event: Event):
    """The two pages on which a section is changed, each with the prefix of its fields."""
    section = event.sections.get()
    return (f"/admin/events/section/{section.pk}/change/", ""), (
        f"/admin/events/event/{event.pk}/change/",
        "sections__0__",
    )


def save(desk, event, page, **changed):
    address, prefix = pages(event)[page]
    named = {f"{prefix}{name}": value for name, value in changed.items()}
    return desk.post(address, posted_form(desk, address, **named))


@pytest.mark.rule("chessa 23")
@pytest.mark.parametrize("page", [0, 1])
@pytest.mark.parametrize(("base", "kept"), [(4, False), (5, True)])
def test_a_time_control_that_is_too_fast_is_refused(desk, accepted, page, base, kept):
    answer = save(desk, accepted, page, base_minutes=base, increment_seconds=0)
    assert (answer.status_code == 302) == kept
    if not kept:
        assert "4+0 makes 4 minutes; under 5 is not rated. (article 23)" in form_errors(answer)
    assert (accepted.sections.get().base_minutes == base) == kept


@pytest.mark.rule("chessa 22")
@pytest.mark.parametrize("page", [0, 1])
def test_which_time_control_was_played_is_the_officer_s_word_with_a_reason(desk, page):
    event = submitted(trf(lines(6), round_robin(6), control="60+30"), base=60, increment=30)
    accept_event(event, at=CLOCK, by=None, reason="in order")
    assert save(desk, event, page, base_minutes=50).status_code == 302
    assert event.sections.get().base_minutes == 50
    decision = Decision.objects.get(action="changed")
    assert (list(decision.before.values()), list(decision.after.values())) == (["60"], ["50"])
    assert decision.reason == "put right for a test"


@pytest.mark.rule("chessa 17.3")
def test_another_format_is_held_before_acceptance_until_an_officer_waives_it(desk):
    event = submitted(trf(lines(6), round_robin(6)))
    assert save(desk, event, 0, format="team").status_code == 302
    hold = SubmissionFinding.objects.get(code="teams-missing")
    assert hold.waived_at is None
    assert save(desk, event, 0, format="team").status_code == 302
    assert SubmissionFinding.objects.filter(code="teams-missing").count() == 1


@pytest.mark.rule("chessa 13.3")
def test_days_that_leave_rounds_outside_are_held(desk, accepted):
    section = accepted.sections.get()
    first = section.starts
    assert section.ends > first
    answer = save(desk, accepted, 0, ends=first.isoformat())
    assert answer.status_code == 302, form_errors(answer)
    assert SubmissionFinding.objects.filter(code="round-dates-outside", waived_reason="put right for a test").exists()


def test_what_is_not_a_fact_of_the_section_is_not_checked(desk, accepted):
    before = SubmissionFinding.objects.count()
    assert save(desk, accepted, 0, name="A").status_code == 302
    assert SubmissionFinding.objects.count() == before


@pytest.mark.rule("chessa 17.3")
def test_a_hold_goes_when_the_change_is_undone(desk):
    event = submitted(trf(lines(6), round_robin(6)))
    before = list(SubmissionFinding.objects.values_list("code", flat=True))
    save(desk, event, 0, format="team")
    assert SubmissionFinding.objects.filter(code="teams-missing").exists()
    save(desk, event, 0, format="swiss")
    assert list(SubmissionFinding.objects.values_list("code", flat=True)) == before


@pytest.mark.rule("chessa 61")
def test_days_that_make_the_file_late_hold_it(desk):
    event = submitted(trf(lines(6), round_robin(6), dated=False))
    address = f"/admin/events/event/{event.pk}/change/"
    days = {"starts": "2023-11-04", "ends": "2023-11-05"}
    sections = {f"sections__0__{name}": day for name, day in days.items()}
    answer = desk.post(address, posted_form(desk, address, **days, **sections))
    assert answer.status_code == 302, form_errors(answer)
    assert SubmissionFinding.objects.filter(code="too-late", waived_at=None).exists()


@pytest.mark.rule("chessa 23")
def test_without_a_file_a_time_control_is_too_fast_as_well(desk):
    event = event_of([(*people(2), "1-0")])
    answer = save(desk, event, 0, base_minutes=3, increment_seconds=0)
    assert any("3+0 makes 3 minutes" in error for error in form_errors(answer))


def save_event(desk, event, **changed):
    address = f"/admin/events/event/{event.pk}/change/"
    answer = desk.post(address, posted_form(desk, address, **changed))
    assert answer.status_code == 302, form_errors(answer)


def holds(event, **which):
    rows = SubmissionFinding.objects.filter(submission__section__event=event, severity="hold", **which)
    return set(rows.values_list("code", flat=True))


@pytest.fixture
def grace():
    """The arbiter of the file, recognised and paid up."""
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA", fide_id=14300001)
    for fee in Fee:
        Membership.objects.create(arbiter=arbiter, year=2024, paid_on=date(2024, 1, 5), fee=fee)
    return arbiter


def appointing(arbiter, **fields):
    row = {"arbiter": arbiter.pk, "position": 1, "id": ""} | fields
    return {"appointments__TOTAL_FORMS": 1, **{f"appointments__0__{name}": value for name, value in row.items()}}


UNFIT = {"fide-ids-missing", "membership-unpaid", "licence-unpaid", "arbiter-id-missing", "chief-arbiter-differs",
         "arbiter-not-appointed"}  # fmt: skip


@pytest.mark.rule("chessa 7", "chessa 12.3", "chessa 14.4", "chessa 15.2", "chessa 57.1")
def test_what_an_officer_changes_of_a_submitted_event_holds_its_files(desk, grace):
    event = submitted(trf(lines(6), round_robin(6)))
    assert holds(event) == set()
    unpaid = Arbiter.objects.create(name="Anele Dube", title="NA", number="199000077")
    save_event(desk, event, fide_rated="on", **appointing(unpaid))
    assert holds(event, waived_at=None) == UNFIT
    with pytest.raises(EventError, match="give the reason why it is rated all the same"):
        accept_event(event, at=CLOCK)
    event.refresh_from_db()
    assert event.state == "submitted"
    accept_event(event, at=CLOCK, reason="The AOC was closed.")
    assert holds(event, waived_reason="The AOC was closed.") == UNFIT


@pytest.mark.rule("chessa 7", "chessa 12.3", "chessa 14.4", "chessa 15.2")
def test_what_an_officer_changes_of_an_accepted_event_is_waived_with_the_reason_of_the_change(desk, grace):
    event = submitted(trf(lines(6), round_robin(6)))
    accept_event(event, at=CLOCK)
    unpaid = Arbiter.objects.create(name="Anele Dube", title="NA", number="199000077")
    save_event(desk, event, fide_rated="on", **appointing(unpaid))
    assert holds(event, waived_at=None) == set()
    assert holds(event, waived_reason="put right for a test") == UNFIT
    assert Decision.objects.filter(action="waived", reason="put right for a test").count() == len(UNFIT)


@pytest.mark.rule("chessa 7", "chessa 14.4")
def test_a_hold_goes_with_the_change_that_brought_it(desk, grace):
    event = submitted(trf(lines(6), round_robin(6)))
    save_event(desk, event, fide_rated="on", **appointing(grace))
    assert holds(event) == {"fide-ids-missing"}
    save_event(desk, event, place="Benoni")
    assert holds(event) == {"fide-ids-missing"}
    address = f"/admin/events/event/{event.pk}/change/"
    page = posted_form(desk, address)
    del page["fide_rated"]
    assert desk.post(address, page).status_code == 302
    assert holds(event) == set()


@pytest.mark.rule("chessa 13.5")
@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"organiser_name": ""}, "organiser-missing"),
        ({"organiser_number": ""}, "organiser-id-missing"),
        ({"organiser_name": "Zodwa Cele"}, None),
    ],
)
def test_a_chief_organiser_who_is_taken_away_holds_the_files(desk, grace, changed, code):
    event = submitted(trf(lines(6), round_robin(6)))
    save_event(desk, event, **changed)
    assert holds(event) == ({code} if code else set())


@pytest.mark.rule("chessa 8")
def test_an_arbiter_appointed_afterwards_who_plays_holds_the_file(desk, grace):
    event = submitted(trf(lines(6), round_robin(6)))
    entry = event.sections.get().entries.get(number=3)
    plays = Arbiter.objects.create(name="Anele Dube", title="NA", player=entry.player, number=entry.player.number)
    save_event(desk, event, **appointing(plays))
    assert "arbiter-plays" in holds(event, waived_at=None)


@pytest.mark.rule("chessa 10")
def test_an_event_abroad_stays_fide_rated(desk):
    event = submitted(trf(lines(6), round_robin(6)))
    Event.objects.update(kind="abroad", federation="NAM", fide_rated=True)
    address = f"/admin/events/event/{event.pk}/change/"
    page = posted_form(desk, address)
    del page["fide_rated"]
    assert any("rated only when it is FIDE rated" in text for text in form_errors(desk.post(address, page)))


@pytest.mark.rule("chessa 14.4")
def test_a_chess_sa_id_in_the_column_for_fide_ids_is_no_fide_id(desk, grace):
    people = known()
    content = trf([replace(line, fide=one.number) for line, one in zip(lines(6), people, strict=True)], round_robin(6))
    event = submitted(content)
    save_event(desk, event, fide_rated="on")
    assert holds(event, waived_at=None) >= {"fide-ids-missing"}
    assert "All 6 players: no FIDE id" in SubmissionFinding.objects.get(code="fide-ids-missing").message
