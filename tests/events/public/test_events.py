import re
from datetime import UTC, date, datetime

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import User
from events.models import Appeal, Event, EventMove, Refusal, Round
from events.operations import register_event
from events.rules.states import State
from players.models import Region
from ratings.models import Performance, RatingList
from tests.builders import details, region
from tests.pages import builders

pytestmark = pytest.mark.django_db


def page(client, event: Event) -> str:
    response = client.get(f"/events/{event.pk}/")
    assert response.status_code == 200
    return response.content.decode()


def listed(response) -> list[str]:
    return re.findall(r'class="row-link" href="/events/\d+/">([^<]+)<', response.content.decode())


def test_no_event_yet(client):
    assert "No event is registered yet." in client.get("/events/").content.decode()


def test_drafts_are_not_public(client):
    draft = builders.event("Draft", state=State.DRAFT)
    assert client.get(f"/events/{draft.pk}/").status_code == 404
    assert listed(client.get("/events/")) == []


def test_the_newest_come_first_and_are_narrowed(client):
    builders.event("Older", ends=date(2024, 2, 11))
    builders.event("Newer", ends=date(2024, 3, 11))
    builders.event("Elsewhere", ends=date(2024, 3, 10), region="LVT")
    assert listed(client.get("/events/")) == ["Newer", "Elsewhere", "Older"]
    assert listed(client.get("/events/?region=LVT")) == ["Elsewhere"]
    assert listed(client.get("/events/?region=province-GP")) == ["Newer", "Older"]
    assert listed(client.get("/events/?month=2024-02")) == ["Older"]
    assert listed(client.get("/events/?q=new")) == ["Newer"]
    assert "No event fits." in client.get("/events/?q=zzz").content.decode()


def test_a_month_that_is_none_is_said_at_the_field_and_above(client):
    text = client.get("/events/?month=2024-99").content.decode()
    assert text.count("Write the month as year and month: 2026-10.") == 2
    assert 'href="#id_month"' in text


def test_pages_of_events_meet(client):
    for index in range(120):
        builders.event(f"Event {index:03d}", ends=date(2024, 1 + index % 3, 1 + index % 28))
    first = client.get("/events/")
    after = re.search(r"after=(\d+)", first.content.decode()).group(1)
    second = client.get(f"/events/?after={after}")
    before = re.search(r"before=(\d+)", second.content.decode()).group(1)
    assert listed(client.get(f"/events/?before={before}")) == listed(first)
    after = re.search(r"after=(\d+)", second.content.decode()).group(1)
    third = client.get(f"/events/?after={after}")
    found = [*listed(first), *listed(second), *listed(third)]
    assert len(found) == len(set(found)) == 120


def test_before_the_results_the_page_says_what_is_awaited(client):
    text = page(client, builders.event(state=State.REGISTERED))
    assert "No results yet." in text
    assert "by 30 Apr 2024 (article 61)" in text


def test_before_the_results_it_says_how_many_rounds_are_planned_and_on_which_days(client):
    event = builders.event(state=State.REGISTERED)
    assert "Planned rounds" not in page(client, event)
    section = event.sections.get()
    section.planned_rounds = 5
    section.save()
    for number, day in enumerate([15, 16, 16, 16, None], start=1):
        Round.objects.create(section=section, number=number, date=day and date(2024, 3, day))
    text = " ".join(page(client, event).split())
    assert re.search("<dt>Planned rounds</dt> ?<dd>5</dd>", text)
    assert "Round 1 on 15 Mar 2024, rounds 2–4 on 16 Mar 2024<" in text


def test_the_hubs_of_a_hybrid_event_are_named(client):
    event = builders.event(state=State.REGISTERED)
    event.hubs.set([event.region, region("LCP")])
    assert "playing hub" not in page(client, event)
    Event.objects.update(kind="hybrid")
    text = page(client, event)
    assert "Regions with a playing hub" in text
    assert 'href="/regions/LCP/"' in text


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (State.SUBMITTED, "The file is being checked; names and results are public once"),
        (State.RETURNED, "The file went back to the region to be corrected; names and results are public once"),
        (State.REFUSED, "The ratings bureau refused the event: its results are not rated, and not public."),
    ],
)
def test_names_and_results_that_nobody_has_accepted_are_not_public(client, state, why):
    made = builders.players(6)
    event = builders.event(state=state)
    builders.round_robin(event.sections.get(), made)
    text = page(client, event)
    assert why in text
    assert "90 min + 30 s" in text
    assert not any(player.last_name in text for player in made)
    assert "Crosstable</h3>" not in text
    assert "15 games" not in text


