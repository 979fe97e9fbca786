"""Appealing a refusal: in time, once, answered with a reason; upheld it can be rated again, dismissed it is final."""

from datetime import date, timedelta

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from events.appeals.operations import answer_appeal, lodge_appeal, refuse_section, take_back
from events.models import Appeal, Event
from events.operations import EventError, accept_event, move_event, refuse_event, register_event, return_event
from events.rules.states import State
from ratings.models import Performance
from tests.builders import CLOCK, calculate, details, everything, panel, period, publish, refused_by, region
from tests.events.appeals.cases import SECOND, act, local, section, two_sections

pytestmark = pytest.mark.django_db
WHY, GROUNDS = "Two time controls were used.", "The clocks were set alike; the arbiter’s list shows it."
MARCH_3 = date(2024, 3, 3)
LATER = CLOCK + timedelta(days=5)


def refused(event: Event, *, at=CLOCK):
    move_event(event, State.REFUSED, at=at, reason=WHY)
    return event.refusals.latest("pk")


def lodge(refusal, *, at=LATER, by=None):
    return lodge_appeal(refusal, appellant="Gauteng", grounds=GROUNDS, at=at, by=by)


def answer(appeal, upheld, *, at=LATER, by=None):
    by = by or User.objects.filter(is_panel=True).first() or panel()
    answer_appeal(appeal, upheld=upheld, at=at, by=by, answer="The list is convincing." if upheld else "It is not.")


@pytest.mark.rule("chessa 11")
def test_it_is_lodged_until_the_last_second_of_the_21st_day(administrator):
    refusal = refused(two_sections(MARCH_3, at=CLOCK))  # notice on 2 April
    before = everything()
    with pytest.raises(EventError, match=r"The last day to appeal was 23 Apr 2024 \(article 11\)"):
        lodge(refusal, at=local(2024, 4, 24))
    assert everything() == before
    appeal = lodge(refusal, at=local(2024, 4, 24) - SECOND)
    assert (appeal.state, appeal.appellant, appeal.grounds) == ("lodged", "Gauteng", GROUNDS)


@pytest.mark.rule("chessa 11")
def test_an_upheld_event_goes_back_to_the_officer_and_is_rated():
    event, by = two_sections(MARCH_3), panel()
    refusal = refused(event)
    answer(lodge(refusal), True, by=by)
    event.refresh_from_db()
    refusal.refresh_from_db()
    last = event.moves.last()
    assert (event.state, refusal.lifted_at) == ("submitted", LATER)
    assert (last.source, last.reason, last.actor) == ("refused", "The list is convincing.", by)
    accept_event(event, at=LATER)
    publish()
    assert Performance.objects.filter(section__event=event).exists()


def test_what_was_refused_by_a_clock_that_was_ahead_goes_on_when_it_is_right():
    ahead = LATER + timedelta(days=30)
    upheld, mistaken = two_sections(MARCH_3), two_sections(MARCH_3)
    answer(lodge(refused(upheld, at=ahead), at=LATER), True, by=panel())
    take_back(refused(mistaken, at=ahead), at=LATER, by=None, reason="by mistake")
    for event in (upheld, mistaken):
        event.refresh_from_db()
        assert event.state == "submitted"


@pytest.mark.rule("chessa 11", "chessa 60")
def test_an_upheld_late_registration_is_registered():
    event = register_event(details(), at=CLOCK)
    Event.objects.update(state=State.LATE.value)
    answer(lodge(refused(event)), True)
    event.refresh_from_db()
    assert event.state == "registered"


@pytest.mark.rule("chessa 11")
def test_dismissed_it_is_final():
    event = two_sections(MARCH_3)
    refusal = refused(event)
    answer(lodge(refusal), False)
    event.refresh_from_db()
    refusal.refresh_from_db()
    assert (event.state, refusal.lifted_at) == ("refused", None)
    with pytest.raises(EventError, match="a refusal is appealed once"):
        lodge(refusal)


def test_a_second_refusal_can_be_appealed_again():
    event = two_sections(MARCH_3)
    answer(lodge(refused(event)), True)
    event.refresh_from_db()
    second = refused(event, at=LATER)
    assert lodge(second, at=LATER).state == "lodged"
    with pytest.raises(EventError, match="The refusal is lifted"):
        lodge(event.refusals.earliest("pk"))


def test_an_appeal_is_one_also_for_the_database():
    appeal = lodge(refused(two_sections()))
    with pytest.raises(IntegrityError), transaction.atomic():
        Appeal.objects.create(refusal=appeal.refusal, at=CLOCK, appellant="x", grounds="y")
    for fields in ({"state": "upheld"}, {"state": "dismissed", "answered_at": CLOCK}, {"answer": "yes"}):
        with refused_by("appeal_answered_with_a_reason"):
            Appeal.objects.update(**fields)


