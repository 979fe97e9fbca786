"""The review of an event on one page: the evidence, and the decisions on it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import Decision, User
from events.archive import store_file
from events.claims import KEPT, claim, claim_of, release
from events.files.text import read_text
from events.models import Event, Penalty, Section, Submission, SubmissionFinding
from events.operations import EventError, accept_event, return_event
from events.review import files
from events.review.operations import version_shown, waive_hold
from events.review.queue import Tray, next_event, tray_of, waiting_events
from events.rules.states import State
from events.submission.recording import resubmit
from events.submission.validation import validate_file
from players.models import RegionalAdministrator
from tests.builders import CLOCK, lines, officer, open_file, people, region, round_robin, section_file, submitted, trf
from tests.pages import builders

WHY = "The arbiter telephoned."


@pytest.fixture
def desk(db, client):
    """The client of an officer."""
    client.force_login(officer())
    return client


@pytest.fixture
def held(db):
    """A submitted event with holds: its file does not date the rounds, and names another place of the time control."""
    event = submitted(open_file(dated=False))
    RegionalAdministrator.objects.create(
        user=User.objects.create_user("gau@example.org", is_staff=True), region=region(), since=event.starts
    )
    return event


def page_of(event, part=""):
    return f"/admin/events/event/{event.pk}/review/{part}"


def decide(desk, event, do, **words):
    """Post a decision on what the page shows now."""
    sent = {"do": do, "shown": version_shown(event), "what": "event", **words}
    return desk.post(page_of(event, "decide/"), sent)


def hold_of(event, message="A hold.", **fields):
    """A further hold of the event's file."""
    submission = Submission.objects.filter(section__event=event).latest("pk")
    fields = {"code": "x", "article": "12", **fields}
    return SubmissionFinding.objects.create(submission=submission, severity="hold", message=message, **fields)


def holds(event):
    return SubmissionFinding.objects.filter(submission__section__event=event, severity="hold").order_by("pk")


def state(event):
    event.refresh_from_db()
    return event.state


def text(answer):
    return " ".join(strip_tags(answer.content.decode()).split())


@pytest.mark.rule("chessa 12")
def test_each_hold_is_waived_with_a_reason_of_its_own(desk, held):
    other = hold_of(held, "The name of line 7 is odd.", line=7, column=15, end_column=17)
    shown = desk.get(page_of(held)).content.decode()
    assert "Line 7, columns 15–17" in shown
    assert "<mark>" in shown
    first = holds(held).first()
    count = Decision.objects.filter(action="waived").count()
    answer = desk.post(page_of(held, f"holds/{first.pk}/"), {"reason": " "})
    assert answer.status_code == 422
    assert "give the reason why this hold" in text(answer)
    assert desk.post(page_of(held, f"holds/{first.pk}/"), {"reason": WHY}).status_code == 302
    waived = Decision.objects.filter(action="waived")
    assert (waived.count() - count, waived.latest("pk").reason) == (1, WHY)
    assert waived.latest("pk").before == {"hold": first.message}
    first.refresh_from_db()
    other.refresh_from_db()
    assert (first.waived_reason, other.waived_at) == (WHY, None)


@pytest.mark.rule("chessa 12")
def test_an_event_with_an_open_hold_is_not_accepted_on_the_desk(desk, held):
    answer = decide(desk, held, "accept")
    assert answer.status_code == 422
    assert "waive each with its own reason" in text(answer)
    chosen = {"action": "accept", "_selected_action": [held.pk], "reason": WHY}
    desk.post("/admin/events/event/", chosen)
    assert (state(held), holds(held).filter(waived_at=None).exists()) == ("submitted", True)
    for hold in holds(held):
        desk.post(page_of(held, f"holds/{hold.pk}/"), {"reason": WHY})
    assert decide(desk, held, "accept").status_code == 302
    assert state(held) == "accepted"


def test_what_is_waived_or_decided_meanwhile_is_not_waived_again(desk, held):
    first, by = (
        holds(held).first(),
        User.objects.create_user("second@example.org", first_name="Ayanda", is_officer=True),
    )
    waive_hold(held, first.pk, at=CLOCK, by=by, reason="I asked.")
    answer = desk.post(page_of(held, f"holds/{first.pk}/"), {"reason": WHY})
    assert answer.status_code == 422
    assert "was waived already, by Ayanda" in text(answer)
    accept_event(held, at=CLOCK, by=by, reason="seen")
    with pytest.raises(EventError, match="accepted by now"):
        waive_hold(held, first.pk, at=CLOCK, by=by, reason=WHY)