def test_results_without_figures_before_publication(client):
    made = builders.players(6)
    event = builders.event()
    builders.round_robin(event.sections.get(), made)
    builders.calculate(builders.MARCH)
    text = page(client, event)
    assert "6 players, 5 rounds, 15 games" in text
    assert "Rating changes appear when the list is published." in text
    assert "Main change" not in text


def test_standings_have_what_the_run_calculated(client):
    made = builders.players(6)
    event = builders.event()
    builders.round_robin(event.sections.get(), made)
    builders.publish(builders.MARCH)
    text = page(client, event)
    assert 'Rated on the list of <a href="/lists/main/2024-03/">1 Apr 2024</a>' in text
    found = Performance.objects.get(player=made[0], list__code="main")
    row = re.search(r"Tom Ashby</a>.*?</tr>", text).group()
    assert f"+{found.change:.1f}" in row
    assert f"{found.performance:,.0f}".replace(",", "\u202f") in row
    assert ">unrated<" in row


def test_a_list_of_another_system_does_not_take_the_place_of_the_section_s_own(client):
    main = RatingList.objects.get(code="main")
    RatingList.objects.create(code="icu", name="ICU", position=5, system="icu", starts_from=main)
    made = builders.federation()
    event = Event.objects.get(name="April Rapid")
    found = Performance.objects.filter(player=made[0], section__event=event)
    changes = dict(found.values_list("list__code", "change"))
    assert set(changes) == {"main", "rapid", "icu"}
    assert f"{changes['icu']:.1f}" != f"{changes['rapid']:.1f}"
    text = page(client, event)
    own = text[text.index("<h3>Performances and changes</h3>") :]
    assert re.findall(r'<a href="/lists/(\w+)/2024-04/">', own) == ["main", "rapid", "icu"]
    row = re.search(r"Tom Ashby</th>.*?</tr>", own).group()
    performances = dict(found.values_list("list__code", "performance"))
    assert f">{performances['rapid']:,.0f}<".replace(",", "\u202f") in row
    assert f"+{changes['rapid']:.1f}" in row
    assert f"+{changes['icu']:.1f}" not in row
    folded = text[text.index("<summary>Changes by other systems</summary>") :]
    assert '<a href="/lists/icu/2024-04/">ICU</a>' in folded
    row = re.search(r"Tom Ashby</th>.*?</tr>", folded).group()
    assert f'<td class="num up">+{changes["icu"]:.0f}</td>' in row


def test_the_crosstable_pairs_every_game_with_its_mirror(client):
    first, second, third, *_ = builders.players(6)
    event = builders.event()
    builders.play(
        event.sections.get(),
        [
            (1, first, second, "1-0"),
            (1, third, None, "bye"),
            (2, second, third, "1/2-1/2"),
            (2, first, None, "bye-zero"),
            (3, first, third, "--+"),
        ],
    )
    cells = re.findall(r'<td class="cell (\w+)">(.*?)</td>', page(client, event))
    texts = [(outcome, re.sub(r"<.*?>", "", text).strip()) for outcome, text in cells]
    # By points: third 2½, first 1, second ½.
    assert texts == [
        ("unplayed", "1 bye"),
        ("draw", "3b ½"),
        ("unplayed", "2 +"),
        ("win", "3w 1"),
        ("unplayed", "–"),
        ("unplayed", "1 −"),
        ("loss", "2b 0"),
        ("draw", "1w ½"),
        ("none", ""),
    ]


def test_roles_are_named_and_not_the_people(client):
    event = builders.event(state=State.SUBMITTED)
    officer = User.objects.create_user(
        "private.name@example.org", first_name="Private", last_name="Name", is_officer=True
    )
    EventMove.objects.filter(event=event, target=State.SUBMITTED).update(
        actor=officer, role="ratings officer", reason="a private remark"
    )
    text = page(client, event)
    assert "by the ratings officer" in text
    for private in ("private.name", "Private", "a private remark"):
        assert private not in text


