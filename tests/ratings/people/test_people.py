"""What the desk shows of a region and of a user: offices with their days, what each may do, open events, activity."""

from datetime import date, timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import Decision, User
from events.models import Appointment, Arbiter
from events.rules.states import State
from players.models import Region, RegionalAdministrator
from ratings.people.regions import region_on_the_desk
from ratings.people.users import user_on_the_desk
from tests.admin_pages import posted_form
from tests.builders import officer, region
from tests.ratings.desk.waiting import event

pytestmark = pytest.mark.django_db
TODAY = date(2024, 4, 10)
DAY = timedelta(days=1)


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


def words(answer) -> str:
    """The words of a page."""
    assert answer.status_code == 200
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def term(name: str, since: date, until: date | None = None, *, of=None) -> RegionalAdministrator:
    """A term as administrator, of Gauteng unless told."""
    user, _ = User.objects.get_or_create(email=f"{name.lower()}@example.org", defaults={"first_name": name})
    return RegionalAdministrator.objects.create(user=user, region=of or region(), since=since, until=until)


@pytest.mark.rule("chessa 57", "chessa 58")
def test_a_region_shows_its_administrators_with_their_days_and_its_open_events(desk):
    term("Ayanda", date(2023, 1, 1), date(2024, 2, 1))
    term("Bongani", date(2024, 2, 1))
    late, rated = (event(state, ends=TODAY, moved=TODAY) for state in (State.RETURNED, State.PUBLISHED))
    known = region_on_the_desk(region(), today=TODAY)
    assert [(row.user.first_name, row.since, row.until) for row in known.terms] == [
        ("Bongani", date(2024, 2, 1), None),
        ("Ayanda", date(2023, 1, 1), date(2024, 2, 1)),
    ]
    assert [(row.event, row.holder) for row in known.events] == [(late, "the Regional Administrator")]
    assert [(row.year, row.rated, row.open, row.refused, row.withdrawn) for row in known.years] == [(2024, 1, 1, 0, 0)]
    page = words(desk.get(f"/admin/players/region/{region().pk}/change/"))
    for shown in ("Bongani bongani@example.org 1 Feb 2024 in office", "1 Jan 2023 1 Feb 2024", late.name):
        assert shown in page
    assert rated.name not in page


@pytest.mark.rule("chessa 62.3")
def test_a_region_without_administrator_says_who_acts_for_it(desk):
    address = f"/admin/players/region/{region().pk}/change/"
    assert "Nobody administers this region: its events are" in words(desk.get(address))
    body = Region.objects.create(code="GTP", name="Gauteng Chess", province=region().province, provincial=True)
    term("Carol", date(2024, 1, 1), of=body)
    assert "for it acts the provincial body: carol@example.org (article 62.3)" in words(desk.get(address))


def test_regions_are_found_by_code_name_and_administrator_and_by_nobody_in_office(desk):
    term("Bongani", date(2024, 2, 1))
    region("LCP")

    def found(query: str) -> set[str]:
        return {row.code for row in desk.get(f"/admin/players/region/?{query}").context["cl"].result_list}

    for sought in ("GAU", "bongani", "bongani@example"):
        assert found(f"q={sought}") == {"GAU"}
    assert "LCP" in found("administered=no")
    assert "GAU" not in found("administered=no")
    assert found("administered=yes") == {"GAU"}
    assert "1 Feb 2024" in words(desk.get("/admin/players/region/?q=GAU"))


def test_a_user_is_shown_by_what_he_may_do_since_when_and_in_which_events(desk):
    user = term("Bongani", date(2024, 2, 1)).user
    term("Bongani", date(2022, 1, 1), date(2023, 1, 1), of=region("LCP"))
    arbiter = Arbiter.objects.create(name="Bongani Zulu", title="NA", number="123456789", user=user)
    coming, over = (event(State.REGISTERED, ends=day, moved=TODAY) for day in (TODAY, TODAY - DAY))
    for row in (coming, over):
        Appointment.objects.create(event=row, arbiter=arbiter, position=1)
    known = user_on_the_desk(user, today=TODAY)
    assert [(right.title, right.since, right.until) for right in known.rights] == [
        ("Regional Administrator of GAU " + region().name, "1 Feb 2024", ""),
        ("National Arbiter Bongani Zulu, 123456789", "", ""),
    ]
    assert [(right.title[-3:], right.until) for right in known.former] == [(region("LCP").name[-3:], "1 Jan 2023")]
    assert [(part.event, part.role) for part in known.coming] == [(coming, "Chief Arbiter")]
    assert known.past == 1
    page = words(desk.get(f"/admin/accounts/user/{user.pk}/change/"))
    assert "What Bongani may do" in page
    assert "registers the events of the region" in page


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"is_active": False}, "disabled"),
        ({"password": "!"}, "has set no password"),
        ({}, "has not logged in yet"),
        ({"last_login": timezone.now()}, "Last logged in on"),
    ],
)
def test_a_user_s_page_says_whether_he_can_log_in(fields, said):
    user = User.objects.create_user("a@example.org", "baobab-baobab")
    User.objects.update(**fields)
    user.refresh_from_db()
    known = user_on_the_desk(user, today=TODAY)
    assert said in known.account
    assert known.rights == []


def test_since_when_a_user_is_an_officer_is_what_the_trail_says(client):
    client.force_login(User.objects.create_superuser("chief@example.org"))
    user = User.objects.create_user("new@example.org")
    address = f"/admin/accounts/user/{user.pk}/change/"
    joined = {"date_joined_0": "2026-01-31", "date_joined_1": "00:30:00"}
    assert client.post(address, posted_form(client, address, is_officer="on", **joined)).status_code == 302
    user.refresh_from_db()
    step = Decision.objects.get(action="changed")
    (right,) = user_on_the_desk(user, today=TODAY).rights
    assert right.title == "Ratings officer"
    assert right.since == f"{timezone.localtime(step.at):%-d %b %Y}"
    assert "decides on events" in words(client.get(address))


def test_users_are_found_by_name_address_region_and_number(desk):
    user = term("Bongani", date(2024, 2, 1)).user
    Arbiter.objects.create(name="Zinhle Ndaba", title="NA", number="123456789", user=user)
    User.objects.create_user("other@example.org")
    for sought in ("bongani", "bongani@example.org", "GAU", "ndaba", "123456789"):
        rows = list(desk.get(f"/admin/accounts/user/?q={sought}").context["cl"].result_list)
        assert rows == [user], sought
    listed = words(desk.get("/admin/accounts/user/"))
    assert f"Administrator of {region()} since 1 Feb 2024; arbiter Zinhle Ndaba" in listed


def test_an_account_is_disabled_and_enabled_on_its_page(desk):
    user = term("Bongani", date(2024, 2, 1)).user
    address = f"/admin/accounts/user/{user.pk}/change/"
    for button, active in (("disable", False), ("enable", True)):
        assert f'name="action" value="{button}"' in desk.get(address).content.decode()
        desk.post("/admin/accounts/user/", {"action": button, "_selected_action": user.pk})
        user.refresh_from_db()
        assert user.is_active is active
    assert user_on_the_desk(user, today=timezone.localdate()).rights == []


@pytest.mark.parametrize("code", ["ZZ", "zz9", "QQQ"])
def test_the_page_of_a_region_whose_code_is_refused_is_shown_again(desk, code):
    address = f"/admin/players/region/{region().pk}/change/"
    answer = desk.post(address, posted_form(desk, address, code=code, rules_url="nonsense"))
    assert answer.status_code == 200
