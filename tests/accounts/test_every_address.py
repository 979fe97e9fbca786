"""Every address of the site, asked for by every role with own and another region's objects, against `addresses.txt`."""

import re
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from django.db import connection, transaction

from events.models import Arbiter, Event, Upload
from tests.accounts.world import OTHER, OWN, ROLES, PlainClient, World, made_world, routes

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


def ask(world: World, role: str, route: str, method: str, scope: str) -> str:
    """What a role gets; whatever it changes is undone, its log-in too. To look at a page changes nothing but sessions.

    Some addresses name one object for both regions: as nothing stays changed, they are asked for once.
    """
    BROWSER.cookies = SimpleCookie(world.cookies(role))
    address = world.address(route, scope, role)
    request = role, method, route, address
    if request in world.letters:
        return world.letters[request]
    writes = []

    def watch(execute, sql, *args):
        if sql.startswith(("INSERT", "UPDATE", "DELETE")) and "django_session" not in sql:
            writes.append(sql)
        return execute(sql, *args)

    with transaction.atomic(), connection.execute_wrapper(watch):
        sent = world.document(route) if method == "post" else {}
        letter = outcome(getattr(BROWSER, method)(address, **sent), address)
        transaction.set_rollback(True)
    assert method == "post" or writes == [], address
    world.letters[request] = letter
    return letter


@pytest.fixture
def world(db):
    return made_world()


def test_every_address_has_its_row_and_every_row_its_address():
    assert sorted(set(routes())) == sorted(table())


@pytest.mark.parametrize("role", ROLES)
def test_what_a_role_gets_is_what_the_table_says(world, role):
    place = ROLES.index(role)
    wrong = []
    for route, cells in table().items():
        for (method, scope), cell in zip(CALLS, cells, strict=True):
            if scope == OTHER and not re.search(r"[<(]", route):
                continue
            found = ask(world, role, route, method, scope)
            if found != cell[place]:
                wrong.append(f"{method} {route} ({scope}): {found} instead of {cell[place]}")
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
