"""Numbers of thirty digits in addresses and in the fields of every form: an answer, never a fault."""

import re
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from django.db import transaction

from config.signs_of_life import give_sign
from tests.accounts.world import OWN, PlainClient, made_world, routes
from tests.builders import officer

BROWSER = PlainClient(raise_request_exception=False)
LONG = "9" * 30


class Forms(HTMLParser):
    """The forms of a page: action, method and names of fields; a field outside belongs to the form that it names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, str, dict[str, str]]] = []
        self.by_id: dict[str, dict[str, str]] = {}
        self.inside: dict[str, str] | None = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = self.by_id.setdefault(given.get("id", str(len(self.forms))), {})
            self.forms.append((given.get("action", ""), given.get("method", "get").lower(), self.inside))
        elif tag in ("input", "select", "textarea", "button") and given.get("name"):
            fields = self.by_id.setdefault(given["form"], {}) if "form" in given else self.inside
            if fields is not None:
                fields[given["name"]] = given.get("type", tag)

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = None


def asked(method, address, sent=None):
    with transaction.atomic():
        answer = getattr(BROWSER, method)(address, sent or {})
        transaction.set_rollback(True)
    return answer


@pytest.mark.parametrize("year", [LONG, "0", "-1", "10000", "99999"])
@pytest.mark.parametrize("field", ["starts", "ends"])
def test_a_year_that_no_calendar_has_is_no_fault(db, field, year):
    BROWSER.force_login(officer())
    answer = BROWSER.get(f"/admin/events/event/?{field}__year={year}")
    assert answer.status_code in (302, 400)


@pytest.fixture
def world(db):
    return made_world()


def test_a_number_of_thirty_digits_is_no_fault(world):
    """As an officer, who sees nearly every form."""
    role = "officer"
    for process in ("worker", "beat"):
        give_sign(process)
    faults, filled = [], set()

    def note(answer, told):
        if answer.status_code >= 500:
            faults.append(f"{told}: {answer.status_code}")

    for route in routes():
        BROWSER.cookies = SimpleCookie(world.cookies(role))
        address = world.address(route, OWN, role)
        longer = re.sub(r"(?<=[/-])\d+(?=[/.]|$)", LONG, address.partition("?")[0])
        note(asked("get", longer), longer)
        page = asked("get", address)
        if page.status_code != 200 or "html" not in page.headers["Content-Type"]:
            continue
        text = b"".join(page).decode() if page.streaming else page.content.decode()
        for action, method, fields in Forms(text).forms:
            target = urljoin(address, action)
            place = urlsplit(target).path if method == "post" else target.partition("?")[0]
            if (re.sub(r"\d+", "", place), method, *sorted(fields)) in filled or not fields:
                continue
            filled.add((re.sub(r"\d+", "", place), method, *sorted(fields)))
            values = {
                name: "on" if kind in ("checkbox", "button", "submit") else LONG
                for name, kind in fields.items()
                if kind != "file"
            }
            if method == "post":
                note(asked("post", target, values), f"POST {target} {values}")
            else:
                note(asked("get", f"{place}?{urlencode(values)}"), f"GET {target} {values}")
    assert not faults, "\n".join(faults)
    assert len(filled) > 50