@pytest.mark.rule("chessa 12")
def test_the_ticked_findings_become_the_letter_which_is_read_before_it_goes(desk, held):
    answer = decide(desk, held, "return")
    assert answer.status_code == 422
    assert "Say what has to be corrected" in text(answer)
    first = holds(held).first()
    answer = decide(desk, held, "return", finding=[first.pk])
    assert answer.status_code == 422
    letter = answer.context["form"]["letter"].value()
    assert first.message in letter
    assert state(held) == "submitted"
    assert decide(desk, held, "return", letter=f"{letter}\n\nThank you.").status_code == 302
    assert (state(held), held.moves.last().reason) == ("returned", f"{letter}\n\nThank you.")
    assert "Thank you." in mail.outbox[-1].body


@pytest.mark.rule("chessa 11")
def test_a_section_is_refused_and_the_rest_of_the_event_stays(desk):
    event = builders.event("Two", sections=["A", "B"], state=State.SUBMITTED)
    for section in event.sections.all():
        builders.round_robin(section, builders.players(4))
    first = event.sections.first()
    assert "Give the reason" in text(decide(desk, event, "refuse", what=first.pk))
    assert decide(desk, event, "refuse", what=first.pk, reason="Blitz clocks").status_code == 302
    assert first.refusals.get().reason == "Blitz clocks"
    assert state(event) == "submitted"
    assert decide(desk, event, "accept").status_code == 302
    assert [section.period is None for section in event.sections.all()] == [True, False]


@pytest.mark.rule("chessa 11")
def test_of_a_refused_section_no_hold_is_waived(desk, held):
    other = Section.objects.create(
        event=held, name="B", position=2, base_minutes=60, increment_seconds=0, starts=held.starts, ends=held.ends
    )
    builders.round_robin(other, builders.players(4))
    hold = holds(held).first()
    assert f"holds/{hold.pk}/" in desk.get(page_of(held)).content.decode()
    assert decide(desk, held, "refuse", what=held.sections.first().pk, reason="Blitz clocks").status_code == 302
    shown = desk.get(page_of(held))
    assert f"holds/{hold.pk}/" not in shown.content.decode()
    assert "Nothing is decided on it: the section is refused." in text(shown)


@pytest.mark.rule("chessa 11")
def test_an_event_is_refused_with_a_reason(desk, held):
    assert decide(desk, held, "refuse", reason="Not played").status_code == 302
    assert (state(held), held.refusals.get().reason) == ("refused", "Not played")


@pytest.mark.rule("chessa 60")
def test_a_late_registration_is_decided_on_the_same_page(desk):
    event = builders.event("Late", state=State.DRAFT)
    event.moves.create(source="draft", target="late", at=CLOCK, reason="The hall was let late.")
    Event.objects.filter(pk=event.pk).update(state="late")
    event.refresh_from_db()
    assert "The hall was let late." in text(desk.get(page_of(event)))
    assert "Give the reason" in text(decide(desk, event, "grant"))
    assert decide(desk, event, "grant", grant_reason="It is a school.").status_code == 302
    assert (state(event), event.moves.last().reason) == ("registered", "It is a school.")


def test_what_another_decided_meanwhile_is_told_and_what_was_typed_stays(desk, held):
    shown = version_shown(held)
    by = User.objects.create_user("second@example.org", first_name="Ayanda", is_officer=True)
    accept_event(held, at=CLOCK, by=by, reason="in order")
    sent = {"do": "return", "shown": shown, "letter": "Please send the dates."}
    answer = desk.post(page_of(held, "decide/"), sent)
    assert answer.status_code == 409
    assert "is accepted since" in text(answer)
    assert "by Ayanda" in text(answer)
    assert answer.context["form"]["letter"].value() == "Please send the dates."
    assert state(held) == "accepted"


@pytest.mark.parametrize("change", ["file", "hold", "registration", "penalty"])
def test_a_decision_is_made_on_what_was_shown(desk, held, change):
    shown = version_shown(held)
    if change == "file":
        submission = held.sections.get().submissions.get()
        Submission.objects.create(section=submission.section, file=submission.file, name="new.txt", at=CLOCK)
    elif change == "hold":
        hold_of(held)
    elif change == "registration":
        Event.objects.filter(pk=held.pk).update(version=held.version + 1)
    else:
        section = held.sections.get()
        Penalty.objects.create(
            section=section, player=section.entries.first().player, round=2, kind="forfeit", points=20
        )
    answer = desk.post(page_of(held, "decide/"), {"do": "return", "shown": shown, "letter": "Correct it."})
    assert answer.status_code == 409
    assert "Since you opened the page" in text(answer)
    assert state(held) == "submitted"


