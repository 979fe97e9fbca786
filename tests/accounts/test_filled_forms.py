"""Forms filled in as they should be: who may send them changes something, everybody else changes nothing."""

import re
from datetime import date
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib import admin, messages
from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.test import RequestFactory

from accounts.models import User
from events.models import Arbiter, Event, Kind, Section
from players.models import Province, Region, RegionalAdministrator
from tests.accounts.conftest import undrawn_pages
from tests.accounts.filled import FORMS, READ, Filled
from tests.accounts.filled.results import RESULTS, UPLOAD, in_state
from tests.accounts.page_forms import form_on
from tests.accounts.test_every_address import ask, table
from tests.accounts.world import OTHER, OWN, ROLES, PlainClient, World, changes, noting
from tests.builders import officer, region

pytestmark = pytest.mark.usefixtures("quiet")
BROWSER = PlainClient(raise_request_exception=False)
PARTS = 4
# Who besides the roles of the table: each with the part of the forms that the role may send.
OF_PROVINCE, OF_OTHER_PROVINCE, OF_OTHER_REGION = "of the province", "of another province", "of another region"
OF_HUB, ORGANISER, PARTY, CLOSED = "of a hub", "organiser", "party on the panel", "closed account"
MORE = (OF_PROVINCE, OF_OTHER_PROVINCE, OF_OTHER_REGION, OF_HUB, ORGANISER, PARTY, CLOSED)
# Of what is a user's own, and sent by each who is logged in of himself.
ANYBODYS = ("account/tokens/", "account/password/", "privacy/my-data/")
ONLY = ("account/week/", "account/sent-in/")  # each has the form, and the mails are for officers
ORGANISERS = (
    "events/not-registered/",
    "events/<int:event>/permission/",
    "events/<int:event>/permission/<int:permission>/",
    "events/<int:event>/appeal/",
    "events/<int:event>/kept-back/",
)


# What a role is shown otherwise than the one that it is alike. Who is born when, a provincial body sees of no region's players.
SHOWN_OTHERWISE = {
    OF_PROVINCE: {
        "admin/players/player/^([^/]+)/history/([^/]+)/$": "-",
        "admin/players/player/<path:object_id>/history/": "-",
    },
    OF_HUB: {
        "events/<int:event>/permission/": "-",
        "events/<int:event>/permission/<int:permission>/": "-",
        "events/<int:event>/kept-back/": "-",
        "events/^abroad/for/(?P<number>[0-9]{9})/$": "0",
        "admin/players/player/<path:object_id>/change/": "+",
        "admin/events/arbiter/^([^/]+)/history/([^/]+)/$": "+",
        "admin/events/arbiter/<path:object_id>/history/": "+",
        "admin/events/arbiter/<path:object_id>/change/": "+",
        "admin/events/appeal/<path:object_id>/change/": "0",
        "admin/events/permissionrequest/<path:object_id>/change/": "0",
        "admin/events/withdrawalrequest/<path:object_id>/change/": "0",
    },
}


@pytest.fixture
def world(world: World) -> World:
    """The world with more users, all of them logged in."""
    own = region("GAU")
    provincial = Region.objects.create(code="ZZP", name="The province", province=own.province, provincial=True)
    elsewhere = Province.objects.exclude(regions__code__in=("GAU", "LWT")).earliest("pk")  # LWT has a hub of the event
    other = Region.objects.create(code="ZZO", name="Other", province=elsewhere, provincial=True)
    world.users[OF_OTHER_REGION] = world.other_user
    for role, place in ((OF_PROVINCE, provincial), (OF_OTHER_PROVINCE, other), (OF_HUB, region("LWT"))):
        world.users[role] = User.objects.create_user(f"{place.code}@example.org", is_staff=True)
        RegionalAdministrator.objects.create(user=world.users[role], region=place, since=date(2024, 1, 1))
    event = Event.objects.get(pk=world.rows["event", OWN].pk)
    event.kind = Kind.HYBRID
    event.save(update_fields=["kind"])
    event.hubs.add(region("LWT"))
    number = world.published[1].number
    for role, known_by in ((ORGANISER, {"player": world.published[1]}), (PARTY, {"number": number})):
        user = User.objects.create_user(
            f"{number}-{len(world.users)}@example.org", is_staff=True, is_panel=role == PARTY
        )
        Arbiter.objects.create(name=f"Thandi {role}", title="NA", user=user, **known_by)
        world.users[role] = user
    Event.objects.filter(pk=event.pk).update(organiser_number=number)
    world.users[CLOSED] = officer("closed@example.org")
    for role in world.users:
        world.cookies(role)
    User.objects.filter(pk=world.users[CLOSED].pk).update(is_active=False)
    return world


