"""A section's time control, format and days, changed in the admin, are checked as its file was (articles 17, 22, 23)."""

import pytest

from accounts.models import Decision
from events.models import Event, SubmissionFinding
from events.operations import accept_event
from tests.admin_pages import form_errors, posted_form
from tests.builders import CLOCK, event_of, lines, officer, people, round_robin, submitted, trf

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