def test_who_lost_the_right_gets_the_words_back(client, held):
    user = officer()
    client.force_login(user)
    User.objects.filter(pk=user.pk).update(is_officer=False)
    answer = client.post(page_of(held, "decide/"), {"do": "return", "letter": "Please send the dates."})
    assert answer.status_code == 403
    assert "Please send the dates." in text(answer)
    assert state(held) == "submitted"


def test_who_was_logged_out_gets_the_words_back_and_comes_to_the_page_by_the_log_in(client, held):
    user = officer()
    client.force_login(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    sent = {"do": "return", "letter": "Please send the dates."}
    answer = client.post(page_of(held, "decide/"), sent)
    assert (answer.status_code, state(held)) == (403, "submitted")
    assert "Please send the dates." in text(answer)
    assert f"?next={page_of(held, 'decide/')}" in answer.content.decode()
    User.objects.filter(pk=user.pk).update(is_active=True)
    client.force_login(user)
    assert client.get(page_of(held, "decide/")).headers["Location"] == page_of(held)


@pytest.mark.parametrize("part", ["decide", "holds/1", "penalties/1", "claim"])
def test_the_address_of_a_form_leads_to_the_page(desk, held, part):
    assert desk.get(page_of(held, f"{part}/")).headers["Location"] == page_of(held)
    assert claim_of(held, at=timezone.now()) is None


@pytest.mark.rule("chessa 51")
def test_a_penalty_is_decided_on_the_page(desk, held):
    section = held.sections.get()
    penalty = Penalty.objects.create(
        section=section, player=section.entries.first().player, round=2, kind="forfeit", points=20
    )
    address = page_of(held, f"penalties/{penalty.pk}/")
    answer = desk.post(address, {"do": "drop", "from": "proposed", "reason": ""})
    assert answer.status_code == 422
    assert desk.post(address, {"do": "drop", "from": "proposed", "reason": "ill"}).status_code == 302
    penalty.refresh_from_db()
    assert (penalty.status, penalty.reason) == ("dropped", "ill")
    assert "is dropped by now" in text(desk.post(address, {"do": "confirm", "from": "proposed", "reason": ""}))


def test_who_has_it_open_is_shown_to_others_for_half_an_hour(desk, held):
    first = User.objects.create_user("first@example.org", first_name="Ayanda")
    second = User.objects.get(email="officer@example.org")
    assert desk.post(page_of(held, "claim/"), {"do": "take"}).status_code == 302
    assert claim_of(held, at=timezone.now()).by == second
    release(held, by=first)
    assert claim_of(held, at=timezone.now()) is not None
    desk.post(page_of(held, "claim/"), {"do": "leave"})
    assert claim_of(held, at=timezone.now()) is None
    claim(held, at=timezone.now(), by=first)
    assert claim(held, at=timezone.now(), by=second).by == first
    assert "Ayanda has this event open" in text(desk.get(page_of(held)))
    later = timezone.now() + KEPT
    assert claim_of(held, at=later) is None
    assert claim(held, at=later, by=second).by == second
    before = later - KEPT - timedelta(seconds=1)  # the clock was ahead
    assert claim_of(held, at=before) is None
    assert claim(held, at=before, by=first).by == first
    claim(held, at=later + KEPT, by=second)
    decide(desk, held, "refuse", reason="Not played")
    assert claim_of(held, at=later) is None


def test_the_next_event_is_that_of_the_tray_which_waits_longest(desk):
    clean = [builders.event(name, state=State.SUBMITTED) for name in ("First", "Second", "Third")]
    for place, event in enumerate(clean):
        event.moves.filter(target="submitted").update(at=CLOCK + timedelta(days=place))
    held = submitted(open_file(dated=False))
    assert list(waiting_events(Tray.CLEAN)) == clean
    assert list(waiting_events(Tray.HOLDS)) == [held]
    assert [tray_of(event) for event in (clean[0], held)] == [Tray.CLEAN, Tray.HOLDS]
    assert [next_event(Tray.CLEAN, event) for event in (None, *clean)] == [*clean, clean[0]]
    answer = desk.get(f"/admin/events/event/review/next/?tray=clean&after={clean[0].pk}")
    assert answer.headers["Location"] == page_of(clean[1], "?tray=clean")
    assert next_event(Tray.HOLDS, held) is None
    section = clean[0].sections.get()
    builders.round_robin(section, builders.players(4))
    Penalty.objects.create(section=section, player=section.entries.first().player, round=2, kind="forfeit", points=20)
    assert tray_of(clean[0]) is Tray.HOLDS


def test_new_players_show_whom_they_are_like_and_files_what_differs(desk):
    known = people(1)[0]
    event = submitted(trf(lines(6), round_robin(6), name="Baobab Open"))
    Event.objects.filter(pk=event.pk).update(name="Mopane Open")
    newcomer = event.sections.get().entries.first().player
    newcomer.last_name, newcomer.first_name = known.last_name, known.first_name
    newcomer.save()
    answer = desk.get(page_of(event))
    words = text(answer)
    assert "6 players, 6 new" in words
    assert f"alike: {known.name} {known.number}" in words
    (shown,) = answer.context["sections"]
    first = shown.review.beside[0]
    assert (first.label, first.rated, first.in_file) == ("Event", "Mopane Open", "Baobab Open")


def test_a_second_file_shows_what_it_changed(desk):
    event = submitted()
    return_event(event, at=CLOCK, reason="round 1")
    section = event.sections.get()
    content = open_file().replace(b"Adendorff, Anele ", b"Adendorf, Anele  ")
    again = replace(section_file(content), event=event, section=section)
    resubmit(validate_file(again, today=CLOCK.date()), at=CLOCK + timedelta(days=1))
    assert "is Adendorf, Anele instead of Adendorff, Anele" in text(desk.get(page_of(event)))


def test_what_an_officer_changes_while_a_second_file_is_checked_stays(db):
    event = submitted()
    return_event(event, at=CLOCK, reason="round 1")
    content = open_file().replace(b"Adendorff, Anele ", b"Adendorf, Anele  ")
    again = validate_file(replace(section_file(content), event=event, section=event.sections.get()), today=CLOCK.date())
    Section.objects.update(name="Premier", position=7)
    resubmit(again, at=CLOCK + timedelta(days=1))
    assert list(Section.objects.values_list("name", "position")) == [("Premier", 7)]


def six_sections(count):
    """A submitted event of six sections with so many players each, their files and holds."""
    names = [f"Section {letter}" for letter in "ABCDEF"]
    event = builders.event(f"Six of {count}", sections=names, state=State.SUBMITTED)
    Event.objects.filter(pk=event.pk).update(fide_rated=True, kind="national")
    for section in event.sections.all():
        builders.round_robin(section, builders.players(count, last=f"Of{section.name[-1]}{count}"))
        file = store_file(trf(lines(count), round_robin(count), name=section.name))
        for place in range(2):
            submission = Submission.objects.create(
                section=section, file=file, name="a.trf", at=builders.CLOCK + timedelta(days=place), format="TRF16"
            )
        SubmissionFinding.objects.create(submission=submission, severity="hold", message="Odd.", line=3, code="x")
    return event


def test_the_page_asks_at_most_forty_queries_whatever_the_number_of_players(desk):
    builders.federation(4)
    assert connection.features.supports_json_field  # which a process asks SQLite once
    counts = []
    for count in (4, 16):
        event = six_sections(count)
        with CaptureQueriesContext(connection) as asked:
            answer = desk.get(page_of(event))
        assert answer.status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 40


def test_lists_and_pages_of_an_event_lead_to_it(desk, held):
    address = page_of(held)
    for page in ("/admin/events/event/", f"/admin/events/event/{held.pk}/change/", f"/events/{held.pk}/",
                 f"/events/{held.pk}/results/"):  # fmt: skip
        assert f'href="{address}"' in desk.get(page).content.decode(), page


def test_a_file_is_read_once_for_all_findings_of_its_lines(desk, held, monkeypatch):
    """A page with a thousand holds of a file of 5 MB took 49 seconds."""
    for number in range(5):
        hold_of(held, f"The name of line {number + 2} is odd.", line=number + 2)
    read = []
    monkeypatch.setattr(files, "read_text", lambda *given: read.append(given) or read_text(*given))
    assert desk.get(page_of(held)).status_code == 200
    assert len(read) == 1