def test_an_answer_is_given_once_and_with_a_reason():
    event = two_sections(MARCH_3)
    appeal, by = lodge(refused(event)), panel()
    before = everything()
    with pytest.raises(EventError, match="give the reason why it is upheld"):
        answer_appeal(appeal, upheld=True, at=LATER, by=by, answer=" ")
    assert everything() == before
    answer(appeal, False)
    with pytest.raises(EventError, match="it is dismissed already"):
        answer(appeal, True)
    assert [one.state for one in appeal.history.all()] == ["dismissed", "lodged"]


def refuse_b(event):
    return refuse_section(section(event), at=CLOCK, by=None, reason=WHY)


@pytest.mark.rule("chessa 11")
def test_an_upheld_section_is_accepted_with_the_others():
    event = two_sections(MARCH_3)
    answer(lodge(refuse_b(event)), True)
    assert section(event).period is None
    accept_event(event, at=LATER)
    assert section(event).period == period()


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize("calculated", [False, True])
def test_an_upheld_section_of_an_accepted_event_joins_the_others(calculated):
    event = two_sections(MARCH_3, state=State.ACCEPTED)
    appeal = lodge(refuse_b(event))
    if calculated:
        calculate()
    answer(appeal, True)
    assert section(event).period == period()
    publish()
    event.refresh_from_db()
    assert (event.state, Performance.objects.filter(section=section(event)).exists()) == ("published", True)


@pytest.mark.rule("chessa 11", "chessa 61")
def test_an_upheld_section_of_a_published_event_is_rated_in_the_next_open_month(client):
    event = two_sections(MARCH_3, state=State.ACCEPTED)
    appeal = lodge(refuse_b(event))
    publish()
    answer(appeal, True)
    april = date(2024, 4, 1)
    assert section(event).period == period(april)
    publish(april)
    assert set(Performance.objects.values_list("section__name", "run__period__month").distinct()) >= {("B", april)}
    page = client.get(f"/events/{event.pk}/").content.decode()
    assert page.count("Rated on the list of") == 2
    assert [page.count(f"B: {word}") for word in ("refused", "appeal lodged", "appeal upheld")] == [1, 1, 1]


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize("whole", [True, False])
def test_what_the_panel_decided_is_not_refused_again_until_results_come_anew(whole):
    event, late = two_sections(MARCH_3), LATER + timedelta(days=1)
    answer(lodge(refused(event) if whole else refuse_b(event)), True)
    event.refresh_from_db()
    before = everything()
    for again in (
        lambda: refuse_event(event, at=late, reason="On second thoughts."),
        lambda: refuse_section(section(event), at=late, by=None, reason="On second thoughts."),
    ):
        with pytest.raises(EventError, match=r"the appeals panel upheld the appeal for .* on 7 Apr 2024"):
            again()
        assert everything() == before
    if not whole:
        refuse_section(section(event, "A"), at=late, by=None, reason="Another matter.")
        return
    return_event(event, at=late, reason="Round 3 is missing.")
    move_event(event, State.SUBMITTED, at=late + SECOND)
    refuse_event(event, at=late + 2 * SECOND, reason="Now it names other players.")
    assert event.state == "refused"


# The pages


@pytest.fixture
def fresh(browser_of, administrator):
    """An event of the administrator's region that was refused today."""
    event = two_sections()
    refused(event, at=timezone.now())
    return event


def send(client, event, **fields):
    given = {"refusal": event.refusals.latest("pk").pk, "appellant": "Thandi Nkosi", "grounds": GROUNDS, **fields}
    return client.post(f"/events/{event.pk}/appeal/", given)


@pytest.mark.rule("chessa 11")
@pytest.mark.parametrize(("action", "state"), [("uphold", "upheld"), ("dismiss", "dismissed")])
def test_the_administrator_appeals_and_the_panel_answers_by_mail(browser_of, client, fresh, action, state):
    member = panel()
    page = browser_of.get(f"/events/{fresh.pk}/appeal/").content.decode()
    assert WHY in page
    assert "Last day to appeal" in page
    assert send(browser_of, fresh)["Location"] == f"/events/{fresh.pk}/appeal/"
    page = browser_of.get(f"/events/{fresh.pk}/appeal/").content.decode()
    assert "for Thandi Nkosi" in page
    assert "with the appeals panel" in page
    assert "<textarea" not in page
    (told,) = mail.outbox
    assert (told.to, told.subject) == (["panel@example.org"], "Appeal lodged: Mopane Open")
    mail.outbox.clear()
    client.force_login(member)
    row = Appeal.objects.get()
    assert "give the reason" in act(client, "appeal", action, [row])[0]
    said = act(client, "appeal", action, [row], "We looked at the list.")
    assert said == ["A mail is on its way to gau@example.org.", f"1 {state}: {row}."]
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["gau@example.org"], f"Appeal {state}: Mopane Open")
    assert "We looked at the list." in sent.body
    assert WHY in client.get(f"/admin/events/appeal/{row.pk}/change/").content.decode()


