"""The officer_client's forms for events and sections: what is published stays, and every day is one that can be meant."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from accounts.models import Decision
from events.models import Appointment, Arbiter, Event, Game, Penalty, RatingPeriod, Section
from events.operations import (
    EventError,
    accept_event,
    add_section,
    lock_section,
    move_event,
    register_event,
)
from events.periods import PeriodError, get_or_create_period
from events.rules.states import State
from events.submission.recording import submit_new_event
from events.submission.validation import validate_file
from ratings.models import RatingRun
from ratings.runs.operations import request_publication
from ratings.runs.worker import process_run
from tests.admin_pages import form_errors, posted_form
from tests.builders import (
    CLOCK,
    LATE_REASON,
    MARCH,
    add_games,
    calculate,
    details,
    event_of,
    everything,
    lines,
    officer,
    open_file,
    people,
    period,
    publish,
    region,
    round_robin,
    section_file,
    submitted,
    trf,
    with_byes,
)

MAY = datetime(2024, 5, 2, 8, tzinfo=UTC)
APRIL = date(2024, 4, 1)


@pytest.fixture
def officer_client(db, client):
    client.force_login(officer())
    return client


def over_two_months() -> Event:
    """An accepted event with a section in March and one in April."""
    event = register_event(details(date(2024, 3, 30), date(2024, 4, 6), name="Long Open"), at=CLOCK)
    for day, results in ((date(2024, 3, 30), "1-0"), (date(2024, 4, 6), "0-1")):
        section = add_section(event, Section(base_minutes=60, increment_seconds=0, starts=day, ends=day))
        add_games(section, [(*people(2), results)])
    move_event(event, State.SUBMITTED, at=MAY)
    accept_event(event, at=MAY)
    return event


@pytest.fixture
def half(db):
    """The same, its first month published."""
    event = over_two_months()
    publish()
    event.refresh_from_db()
    assert event.state == "accepted"
    return event


def change(row) -> str:
    return f"/admin/events/{row._meta.model_name}/{row.pk}/change/"


@pytest.mark.rule("chessa 64")
def test_a_published_section_is_only_read_though_its_event_goes_on(officer_client, half):
    first, second = half.sections.all()
    page = officer_client.get(change(first)).content.decode()
    assert 'name="base_minutes"' not in page
    shown = officer_client.get(change(half))
    assert [form.instance for form in shown.context["inline_admin_formsets"][0].formset.initial_forms] == [second]
    assert f'href="../../../section/{first.pk}/change/"' in shown.content.decode()
    assert 'name="starts"' not in shown.content.decode()


@pytest.mark.parametrize(
    ("minutes", "error"),
    [(1000, ""), (1001, "At most 1000."), (99_999_999_999, "Write a whole number."), ("", "whole")],
)
def test_a_time_control_has_the_bounds_of_the_registration(officer_client, minutes, error):
    first = over_two_months().sections.first()
    data = posted_form(officer_client, change(first), base_minutes=minutes, reason_for_change="As the arbiter says.")
    answer = officer_client.post(change(first), data)
    first.refresh_from_db()
    assert (answer.status_code, first.base_minutes == 1000) == ((200, False) if error else (302, True))
    if error:
        assert any(error in text for text in form_errors(answer))


@pytest.mark.rule("chessa 64")
def test_a_page_opened_before_the_publication_changes_nothing_of_what_is_published(officer_client):
    event = over_two_months()
    first, second = event.sections.all()
    section = posted_form(officer_client, change(first), base_minutes=3)
    row = posted_form(officer_client, change(event), sections__0__base_minutes=3)
    gone = posted_form(officer_client, change(event), sections__0__DELETE="on")
    moved = posted_form(officer_client, change(event), ends="2024-04-07")
    publish()
    before = everything()
    for address, data in (
        (change(first), section),
        (change(event), row),
        (change(event), gone),
        (change(event), moved),
    ):
        answer = officer_client.post(address, data)
        assert answer.status_code == 200
        assert any("is part of the published list of 2024-03" in text for text in form_errors(answer)), form_errors(
            answer
        )
    assert everything() == before
    name = posted_form(officer_client, change(event), name="Longer Open", sections__0__base_minutes=45)
    assert officer_client.post(change(event), name).status_code == 302
    event.refresh_from_db()
    second.refresh_from_db()
    assert (event.name, second.base_minutes, event.state) == ("Longer Open", 45, "accepted")


@pytest.mark.rule("chessa 64")
def test_what_is_being_published_is_not_changed(officer_client):
    event = event_of([(*people(2), "1-0")])
    section = event.sections.get()
    open_page = posted_form(officer_client, change(section), base_minutes=7)
    in_row = posted_form(officer_client, change(event), sections__0__base_minutes=7)
    request_publication(calculate(), at=MAY)
    before = everything()
    for address, data in ((change(section), open_page), (change(event), in_row)):
        assert any("which is being published" in text for text in form_errors(officer_client.post(address, data)))
    with pytest.raises(EventError, match="which is being published"):
        lock_section(Section.objects.get())
    assert everything() == before
    penalty = {"section": section.pk, "player": people(1)[0].pk, "round": 2, "kind": "forfeit", "points": 20}
    assert any(
        "which is being published" in text
        for text in form_errors(officer_client.post("/admin/events/penalty/add/", penalty))
    )


@pytest.mark.rule("chessa 51")
def test_a_penalty_of_other_points_than_the_articles_is_not_entered(officer_client):
    event = submitted(trf(lines(6), with_byes(round_robin(6), 2, bye="Z")))
    section = event.sections.get()
    player = section.entries.get(number=6).player_id
    data = {"section": section.pk, "player": player, "round": 2, "kind": "forfeit", "points": 35}
    before = Penalty.objects.count()
    errors = form_errors(officer_client.post("/admin/events/penalty/add/", data))
    assert errors == ["A forfeit in round 2 costs 20 points. (article 51)"]
    assert Penalty.objects.count() == before
    assert officer_client.post("/admin/events/penalty/add/", {**data, "points": 20}).status_code == 302
    assert Penalty.objects.count() == before + 1


@pytest.mark.rule("chessa 51", "chessa 52")
def test_a_withdrawal_is_entered_for_all_rounds_that_are_left_and_no_forfeit_within_it(officer_client):
    """A section of five rounds, each played by all but him, who was absent from 2 and 4, and asked for byes in 3 and 5."""
    section = submitted(trf(lines(6), with_byes(with_byes(round_robin(6), 3, 5), 2, 4, bye="Z"))).sections.get()
    player = section.entries.get(number=6).player_id
    data = {"section": section.pk, "player": player, "round": 3, "kind": "withdrawal", "points": 20}
    address = "/admin/events/penalty/add/"
    assert form_errors(officer_client.post(address, data)) == [
        "A withdrawal in round 3 costs 60 points, 20 for that round and for each one after it. (article 52)"
    ]
    assert officer_client.post(address, {**data, "points": 60}).status_code == 302
    errors = form_errors(officer_client.post(address, {**data, "kind": "forfeit", "round": 4}))
    assert "He has a penalty for round 4 already" in errors[0]
    errors = form_errors(officer_client.post(address, {**data, "kind": "forfeit", "round": 5}))
    assert "He had a bye in round 5: there was no game to forfeit." in errors[0]
    assert officer_client.post(address, {**data, "kind": "forfeit", "round": 2}).status_code == 302


@pytest.mark.rule("chessa 64", "chessa 66")
def test_a_run_whose_games_were_changed_meanwhile_is_not_published(db):
    event_of([(*people(2), "1-0")])
    run = calculate()
    request_publication(run, at=MAY)
    Game.objects.update(result="0-1")
    done = process_run(run.pk)
    assert (done.state, period().state) == ("calculated", "calculated")
    assert "2024-03 has changed since it was calculated. Calculate it again" in done.error
    assert Event.objects.get().state == "calculated"
    again = calculate()
    request_publication(again, at=MAY)
    assert process_run(again.pk).state == RatingRun.State.PUBLISHED


def test_a_section_with_results_is_not_deleted_and_one_without_is(officer_client):
    event = event_of([(*people(2), "1-0")], accept=False)
    gone = posted_form(officer_client, change(event), sections__0__DELETE="on")
    before = everything()
    assert any(
        "has results and cannot be taken out" in text for text in form_errors(officer_client.post(change(event), gone))
    )
    assert everything() == before
    Game.objects.all().delete()
    assert officer_client.post(change(event), gone).status_code == 302
    assert not Section.objects.exists()


def test_an_accepted_event_gets_no_section_that_would_not_be_rated(officer_client):
    event = event_of([(*people(2), "1-0")], accept=False)
    new = {"position": 2, "name": "B", "format": "swiss", "base_minutes": 60, "increment_seconds": 0, "id": ""}
    new |= {"event": event.pk, "starts": "2024-03-03", "ends": "2024-03-03"}
    row = {f"sections__1__{name}": value for name, value in new.items()}
    page = posted_form(officer_client, change(event), sections__TOTAL_FORMS=2, sections__0__name="A", **row)
    accept_event(event, at=CLOCK)
    officer_client.post(change(event), page)
    assert Section.objects.count() == 1
    fresh = Section(event=event, base_minutes=60, increment_seconds=0, starts=event.starts, ends=event.ends)
    with pytest.raises(EventError, match="a new section would not be rated: return it first"):
        lock_section(fresh)


@pytest.mark.rule("chessa 60")
def test_a_section_is_added_on_its_event_s_page_with_a_reason(officer_client):
    # A month without sections is published, as an opening balance is.
    RatingPeriod.objects.create(month=date(2023, 12, 1), state="published", published_at=CLOCK)
    event = event_of([(*people(2), "1-0")], accept=False)
    new = {"position": 2, "name": "B", "format": "swiss", "base_minutes": 60, "increment_seconds": 0, "id": ""}
    new |= {"event": event.pk, "starts": "2024-03-03", "ends": "2024-03-03"}
    assert officer_client.post("/admin/events/section/add/", new).status_code == 403
    row = {f"sections__1__{name}": value for name, value in new.items()}
    page = posted_form(officer_client, change(event), sections__TOTAL_FORMS=2, sections__0__name="A", **row)
    assert officer_client.post(change(event), page | {"reason_for_change": ""}).status_code == 200
    assert officer_client.post(change(event), page).status_code == 302
    assert [section.name for section in event.sections.all()] == ["A", "B"]
    assert Decision.objects.get(action="changed").reason == "put right for a test"


@pytest.mark.rule("chessa 12.2", "chessa 60")
def test_the_desk_has_no_way_past_the_page_of_the_registration(officer_client):
    address, today = "/admin/events/event/add/", timezone.localdate().isoformat()
    given = {
        "name": "Late Open",
        "region": region().pk,
        "kind": "otb",
        "federation": "RSA",
        "starts": today,
        "ends": today,
    }
    for answer in (officer_client.get(address), officer_client.post(address, given)):
        assert (answer.status_code, answer["Location"]) == (302, "/events/register/")
    assert not Event.objects.exists()


@pytest.mark.rule("chessa 61", "chessa 65")
def test_an_accepted_section_keeps_its_month(officer_client):
    event = event_of([(*people(2), "1-0")], date(2024, 3, 3))
    Event.objects.update(ends=date(2024, 4, 3))
    section = event.sections.get()
    for day, texts in (("2024-04-01", 1), ("2024-03-31", 0)):
        answer = officer_client.post(
            change(section), posted_form(officer_client, change(section), starts=day, ends=day)
        )
        assert (answer.status_code == 200) == bool(texts)
    section.refresh_from_db()
    assert (section.ends, section.period.month) == (date(2024, 3, 31), MARCH)


@pytest.mark.parametrize(
    ("starts", "ends", "words"),
    [
        ("9999-12-01", "9999-12-31", "9999 cannot be meant"),
        ("2100-01-01", "2100-01-01", "2100 cannot be meant"),
        ("2999-01-01", "2999-01-01", "2999 cannot be meant"),
        ("1969-12-31", "1969-12-31", "1969 cannot be meant"),
        ("1900-01-01", "1900-01-01", "1900 cannot be meant"),
        ("2024-03-03", "2024-03-02", "The last day comes before the first"),
        ("2024-01-01", "2025-01-02", "That is more than a year"),
    ],
)
def test_a_day_that_cannot_be_meant_is_refused_at_the_desk(officer_client, starts, ends, words):
    event = submitted()
    section = event.sections.get()
    before = everything()
    for address in (change(event), change(section)):
        answer = officer_client.post(address, posted_form(officer_client, address, starts=starts, ends=ends))
        assert answer.status_code == 200
        assert any(words in text for text in form_errors(answer)), form_errors(answer)
    rows = posted_form(
        officer_client, change(event), starts=starts, ends=ends, sections__0__starts=starts, sections__0__ends=ends
    )
    assert any(words in text for text in form_errors(officer_client.post(change(event), rows)))
    assert everything() == before


@pytest.mark.rule("chessa 13.1")
@pytest.mark.parametrize(("name", "taken"), [("B", False), ("a ", True), ("  ", True), ("", True)])
def test_the_desk_gives_each_of_several_sections_a_name_of_its_own(officer_client, name, taken):
    event = register_event(details(), at=CLOCK)
    for section_name in ("A", "C"):
        days = {"starts": event.starts, "ends": event.ends}
        add_section(event, Section(name=section_name, base_minutes=60, increment_seconds=0, **days))
    section = event.sections.get(name="C")
    for address, field in ((change(section), "name"), (change(event), "sections__1__name")):
        answer = officer_client.post(address, posted_form(officer_client, address, **{field: name}))
        assert (answer.status_code == 200) is taken
        assert not taken or any("(article 13.1)" in text for text in form_errors(answer)), form_errors(answer)
    section.refresh_from_db()
    assert section.name == ("C" if taken else name)


@pytest.mark.rule("chessa 10", "chessa 62.1")
@pytest.mark.parametrize("changed", [{"federation": "NAM"}, {"kind": "abroad"}])
def test_the_desk_keeps_federation_and_kind_together(officer_client, changed):
    event = submitted()
    before = everything()
    answer = officer_client.post(change(event), posted_form(officer_client, change(event), **changed))
    assert any("(article 10)" in text for text in form_errors(answer)), form_errors(answer)
    assert everything() == before


@pytest.mark.rule("chessa 10", "chessa 43")
def test_an_event_with_results_is_not_made_one_abroad(officer_client):
    event = submitted()
    before = everything()
    abroad = {"kind": "abroad", "federation": "NAM", "fide_rated": "on", "results_url": "https://example.org/x"}
    answer = officer_client.post(change(event), posted_form(officer_client, change(event), **abroad))
    assert any("(articles 10, 43)" in text for text in form_errors(answer)), form_errors(answer)
    assert everything() == before


def test_a_section_lies_within_its_event(officer_client):
    event = submitted()
    section = event.sections.get()
    for address, data in (
        (change(section), {"ends": "2024-03-04"}),
        (change(event), {"sections__0__starts": "2024-03-01"}),
        (change(event), {"starts": "2024-03-03"}),
    ):
        answer = officer_client.post(address, posted_form(officer_client, address, **data))
        assert "It lies outside the event’s days." in form_errors(answer)
    both = posted_form(officer_client, change(event), ends="2024-03-04", sections__0__ends="2024-03-04")
    assert officer_client.post(change(event), both).status_code == 302


@pytest.mark.rule("chessa 65")
@pytest.mark.parametrize(("hour", "accepted"), [(21, False), (22, True)])
@pytest.mark.django_db
def test_an_event_is_accepted_from_its_last_day_on(hour, accepted):
    """Midnight in Johannesburg is 22:00 UTC of the day before."""
    event = event_of([(*people(2), "1-0")], date(2024, 3, 3), accept=False)
    at = datetime(2024, 3, 2, hour, 59, 59, tzinfo=UTC)
    if accepted:
        assert accept_event(event, at=at).month == MARCH
        return
    with pytest.raises(EventError, match="ends on 3 Mar 2024, which is still to come"):
        accept_event(event, at=at)
    assert not RatingPeriod.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("month", [date(1969, 12, 1), date(2100, 1, 1), date(2999, 1, 1), date(1, 1, 1)])
def test_a_month_that_cannot_be_meant_is_not_opened(month):
    get_or_create_period(MARCH)
    with pytest.raises(PeriodError, match="correct the year"):
        get_or_create_period(month)
    assert RatingPeriod.objects.count() == 1


DECOMPOSED, COMPOSED = "Zoe\u0308", "Zo\u00eb"
UNSEEN = "There is a character that cannot be seen, U+200B (zero width space). Remove it."


@pytest.mark.parametrize("name", ["name", "organiser_name", "organising_body", "sections__0__name"])
def test_names_of_an_event_are_composed_and_seen_whole(officer_client, name):
    event = submitted()
    data = posted_form(officer_client, change(event), **{name: "Zo\u200be"})
    assert form_errors(officer_client.post(change(event), data)) == [UNSEEN]
    data = posted_form(officer_client, change(event), **{name: DECOMPOSED})
    assert officer_client.post(change(event), data).status_code == 302
    event.refresh_from_db()
    row = event.sections.get() if name.startswith("sections") else event
    assert getattr(row, name.rpartition("__")[2]) == COMPOSED


def test_names_of_arbiters_are_composed_and_seen_whole(officer_client):
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA")
    data = posted_form(officer_client, change(arbiter), name="Grace\u200bTenza")
    assert form_errors(officer_client.post(change(arbiter), data)) == [UNSEEN]
    data = posted_form(officer_client, change(arbiter), name=DECOMPOSED)
    assert officer_client.post(change(arbiter), data).status_code == 302
    arbiter.refresh_from_db()
    assert arbiter.name == COMPOSED


def test_the_name_of_an_event_in_a_file_is_composed(db):
    prepared = validate_file(section_file(open_file(name=DECOMPOSED)), today=CLOCK.date())
    assert submit_new_event(prepared, details(name=""), at=CLOCK, late_reason=LATE_REASON).name == COMPOSED


def test_two_arbiters_and_two_sections_of_an_event_change_places(officer_client, caplog):
    """They are saved one after the other; and what is sent once more, from the page as it was, is said to be there."""
    event = event_of([(*people(2), "1-0")], accept=False)
    Section.objects.update(name="A")
    first = event.sections.get()
    Section.objects.create(
        event=event, position=2, name="B", format="swiss", base_minutes=60, starts=first.starts, ends=first.ends
    )
    arbiters = [Arbiter.objects.create(name=name, title="NA") for name in ("Grace Nel", "Thabo Dube", "Anna Cele")]
    for position, arbiter in enumerate(arbiters[:2], 1):
        Appointment.objects.create(event=event, arbiter=arbiter, position=position)
    swapped = {f"{rows}__{place}__position": 2 - place for rows in ("sections", "appointments") for place in (0, 1)}
    assert officer_client.post(change(event), posted_form(officer_client, change(event), **swapped)).status_code == 302
    assert list(event.sections.values_list("name", "position")) == [("B", 1), ("A", 2)]
    assert list(event.appointments.values_list("arbiter", "position")) == [(arbiters[1].pk, 1), (arbiters[0].pk, 2)]
    row = {"id": "", "event": event.pk, "arbiter": arbiters[2].pk, "position": 3, "first_round": "", "last_round": ""}
    added = {f"appointments__2__{name}": value for name, value in row.items()}
    page = posted_form(officer_client, change(event), appointments__TOTAL_FORMS=3, **added)
    assert officer_client.post(change(event), page).status_code == 302
    again = officer_client.post(change(event), page, follow=True)
    assert "Nothing was saved: a row like one of these is on record" in again.content.decode()
    assert "a form of the desk was refused by the database" in caplog.text
    assert "Anna Cele" not in caplog.text
    assert event.appointments.count() == 3


def test_a_removed_row_gives_its_position_to_one_before_it(officer_client):
    event = event_of([(*people(2), "1-0")], accept=False)
    arbiters = [Arbiter.objects.create(name=name, title="NA") for name in ("Grace Nel", "Thabo Dube", "Anna Cele")]
    for position, arbiter in enumerate(arbiters, 1):
        Appointment.objects.create(event=event, arbiter=arbiter, position=position)
    moved = {"appointments__0__position": 2, "appointments__1__DELETE": "on"}
    assert officer_client.post(change(event), posted_form(officer_client, change(event), **moved)).status_code == 302
    assert list(event.appointments.values_list("arbiter", "position")) == [(arbiters[0].pk, 2), (arbiters[2].pk, 3)]


@pytest.mark.parametrize(("position", "error"), [("0", "At least 1."), ("1000", "At most 999.")])
@pytest.mark.parametrize("rows", ["sections", "appointments"])
def test_a_position_is_one_that_can_be_meant(officer_client, rows, position, error):
    """The registration counts from 1, and goes on from the last."""
    event = event_of([(*people(2), "1-0")], accept=False)
    Appointment.objects.create(event=event, arbiter=Arbiter.objects.create(name="Grace Nel", title="NA"), position=1)
    page = posted_form(officer_client, change(event), **{f"{rows}__0__position": position})
    assert form_errors(officer_client.post(change(event), page)) == [error]


def test_a_section_is_not_put_at_the_position_of_one_that_the_page_does_not_show(officer_client, half):
    first, second = half.sections.order_by("pk")
    page = posted_form(officer_client, change(half), sections__0__position=first.position)
    (error,) = form_errors(officer_client.post(change(half), page))
    assert error == f"{first} has it, which is of a published list: give another."
    second.refresh_from_db()
    assert second.position != first.position
