"""Who walks the whole site without logging in, and takes every file along, meets no birth date and no address."""

import io
import re
import zipfile
from collections import Counter
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve
from django.utils import timezone

from accounts.models import User
from demo.build import load
from demo.federation import Scale
from players.models import Player
from ratings.downloads.operations import make_downloads
from ratings.models import RatingRun

pytestmark = pytest.mark.django_db
ALIKE = 4  # of pages that differ only in whom or what they show, this many are read
STARTS = ("/", "/robots.txt", "/downloads/", "/events/calendar/", "/api/v1/players/?limit=500", "/api/v1/events/")
LINK = re.compile(r'(?:href|action|src)="([^"]+)"|"(https?://testserver/[^"]+)"')
SPELLINGS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%Y.%m.%d",
    "%Y%m%d",
    "%-d %b %Y",
    "%-d %B %Y",
    "%y%m%d",
    "%d%m%Y",
)


@pytest.fixture(scope="module")
def country(django_db_setup, django_db_blocker):
    """The demonstration, with the files of its months."""
    with django_db_blocker.unblock(), transaction.atomic():
        load(Scale(people=60, months=4), say=lambda line: None)
        for run in RatingRun.objects.filter(publication__isnull=False):
            make_downloads(run.pk, at=timezone.now())
        yield
        transaction.set_rollback(True)


def texts(response) -> list[str]:
    """What an answer says: the page, or each file of an archive."""
    content = response.getvalue()
    if response.headers.get("Content-Type") == "application/zip":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return [archive.read(name).decode("utf-8", "replace") for name in archive.namelist()]
    return [content.decode("utf-8", "replace")]


def test_the_whole_site_tells_no_birth_date_and_no_address(country):
    births = {
        day.strftime(spelling)
        for day in Player.objects.exclude(birth_date=None).values_list("birth_date", flat=True)
        if (day.month, day.day) != (1, 1)  # lists give the year as its first day
        for spelling in SPELLINGS
    }
    mails = {
        mail
        for mail in (*User.objects.values_list("email", flat=True), *Player.objects.values_list("email", flat=True))
        if mail
    }
    private = re.compile("|".join(map(re.escape, sorted(births | mails))))
    assert len(births) > 100
    assert len(mails) > 3
    number = Player.objects.filter(performances__isnull=False).values_list("number", flat=True)[0]
    waiting = [*STARTS, *(f"/api/v1/players/{number}/{rest}" for rest in ("", "history/", "games/", "events/"))]
    client, seen, read, told = Client(), set(waiting), Counter(), {}
    while waiting:
        address = waiting.pop(0)
        response = client.get(address)
        assert response.status_code in (200, 301, 302, 404, 405), address
        found = [response.headers["Location"]] if "Location" in response.headers else []
        for text in texts(response):
            told.update(dict.fromkeys(private.findall(text), address))
            found += [one or other for one, other in LINK.findall(text)]
        for link in found:
            target = urlsplit(urljoin(f"http://testserver{address}", link.replace("&amp;", "&")))
            path = target.path + (f"?{target.query}" if target.query else "")
            if target.netloc != "testserver" or path in seen or target.path.startswith("/static/"):
                continue
            seen.add(path)
            kind = (route(target.path), bool(target.query))
            if read[kind] < ALIKE:
                read[kind] += 1
                waiting.append(path)
    assert told == {}
    routes = {name for name, _ in read}
    assert {"ratings:list", "ratings:list-of", "players:player", "events:event", "downloads:file-of"} <= routes
    assert len(routes) > 30, sorted(routes)


def route(path: str) -> str:
    """The name of the page at an address; the address itself if the site does not know it."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return path