def send(world: World, role: str, address: str, fields: dict[str, Any]) -> tuple[Any, list[str]]:
    """The answer to a form, and what it changed: undone again. What was typed is kept for its writer even if refused."""
    BROWSER.cookies = SimpleCookie(world.cookies(role))
    for file in (value for value in fields.values() if hasattr(value, "seek")):
        file.seek(0)
    writes: list[str] = []
    with transaction.atomic(), connection.execute_wrapper(noting(writes)):
        answer = BROWSER.post(address, fields)
        transaction.set_rollback(bool(writes))
    return answer, [sql for sql in changes(writes) if "_unsaved" not in sql]


def filled(world: World, form: Filled) -> tuple[str, dict[str, Any]]:
    """Address and fields of a form: what is typed over what its page shows."""
    address = world.address(form.route, OWN, form.role) + form.query(world)
    fields: dict[str, Any] = {}
    if form.paged:
        BROWSER.cookies = SimpleCookie(world.cookies(form.role))
        page = BROWSER.post(address, form.shown(world)) if form.shown else BROWSER.get(address)
        if page.status_code == 302:
            page = BROWSER.get(page.headers["Location"])
        fields = dict(form_on(page.content.decode(), urlsplit(address).path))
    return address, fields | form.fields(world)


def may(role: str, form: Filled, letters: list[str]) -> bool:
    """Whether a role may send a form about the own region's things."""
    if form.route.endswith("<int:pk>/withdraw/") or form.route in ONLY or role in ("anonymous", CLOSED):
        return role == form.role
    if form.route in ANYBODYS:
        return True
    if role in (ORGANISER, PARTY) and form.route in ORGANISERS:
        return True
    if role in (OF_OTHER_PROVINCE, OF_OTHER_REGION, OF_HUB):
        return False
    alike = {OF_PROVINCE: "administrator", PARTY: "panel"}.get(role, role)
    if form.route.startswith("admin/"):
        return alike in (form.role, *form.also) and (role != PARTY or form.route.endswith("/claim/"))
    return alike in ROLES and letters[ROLES.index(alike)] == "+"


def changed_tables(world: World, role: str, address: str, fields: dict[str, Any]) -> tuple[Any, set[str]]:
    """The answer to a form, and in which tables a row is another one by it: undone again.

    To write a row as it was is no change; nor are a session, a version of a row, and the log of the desk.
    """
    BROWSER.cookies = SimpleCookie(world.cookies(role))
    writes: list[str] = []
    with transaction.atomic(), connection.execute_wrapper(noting(writes)):
        answer = BROWSER.post(address, fields)
        tables = {match[1] for sql in writes if (match := re.match(r'[A-Z ]+ "(\w+)"', sql))}
        tables = {table for table in tables if not re.search("historical|session|_unsaved|admin_log", table)}
        after = {table: rows_of(table) for table in tables}
        transaction.set_rollback(True)
    return answer, {table for table in tables if after[table] != rows_of(table)}


def refused(answer: Any) -> bool:
    """Whether an answer is none of success. A list of the desk is shown again, and what is one's own says why not."""
    said = get_messages(answer.wsgi_request)
    return answer.status_code in (200, 302, 403, 404, 422) and all(told.level != messages.SUCCESS for told in said)