@pytest.mark.rule("chessa 11")
def test_the_trail_tells_it_by_roles(browser_of, administrator, client, fresh):
    def trail():
        page = client.get(f"/events/{fresh.pk}/").content.decode()
        return page[page.index('<ol class="trail') : page.index("</ol>")]

    client.logout()
    assert "Appeal, if lodged" in trail()
    client.force_login(administrator)
    send(client, fresh)
    client.logout()
    shown = trail()
    assert "Appeal lodged" in shown
    assert "With the appeals panel" in shown
    assert "Thandi" not in shown
    assert "gau@" not in shown
    answer_appeal(Appeal.objects.get(), upheld=True, at=timezone.now(), by=panel(), answer="Yes.")
    shown = trail()
    assert "Appeal upheld" in shown
    assert "by the appeals panel" in shown
    assert shown.index("Refused") < shown.index("Appeal lodged") < shown.index("Appeal upheld")
    assert "Rated" in shown


def test_a_dismissed_appeal_ends_the_trail(client, fresh):
    answer_appeal(
        lodge(fresh.refusals.get(), at=timezone.now()), upheld=False, at=timezone.now(), by=panel(), answer="No."
    )
    client.logout()
    page = client.get(f"/events/{fresh.pk}/").content.decode()
    steps = page[page.index('<ol class="trail') : page.index("</ol>")]
    assert steps.rstrip().endswith("</li>")
    assert "Appeal dismissed" in steps
    assert "next-step" not in steps


def test_a_page_that_was_kept_is_asked_for_again_when_an_appeal_is_lodged(client, fresh):
    client.logout()
    first = client.get(f"/events/{fresh.pk}/")["ETag"]
    lodge(fresh.refusals.get(), at=timezone.now())
    assert client.get(f"/events/{fresh.pk}/")["ETag"] != first


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"refusal": ""}, "Choose the refusal."),
        ({"refusal": "99999999999999999999"}, "Choose a refusal of this event."),
        ({"appellant": " "}, "Say on whose behalf you appeal."),
        ({"appellant": "x" * 121}, "At most 120 characters."),
        ({"grounds": ""}, "Give the grounds of the appeal."),
        ({"grounds": "x" * 10_000}, "At most 2000 characters"),
        ({"grounds": "\u200b\u2060"}, "Give the grounds of the appeal."),
    ],
)
def test_bad_input_is_said_and_nothing_is_saved(browser_of, fresh, fields, said):
    before = everything()
    response = send(browser_of, fresh, **fields)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert everything() == before


@pytest.mark.rule("chessa 11")
def test_late_is_told_at_the_form_and_not_taken(browser_of):
    event = two_sections()
    refused(event, at=timezone.now() - timedelta(days=22))
    page = browser_of.get(f"/events/{event.pk}/appeal/").content.decode()
    assert "No appeal can be lodged any more: the refusal stands." in page
    assert "<textarea" not in page
    before = everything()
    response = send(browser_of, event)
    assert response.status_code == 422
    assert "The last day to appeal was" in response.content.decode()
    assert everything() == before


def test_somebody_else_of_the_region_was_quicker(browser_of, fresh):
    send(browser_of, fresh, appellant="The other one")
    before = everything()
    response = send(browser_of, fresh)
    assert "An appeal was lodged already" in response.content.decode()
    assert everything() == before


def test_of_several_refusals_one_is_chosen(browser_of):
    event, now = two_sections(), timezone.now()
    refuse_section(section(event), at=now, by=None, reason=WHY)
    refused(event, at=now)
    page = browser_of.get(f"/events/{event.pk}/appeal/").content.decode()
    assert page.count("<option") == 2
    assert "<h2>B</h2>" in page
    assert send(browser_of, event, refusal=event.refusals.exclude(section=None).get().pk).status_code == 302
    assert Appeal.objects.get().refusal.section == section(event)


def test_what_was_not_refused_says_so(browser_of):
    event = two_sections()
    assert "There is nothing to appeal." in browser_of.get(f"/events/{event.pk}/appeal/").content.decode()
    assert browser_of.post(f"/events/{event.pk}/appeal/", {}).status_code == 422


def test_another_regions_refusal_is_not_there(browser_of, fresh):
    fresh.region = region("LCP")
    fresh.save()
    assert browser_of.get(f"/events/{fresh.pk}/appeal/").status_code == 404
    assert send(browser_of, fresh).status_code == 404


def test_my_events_say_what_is_next_and_until_when(browser_of, administrator, fresh):
    page = browser_of.get("/events/mine/").content.decode()
    last = timezone.localdate() + timedelta(days=21)
    assert "Appeal the refusal, or let it stand" in page
    assert f"by {last:%-d %b %Y} (article 11)" in page
    assert f"/events/{fresh.pk}/appeal/" in page
    lodge(fresh.refusals.get(), at=timezone.now(), by=administrator)
    assert "The appeals panel answers the appeal" in browser_of.get("/events/mine/").content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_my_events_ask_no_more_queries_for_three(browser_of, django_assert_num_queries, count):
    for day in range(count):
        refused(two_sections(date(2024, 3, 3 + day)))
    with django_assert_num_queries(16):
        browser_of.get("/events/mine/")
