"""Every address of the site, asked for by every role with own and another region's objects, against `addresses.txt`."""

import re
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from django.db import connection, transaction

from events.models import Arbiter, Event, Upload
from tests.accounts.world import OTHER, OWN, ROLES, PlainClient, World, changes, noting, routes

TABLE = Path(__file__).parent / "addresses.txt"
CALLS = [(method, scope) for method in ("get", "post") for scope in (OWN, OTHER)]


def table() -> dict[str, list[str]]:
    """Route → for each of CALLS a letter a role. A full stop stands for what is said to the left of it."""
    rows: dict[str, list[str]] = {}
    for line in TABLE.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        *cells, route = line.split(" ", 4)
        assert route not in rows, f"{route} stands twice"
        rows[route] = [cells[place - 1] if cell == "." else cell for place, cell in enumerate(cells)]
    return rows


BROWSER = PlainClient(raise_request_exception=False)  # with its middleware, for all requests


def outcome(answer, address: str) -> str:
    """The letter of an answer."""
    if answer.status_code == 302:
        place = answer.headers["Location"]
        if place.startswith(("/account/log-in/", "/admin/login/")):
            return "L"
        return "0" if place == "/admin/" and address.partition("?")[0] != "/admin/login/" else "+"
    if answer.status_code == 503 and address == "/health/":  # the answer of a site without workers, as the tests' is
        return "+"
    return {200: "+", 301: "+", 304: "+", 409: "+", 422: "+", 401: "L", 403: "-", 404: "0", 405: "x"}.get(
        answer.status_code, f"?{answer.status_code}"
    )


def part_of(route: str) -> str:
    """The part of the site to which a route belongs; each is walked by a test of its own."""
    names = re.split(r"/|\^", route)
    return "/".join(names[: 2 if names[0] == "admin" and names[1] in APPS else 1]) if names[0] in PARTS else "public"


pytestmark = pytest.mark.usefixtures("undrawn")
APPS = ("accounts", "players", "events", "ratings")
PARTS = ("public", "account", "api", "events", "admin", *(f"admin/{app}" for app in APPS))


def ask(world: World, role: str, route: str, method: str, scope: str) -> str:
    """What a role gets; whatever it changes is undone, its log-in too. To look at a page changes nothing but sessions.

    Some addresses name one object for both regions: as nothing stays changed, they are asked for once. Where the site did
    not look at who is logged in, the answer is everybody's.
    """
    address = world.address(route, scope, role)
    for known in ((role, route, method, address), (EVERYBODY, route, method, address)):
        if known in world.letters:
            return world.letters[known]
    BROWSER.cookies = SimpleCookie(world.cookies(role))
    # Programs' tokens open no page: whoever is not logged in sends one, an officer's.
    token = {"HTTP_AUTHORIZATION": f"Bearer {world.secret}"} if role == "anonymous" and part_of(route) != "api" else {}
    sent = world.document(route) if method == "post" else {}
    writes: list[str] = []
    with transaction.atomic(), connection.execute_wrapper(noting(writes)):
        answer = getattr(BROWSER, method)(address, **sent, **token)
        letter = outcome(answer, address)
        transaction.set_rollback(bool(writes))  # not else: SQLite reads its whole schema again after it
    assert method == "post" or not changes(writes), address
    asker = role if role == "anonymous" or hasattr(answer.wsgi_request, "_cached_user") else EVERYBODY
    world.letters[asker, route, method, address] = letter
    return letter


EVERYBODY = "everybody"
NATIONAL = ("panel", "officer", "superuser")  # no region is theirs: they get of all what they get of one


def test_every_address_has_its_row_and_every_row_its_address():
    assert sorted(set(routes())) == sorted(table())


@pytest.mark.parametrize("part", PARTS)
def test_what_a_role_gets_is_what_the_table_says(world, part):
    wrong = []
    for route, cells in table().items():
        if part_of(route) != part:
            continue
        for (method, scope), cell in zip(CALLS, cells, strict=True):
            if scope == OTHER and not re.search(r"[<(]", route):
                continue
            # Who is logged in first: see `ask`. What strangers get asks for no right.
            for role in ("officer", "anonymous") if cell[0] == "+" and method == "get" else (*ROLES[1:], ROLES[0]):
                if scope == OTHER and role in NATIONAL and cell == cells[CALLS.index((method, OWN))]:
                    continue
                found, wanted = ask(world, role, route, method, scope), cell[ROLES.index(role)]
                if found != wanted:
                    wrong.append(f"{method} {route} ({scope}) as {role}: {found} instead of {wanted}")
    assert wrong == []


@pytest.mark.parametrize("role", ["arbiter", "administrator", "officer"])
@pytest.mark.parametrize("state", ["draft", "returned"])
def test_a_page_of_an_event_that_is_not_sent_in_changes_nothing_either(world, role, state):
    """Its file was checked before the registration was changed: what is shown is not what is written."""
    Upload.objects.update(submission=None, checked=1, event_version=7)
    Event.objects.update(state=state)
    for route in table():
        if route.startswith("events/"):
            ask(world, role, route, "get", OWN)


def test_two_roles_together_give_no_more_than_each_apart(world):
    """The administrator of the own region, who is an arbiter at the other region's event besides."""
    user = world.users["administrator"]
    Arbiter.objects.filter(name="Grace LCP").update(user=user)
    administrator, arbiter = ROLES.index("administrator"), ROLES.index("arbiter")
    more = "L0-x+".index
    wrong = []
    for route, cells in table().items():
        for place, (method, scope) in enumerate(CALLS):
            if scope == OTHER and not re.search(r"[<(]", route):
                continue
            turned = place + (1 if scope == OWN else -1)
            if {cells[at][role] for at in (place, turned) for role in (administrator, arbiter)} == {cells[place][1]}:
                continue  # neither role gets more than who has none
            wanted = max(cells[place][administrator], cells[turned][arbiter], key=more)
            if wanted == "+":
                continue
            found = ask(world, "administrator", route, method, scope)
            if more(found) > more(wanted):
                wrong.append(f"{method} {route} ({scope}): {found} instead of {wanted}")
    assert wrong == []


def test_an_address_without_a_row_would_fail(settings):
    from django.urls import path

    from config.urls import urlpatterns

    found = set(routes([*urlpatterns, path("new/<int:event>/", lambda request, event: None)]))
    assert found - set(table()) == {"new/<int:event>/"}