def rows_of(table: str) -> list[str]:
    """The rows of a table."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')
        return sorted(map(repr, cursor.fetchall()))


@pytest.mark.parametrize("part", range(PARTS))
def test_only_who_may_send_a_form_changes_something(world, part):
    wrong = []
    rows = table()
    for form in FORMS[part::PARTS]:
        kept, logged_in = dict(world.rows), dict(world.logged_in)
        with transaction.atomic():
            form.before(world)
            address, fields = filled(world, form)
            answer, tables = changed_tables(world, form.role, address, fields)
            if not tables or answer.status_code not in (200, 302):
                wrong.append(
                    f"{address} as {form.role} should change something: {answer.status_code} {_errors(answer)}"
                )
            with undrawn_pages():
                for role in (*ROLES, *MORE):
                    if role != form.role and not may(role, form, rows[form.route][2]):
                        answer, changed = send(world, role, address, fields)
                        if changed or not refused(answer):
                            wrong.append(
                                f"{address} as {role} {fields} is not refused: {answer.status_code} {changed[:1]}"
                            )
            transaction.set_rollback(True)
        world.rows, world.logged_in = kept, logged_in
    assert not wrong, "\n".join(wrong)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("role", "alike", "scope"),
    [
        (OF_PROVINCE, "administrator", OWN),
        (OF_OTHER_PROVINCE, "administrator", OTHER),
        (OF_HUB, "arbiter", OWN),
        (CLOSED, "anonymous", OWN),
    ],
)
def test_what_more_roles_are_shown_of_the_own_region(world, role, alike, scope):
    """Each address that names something of a region: who sees it as which role of the table does."""
    wrong, tried = [], 0
    for route, cells in table().items():
        if not route.startswith(("events/", "admin/")) or "accounts/" in route:
            continue
        if world.address(route, OWN, role) == world.address(route, OTHER, role):
            continue
        tried += 1
        wanted = SHOWN_OTHERWISE.get(role, {}).get(route, cells[scope == OTHER][ROLES.index(alike)])
        found = ask(world, role, route, "get", OWN)
        if found != wanted:
            wrong.append(f"{route} as {role}: {found} instead of {wanted}")
    assert not wrong, "\n".join(wrong)
    assert tried > 50


def test_every_form_that_not_all_may_send_is_filled_in():
    """A new one gets a line in `filled/`."""
    asked = {route for route, cells in table().items() if "+" in cells[2] and set(cells[2]) != {"+"}}
    there = {form.route for form in FORMS}
    assert [route for route in asked - there if not re.search(READ, route)] == []


def test_who_is_offered_which_actions_on_the_lists_of_the_desk(world):
    """Django takes no action that it does not offer. Of each list one is filled in above; here are all of them."""
    admin.autodiscover()
    pages = {model._meta.model_name: page for model, page in admin.site._registry.items()}
    appeals, users = {("appeal", "uphold"), ("appeal", "dismiss")}, {("user", "disable"), ("user", "enable")}
    deleted = {(model, "delete_selected") for model in ["region", "province", "title", "player", "arbiter", "notice"]}
    every = {(model, name) for model, page in pages.items() for name in map(str, page.actions)}
    offered = {
        "officer": every - appeals | deleted,
        "superuser": {*users, ("user", "invite"), ("token", "withdraw")},
        "panel": appeals,
        PARTY: appeals,
    }
    assert {model for model, _ in every | deleted} - {form.route.split("/")[-2] for form in FORMS} == {"ratinglist"}
    request = RequestFactory().get("/")
    for role in set(world.users) - {"anonymous", CLOSED}:  # to whom the desk is shut
        request.user = world.users[role]
        found = {(model, name) for model, page in pages.items() for name in page.get_actions(request)}
        assert found == offered.get(role, set()), role


# Keys of another region's things in the body of a form that its sender may send otherwise: field → whose key.
FOREIGN = {
    "events/register/": {"region": "region"},
    f"{RESULTS}upload/": {"section": "section"},
    f"{UPLOAD}assign/": {"section": "section"},
    "events/<int:event>/permission/": {"section": "section"},
    "events/<int:event>/appeal/": {"refusal": "refusal"},
    f"{RESULTS}attach/": {"about": "submission"},
}


@pytest.mark.parametrize("route", FOREIGN)
def test_a_key_of_another_region_in_a_form_changes_nothing(world, route):
    form = next(form for form in FORMS if form.route == route)
    form.before(world)
    address, fields = filled(world, form)
    for name, model in FOREIGN[route].items():
        answer, changed = send(world, form.role, address, fields | {name: str(world.rows[model, OTHER].pk)})
        assert (changed, answer.status_code) == ([], 422), (name, changed)
    assert send(world, form.role, address, fields)[1]


def test_a_registration_takes_no_region_and_no_section_of_another(world):
    """What is right in it is saved as a draft all the same."""
    form = next(form for form in FORMS if form.route == "events/<int:event>/edit/")
    form.before(world)
    address, fields = filled(world, form)
    own, foreign = world.rows["event", OWN], world.rows["section", OTHER]
    BROWSER.cookies = SimpleCookie(world.cookies(form.role))
    for name, key in (("region", world.rows["region", OTHER].pk), ("section-0-section", foreign.pk)):
        with transaction.atomic():
            assert BROWSER.post(address, fields | {name: str(key)}).status_code in (302, 422)
            assert Event.objects.get(pk=own.pk).region == own.region
            after = Section.objects.get(pk=foreign.pk)
            assert (after.event_id, after.base_minutes, after.name) == (
                foreign.event_id,
                foreign.base_minutes,
                foreign.name,
            )
            transaction.set_rollback(True)


def test_a_thing_of_another_region_is_not_found_under_the_own_event(world):
    """`/events/<own>/results/<another's upload>/`, by GET and by the form as it is filled in."""
    typed = {form.route: form.fields(world) for form in FORMS}
    wrong, tried = [], 0
    in_state("returned")(world)
    for route in table():
        if not route.startswith("events/<int:event>/") or route.count("<") < 2 or route.endswith(".trf"):
            continue
        parts = [world.address(route, scope, "administrator").split("/") for scope in (OWN, OTHER)]
        own, other = parts
        mixed = "/".join([*own[:3], *other[3:]])
        if mixed == "/".join(own):
            continue
        tried += 1
        for role in ("administrator", "arbiter", "officer"):
            BROWSER.cookies = SimpleCookie(world.cookies(role))
            shown = BROWSER.get(mixed)
            if shown.status_code == 200:
                wrong.append(f"{mixed} as {role} is shown")
            answer, changed = send(world, role, mixed, typed.get(route, {}))
            if changed:
                wrong.append(f"{mixed} as {role} changes something: {answer.status_code} {changed[0]}")
    assert not wrong, "\n".join(wrong)
    assert tried > 10


@pytest.mark.parametrize(
    ("role", "model", "name", "victim"),
    [
        ("officer", "user", "disable", "officer"),
        ("officer", "user", "disable", "panel"),
        ("officer", "user", "disable", "superuser"),
        ("officer", "token", "withdraw", "superuser"),
        ("officer", "token", "withdraw", "panel"),
    ],
)
def test_an_officer_reaches_no_account_of_the_bureau_by_its_key(world, role, model, name, victim):
    user = world.users[victim]
    key = str(user.pk if model == "user" else world.tokens[user].pk)
    fields = {"action": name, "_selected_action": key, "reason": "x"}
    assert send(world, role, f"/admin/accounts/{model}/", fields)[1] == []


def test_a_word_of_the_address_opens_nothing_of_another_region(world):
    BROWSER.cookies = SimpleCookie(world.cookies("administrator"))
    own, other = world.rows["event", OWN].pk, world.rows["section", OTHER]
    unknown = BROWSER.get(f"/events/{own}/results/template.csv?section=999999").content
    assert BROWSER.get(f"/events/{own}/results/template.csv?section={other.pk}").content == unknown
    elsewhere = BROWSER.get(f"/events/abroad/?event={other.event_id}")
    assert elsewhere.status_code == 404
    assert BROWSER.get(f"/events/error-reports/new/?section={other.pk}").content.find(b"LCP Open") < 0


@pytest.mark.parametrize(
    "target",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "https:evil.example", "javascript:alert(1)"],
)
def test_nothing_leads_to_another_site(world, target):
    for role in ("anonymous", "officer"):
        for address in ("/account/log-in/", "/admin/login/", "/language/", "/account/log-out/"):
            BROWSER.cookies = SimpleCookie(world.cookies(role))
            sent = {"next": target, "language": "af", "username": "officer@example.org", "password": "x"}
            with transaction.atomic():
                answers = [BROWSER.get(address, {"next": target}), BROWSER.post(address, sent)]
                transaction.set_rollback(True)
            for answer in answers:
                assert "evil" not in answer.headers.get("Location", "").partition("?")[0], address
                assert "javascript" not in answer.headers.get("Location", "").partition("?")[0], address


def _errors(answer: Any) -> list[str]:
    """What a page says of a form that it refused."""
    found = re.findall(
        r'class="(?:errorlist|error|problem|messagelist)[^>]*>(.*?)</(?:ul|p|div)>', answer.content.decode(), re.S
    )
    return [re.sub(r"<[^>]*>|\s+", " ", text).strip() for text in found]
