"""The public pages of arbiters and regions, and the calendar."""

import re
from datetime import date

import pytest
from django.utils import timezone

from events.models import Appointment, Arbiter, Membership
from events.rules.states import State
from players.models import Region
from tests.pages import builders

pytestmark = pytest.mark.django_db


def text_of(client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_an_arbiter_is_public_once_a_public_event_names_him_and_his_fees_never(client):
    event, hidden = builders.event("Mopane Open"), builders.event("Draft Open", state=State.DRAFT)
    arbiter = Arbiter.objects.get()
    Membership.objects.create(arbiter=arbiter, year=2024, paid_on=date(2024, 1, 2))
    address = f"/arbiters/{arbiter.pk}/"
    assert f'<a href="{address}">Lindiwe Arendse</a>' in text_of(client, f"/events/{event.pk}/")
    text = text_of(client, address)
    assert "National Arbiter of RSA" in text
    assert "Mopane Open" in text
    assert "Chief Arbiter" in text
    for private in ("Draft Open", "2 Jan 2024", "membership", "fee"):
        assert private not in text
    other = Arbiter.objects.create(name="Grace Tenza", title="IA")
    Appointment.objects.create(event=hidden, arbiter=other, position=2)
    assert client.get(f"/arbiters/{other.pk}/").status_code == 404
    assert client.get(f"/arbiters/{'9' * 30}/").status_code == 404


def test_a_region_has_its_players_its_best_and_its_events(client):
    made = builders.players(8)
    builders.players(2, region="LVT", last="Elsewhere")
    builders.round_robin(builders.event("March Open").sections.get(), made)
    builders.publish(builders.MARCH)
    builders.event("Coming Open", ends=date(2099, 5, 3), state=State.REGISTERED)
    text = text_of(client, "/regions/GAU/")
    gau = Region.objects.get(code="GAU")
    assert f"GAU, {gau.province.name}" in text
    assert "8 players, 8 of them active." in text
    main = text[text.index("<h3>Main</h3>") : text.index("<h3>Standard</h3>")]
    found = re.findall(r'href="/players/\d+/">([^<]+)</a>', main)
    assert found[0] == "Tom Ashby"
    assert len(found) == 8
    ratings = [float(value.replace("\u202f", "")) for value in re.findall(r'<td class="num">([\d\u202f.]+)</td>', main)]
    average = float(re.search(r"Average ([\d\u202f.]+)", main)[1].replace("\u202f", ""))
    assert average == pytest.approx(sum(ratings) / 8, abs=0.1)
    assert text.index("Coming Open") < text.index("March Open")
    assert "Elsewhere" not in text
    assert client.get("/regions/XXX/").status_code == 404


def test_all_regions_take_six_queries(queries):
    """Besides those of the version and of the notice, which every page has."""
    text = queries("/regions/", 2 + 3).content.decode()
    assert "Figures appear with the first published list." in text
    builders.federation(4)
    text = queries("/regions/", 1 + 6).content.decode()
    row = re.search(r'<a href="/regions/GAU/">.*?</tr>', text).group()
    assert re.findall(r'<td class="num">(\d+)</td>', row)[:2] == ["4", "4"]


def test_the_calendar_has_days_and_below_each_its_events(client):
    for name, day in (("First", 2), ("Second", 2), ("Third", 9)):
        builders.event(name, ends=date(2024, 3, day), state=State.REGISTERED)
    text = text_of(client, "/events/calendar/?month=2024-03")
    listed = text[text.index('<ol class="calendar">') : text.index("</ol>")]
    days = re.findall(r"<h2>(.*?)</h2>(.*?)</ul>", listed)
    assert [re.sub(r"<[^>]+>", " ", day).split() for day, _ in days] == [
        ["2", "Mar", "2024", "Saturday"],
        ["9", "Mar", "2024", "Saturday"],
    ]
    assert [re.findall(r'href="/events/\d+/">([^<]+)<', events) for _, events in days] == [
        ["First", "Second"],
        ["Third"],
    ]


def on_calendar(client, query):
    text = text_of(client, f"/events/calendar/?month=2024-03{query}")
    return re.findall(r'<a href="/events/\d+/">([^<]+)<', text)


def of_a_type(name, base, code, day=date(2024, 3, 2), state=State.REGISTERED):
    return builders.event(name, ends=day, state=state, region=code, time_control=(base, 0))


@pytest.fixture
def three_events():
    return [of_a_type(*details) for details in (("Long", 90, "GAU"), ("Quick", 15, "GAU"), ("Other", 15, "LCP"))]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Long", "Other", "Quick"]),
        ("&region=GAU", ["Long", "Quick"]),
        ("&type=rapid", ["Other", "Quick"]),
        ("&region=GAU&type=rapid", ["Quick"]),
        ("&region=LCP&type=standard", []),
    ],
)
def test_the_calendar_is_narrowed_to_a_region_and_a_type_of_game(client, three_events, query, names):
    assert on_calendar(client, query) == names
    text = text_of(client, f"/events/calendar/?month=2024-03{query}")
    assert (f"calendar.ics?{query[1:]}".replace("&", "&amp;") in text) is bool(query)


def test_the_feed_is_narrowed_by_its_address(client):
    for name, base, code in (("Long", 90, "GAU"), ("Quick", 15, "GAU"), ("Other", 15, "LCP")):
        of_a_type(name, base, code, timezone.localdate(), State.SUBMITTED)
    names = re.compile(r"SUMMARY:(\w+)")

    def listed(query):
        return sorted(names.findall(client.get(f"/events/calendar.ics{query}").content.decode()))

    assert listed("") == ["Long", "Other", "Quick"]
    assert listed("?region=GAU") == ["Long", "Quick"]
    assert listed("?region=GAU&type=rapid") == ["Quick"]


@pytest.mark.parametrize("query", ["region=XYZ", "type=slow"])
def test_a_region_or_type_that_there_is_not_is_no_feed_of_everything(client, query):
    assert client.get(f"/events/calendar.ics?{query}").status_code == 404
    assert client.get(f"/events/calendar/?{query}").status_code == 200
