"""Numbers of thirty digits, and what is none, in addresses and in the fields of every form: an answer, never a fault."""

import re
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from itertools import cycle
from urllib.parse import urlencode, urljoin

import pytest
from django.contrib.admin import site
from django.db import connection, transaction
from django.http import QueryDict
from django.test import RequestFactory
from django.utils import timezone

from accounts.models import Mail
from config.signs_of_life import give_sign
from tests.accounts.world import OWN, PlainClient, changes, made_world, noting, routes
from tests.builders import officer

BROWSER = PlainClient(raise_request_exception=False)
LONG = "9" * 30
# Last: digits of another script, a raised figure, half of a pair of surrogates, no UTF-8, a turn of direction, no character.
ODD = (
    LONG, "0", "-1", "9" * 19, "9" * 5000, "1e9", "NaN", "1_000",
    "%D9%A1%D9%A2", "%C2%B2", "%ED%A0%80", "%FF", "%E2%80%AE", "%EF%BF%BE",
)  # fmt: skip
_LISTS = {f"admin/{model._meta.app_label}/{model._meta.model_name}/": page for model, page in site._registry.items()}


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


class Words:
    """The words of the query that a page asks for, whatever they are called: of each list of the desk its filters, too."""

    def __init__(self, monkeypatch) -> None:
        self.names: set[str] = set()
        for method in ("get", "__getitem__", "__contains__", "getlist"):
            monkeypatch.setattr(QueryDict, method, self._noting(getattr(QueryDict, method)))

    def _noting(self, plain):
        def noting(query, name, *given, **named):
            if isinstance(name, str):
                self.names.add(name)
            return plain(query, name, *given, **named)

        return noting

    def of(self, route, answer, user):
        """The words that were asked for since they were last forgotten, to answer with this page."""
        names = set(self.names)
        page = _LISTS.get(route)
        if page is not None and answer.status_code == 200:
            request = RequestFactory().get("/")
            request.user = user
            shown = page.get_changelist_instance(request)
            days = page.date_hierarchy and [f"{page.date_hierarchy}__{part}" for part in ("year", "month", "day")]
            names |= {word for filter in shown.filter_specs for word in filter.expected_parameters()} | {*(days or ())}
            names |= {"o", "p", "q", "all", "_to_field", "_popup", "_facets", "_changelist_filters"}
        return names if answer.status_code != 405 else set()


def asked(method, address, sent=None):
    with transaction.atomic():
        answer = getattr(BROWSER, method)(address, sent or {})
        transaction.set_rollback(True)
    return answer


def text_of(answer):
    return (b"".join(answer) if answer.streaming else answer.content).decode(errors="replace")


@pytest.mark.parametrize("year", [LONG, "0", "-1", "10000", "2147483648", "9223372036854775807", "x", ""])
@pytest.mark.parametrize("field", ["starts", "ends", "starts__year__exact=2024&ends"])
def test_a_year_that_no_calendar_has_is_no_fault(db, field, year):
    BROWSER.force_login(officer())
    answer = BROWSER.get(f"/admin/events/event/?{field}__year={year}")
    assert answer.status_code in (302, 400)


@pytest.mark.parametrize(
    "number",
    [LONG, f"-{LONG}", f" {LONG}", "٣" * 30, "0", "32", "2147483648", "-2147483649", "1_000_000_000_000", "x", ""],
)
@pytest.mark.parametrize("part", ["month", "day"])
def test_a_month_or_day_that_no_calendar_has_is_no_fault(db, part, number):
    BROWSER.force_login(officer())
    asked_for = {"ends__year": "2024", "ends__month": "2", f"ends__{part}": number}
    answer = BROWSER.get("/admin/events/event/", asked_for)
    assert answer.status_code in (302, 400)


@pytest.fixture
def world(db):
    """With a mail that waits from now on: the world may be kept from a test of half an hour ago, and /health/ answers 503."""
    made = made_world()
    Mail.objects.update(created_at=timezone.now())
    return made


@pytest.mark.parametrize("desk", [False, True], ids=["site", "desk"])
def test_odd_values_are_no_fault_and_write_nothing_by_an_address(world, monkeypatch, settings, desk):
    """Each page is asked for once as it is, by an officer, who sees nearly every form; then with numbers of thirty digits in
    its address and in the fields of its forms, and with what is no number in the words of its query and its address.

    A word of a table's row stands for those of all rows, a page of a row of the desk for those of all kinds of rows.
    """
    settings.API_REQUESTS_A_MINUTE = settings.API_TOKEN_REQUESTS_A_MINUTE = 1_000_000
    role = "officer"
    odd, faults, writes, tried, filled = cycle(ODD), [], [], set(), set()
    words = Words(monkeypatch)

    def note(method, address, values=None):
        with connection.execute_wrapper(noting(writes if method == "get" else [])):
            answer = asked(method, address, values)
        if answer.status_code >= 500:
            faults.append(f"{method} {address[:200]} {values}: {answer.status_code} {text_of(answer)[:2000]}")
        return answer

    for route in routes():
        if route.startswith("admin/") is not desk:
            continue
        for process in ("worker", "beat"):
            give_sign(process)  # again: after 90 seconds /health/ answers 503
        BROWSER.cookies = SimpleCookie(world.cookies(role))
        address = world.address(route, OWN, role)
        place, _, query = address.partition("?")
        words.names.clear()
        page = note("get", address)
        names = words.of(route, page, world.users[role])
        note("get", re.sub(r"(?<=[/-])\d+(?=[/.]|$)", LONG, place))
        if route not in ("health/", "metrics/"):  # which read no words, and take long
            for name in sorted(names):
                alike = re.sub(r"^admin/\w+/\w+/(?=.)", "", route), re.sub(r"\d+", "", name)
                if alike not in tried:
                    tried.add(alike)
                    others = [part for part in query.split("&") if part and not part.startswith(f"{name}=")]
                    note("get", f"{place}?{'&'.join([*others, f'{name}={next(odd)}'])}")
            parts = place.split("/")
            for at in (at for at, part in enumerate(parts) if re.search("[0-9]", part)):
                note("get", "/".join([*parts[:at], f"12x{next(odd)}", *parts[at + 1 :]]))
        if page.status_code != 200 or "html" not in page.headers["Content-Type"]:
            continue
        for action, method, fields in Forms(text_of(page)).forms:
            target = urljoin(address, action)
            known = (re.sub(r"\d+", "", target.partition("?")[0]), method, *sorted(fields))
            if known in filled or not fields:
                continue
            filled.add(known)
            values = {
                name: "on" if kind in ("checkbox", "button", "submit") else LONG
                for name, kind in fields.items()
                if kind != "file"
            }
            if method == "post":
                note("post", target, values)
            else:
                note("get", f"{target.partition('?')[0]}?{urlencode(values)}")
        if changes(writes):
            faults.append(f"{route} writes {changes(writes)[:3]}")
            writes.clear()
    assert not faults, "\n".join(faults)
    assert len(tried) > (200 if desk else 150)
    assert len(filled) > (50 if desk else 20)