def test_an_event_abroad_has_its_federation_and_no_host_region(client):
    event = builders.event("Sitges Open", state=State.SUBMITTED)
    event.kind, event.place, event.federation = "abroad", "Sitges", "ESP"
    event.save()
    EventMove.objects.filter(event=event).update(role="Regional Administrator")
    text = page(client, event)
    assert "Sitges, ESP." in text
    assert "<dt>Federation</dt><dd>ESP</dd>" in text
    assert event.region.name not in text
    assert "by the Regional Administrator" in text
    EventMove.objects.filter(event=event).update(role="player or team manager")
    text = page(client, event)
    assert "by the player or team manager" in text
    assert "Regional Administrator" not in text
    assert event.region.name not in client.get("/events/").content.decode().split("<tbody>")[1]


@pytest.mark.rule("chessa 15.3")
def test_arbiters_time_control_and_type_of_game(client):
    event = builders.event(time_control=(15, 10))
    arbiter = event.appointments.get().arbiter_id
    text = page(client, event)
    assert (
        f'<dt>Chief Arbiter</dt><dd><a href="/arbiters/{arbiter}/">Lindiwe Arendse</a>, National Arbiter</dd>' in text
    )
    assert "rapid, 15 min + 10 s" in text


@pytest.mark.rule("chessa 19", "chessa 20", "chessa 23")
@pytest.mark.parametrize(
    ("time_control", "kind"),
    [
        ((4, 0), "not rated"),
        ((3, 2), "blitz"),
        ((9, 0), "blitz"),
        ((5, 5), "rapid"),
        ((59, 0), "rapid"),
        ((50, 10), "standard"),
        ((90, 30), "standard"),
    ],
)
def test_types_of_game(client, time_control, kind):
    """Articles 19, 20 and 23: base minutes and increment seconds added; 5, 10 and 60 are the bounds."""
    assert f"Swiss, {kind}," in page(client, builders.event(time_control=time_control))


@pytest.mark.parametrize("count", [2, 8])
@pytest.mark.parametrize("sections", [1, 3])
def test_a_page_takes_at_most_six_queries_whatever_stands_on_it(queries, count, sections):
    made = builders.players(count)
    builders.round_robin(builders.event("February Open", ends=date(2024, 2, 18)).sections.get(), made)
    builders.publish(date(2024, 2, 1))
    event = builders.event(sections=[f"Section {place}" for place in range(sections)])
    for section in event.sections.all():
        builders.round_robin(section, made)
    builders.publish(builders.MARCH)
    small_tables = 4  # lists, months, corrections, notices: kept by the process from now on
    queries(f"/events/{event.pk}/", 6 + small_tables)
    queries(f"/events/{event.pk}/?once=more", 6)
    queries("/events/", 5)
    day = datetime(2024, 4, 1, tzinfo=UTC)
    refusal = Refusal.objects.create(event=event, section=event.sections.first(), at=day, reason="clocks")
    queries(f"/events/{event.pk}/?refused=1", 6 if sections > 1 else 4)
    Appeal.objects.create(refusal=refusal, appellant="GAU", grounds="None of them stopped", at=day)
    response = queries(f"/events/{event.pk}/?refused=2", 6 if sections > 1 else 4)
    assert "appeal lodged" in response.content.decode().lower()


@pytest.mark.rule("chessa 59")
def test_a_regions_own_rules_stand_on_its_events(client):
    event = register_event(details(), at=timezone.now())
    for address in (f"/events/{event.pk}/", "/events/?region=GAU"):
        assert "article 59" not in client.get(address).content.decode()
    Region.objects.filter(code="GAU").update(rules_url="https://example.org/rules", rules_approved=date(2024, 1, 31))
    for address in (f"/events/{event.pk}/", "/events/?region=GAU"):
        text = client.get(address).content.decode()
        assert '<a href="https://example.org/rules" rel="noopener nofollow">' in text
        assert "approved 31 Jan 2024" in text
    assert "article 59" not in client.get("/events/").content.decode()


@pytest.mark.rule("chessa 59")
@pytest.mark.parametrize("fields", [{"rules_url": "https://example.org"}, {"rules_approved": date(2024, 1, 31)}])
def test_rules_of_a_region_have_their_day(fields):
    one = Region(code="XYZ", name="Somewhere", **fields)
    with pytest.raises(ValidationError, match="have both"):
        one.full_clean()
