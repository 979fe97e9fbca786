"""Who walks the whole site without logging in, and takes every file along, meets no birth date and no address, and nothing
of a player who is hidden."""

import io
import re
import zipfile
from collections import Counter
from datetime import date
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import transaction
from django.db.models import Count, Q
from django.test import Client
from django.urls import Resolver404, resolve
from django.utils import timezone

from accounts.models import User
from events.models import Game, Kind
from players.models import Player, Region
from players.operations import save_player
from ratings.downloads.operations import make_downloads
from ratings.live.operations import refresh_live
from ratings.models import Download, Rating, RatingList, RatingRun
from tests.demo.small import shared_demonstration

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
# What each spelling looks like, and an e-mail address: found within longer words, too, but not among the digits of a figure.
SHAPES = {
    "%Y": r"\d{4}",
    "%m": r"\d\d",
    "%d": r"\d\d",
    "%y": r"\d\d",
    "%-d": r"\d\d?",
    "%b": "[A-Z][a-z]{2}",
    "%B": "[A-Z][a-z]+",
}
PRIVATE = [
    re.compile(
        r"(?<![\d.])(?=("
        + re.sub("%-?[a-zA-Z]", lambda sign: SHAPES[sign[0]], spelling.replace(".", r"\."))
        + r")(?!\d))"
    )
    for spelling in SPELLINGS
] + [re.compile(r"[\w.+-]+@[\w.-]+\w")]


@pytest.fixture(scope="module")
def country(django_db_setup, django_db_blocker):
    """The demonstration, with the files of its last two months."""
    with django_db_blocker.unblock(), transaction.atomic():
        shared_demonstration()
        for run in RatingRun.objects.filter(publication__isnull=False).order_by("-pk")[:2]:
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


class Walk(NamedTuple):
    """What a walk over the site met."""

    births: dict[str, str]  # a birth date or an e-mail address → where
    hidden: dict[str, str]  # what is known of a hidden player → where
    routes: set[str]  # the names of the pages


def walk(starts, births: set[str], hidden: re.Pattern) -> Walk:
    """Read the site from some addresses on."""
    waiting = list(starts)
    client, seen, read, met = Client(), set(waiting), Counter(), Walk({}, {}, set())
    while waiting:
        address = waiting.pop(0)
        response = client.get(address)
        assert response.status_code in (200, 301, 302, 404, 405), address
        if response.status_code == 200:
            met.routes.add(route(urlsplit(address).path))
        found = [response.headers["Location"]] if "Location" in response.headers else []
        for text in texts(response):
            for private in PRIVATE:
                met.births.update(dict.fromkeys(births.intersection(private.findall(text)), address))
            met.hidden.update(dict.fromkeys(hidden.findall(text), address))
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
    return met


@pytest.fixture(scope="module")
def hidden(country):
    """Players who are hidden: the best, a woman, a junior, one abroad, one whom somebody sent in as opponent; with the files of
    the last month made since."""
    played = Player.objects.filter(performances__isnull=False, merged_into=None, arbiter=None).distinct()
    namesakes = played.values("folded_name").annotate(times=Count("pk", distinct=True)).filter(times__gt=1)
    own = played.exclude(folded_name__in=namesakes.values("folded_name"))
    best = Rating.objects.filter(run__publication__isnull=False, list__code="main", position__isnull=False)
    people = [
        *own.filter(pk__in=best.order_by("position").values("player")[:20])[:2],
        *own.filter(sex="F").order_by("-birth_year")[:1],
        *own.filter(entries__section__event__kind=Kind.ABROAD)[:1],
        *own.filter(met_abroad__isnull=False)[:1],
    ]
    for place, player in enumerate(people):
        player.hidden_since, player.fide_id = date(2020, 1, 1), player.fide_id or 987650001 + place
        player.club = f"Zzyxclub {place}"
        save_player(player)
    latest = RatingRun.objects.filter(publication__isnull=False).latest("period__month")
    Download.objects.all().delete()
    make_downloads(latest.pk, at=timezone.now())
    refresh_live(at=timezone.now())
    return people


@pytest.fixture(scope="module")
def walked(hidden):
    """One walk for both tests: over the site, and near the hidden players."""
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
    assert len(births) > 100
    assert len(mails) > 3
    names = {
        text
        for player in hidden
        for first, last in [(player.first_name, player.last_name)]
        for text in (
            player.name,
            f"{last}, {first}",
            f"{last},{first}",
            f'"{last}", "{first}"',
            player.number,
            str(player.fide_id),
            player.club,
        )
    }
    assert len(hidden) >= 4
    number = Player.objects.filter(performances__isnull=False, hidden_since=None).values_list("number", flat=True)[0]
    starts = [*STARTS, *(f"/api/v1/players/{number}/{rest}" for rest in ("", "history/", "games/", "events/"))]
    hidden_names = re.compile("|".join(rf"\b{re.escape(text)}\b" for text in sorted(names)))
    return walk([*starts, "/sitemap-players.xml", *around(hidden)], births | mails, hidden_names)


def test_the_search_finds_each_spelling_of_a_date_and_an_address():
    for text in (*(date(2001, 5, 7).strftime(spelling) for spelling in SPELLINGS), "n.mokoena+chess@example.co.za"):
        assert any(text in private.findall(f"<td>{text}</td>x{text}y") for private in PRIVATE), text


def test_the_whole_site_tells_no_birth_date_and_no_address(walked):
    assert walked.births == {}
    assert {"ratings:list", "ratings:list-of", "players:player", "events:event", "downloads:file-of"} <= walked.routes
    assert len(walked.routes) > 30, sorted(walked.routes)


def test_the_whole_site_tells_nothing_of_hidden_players(walked):
    assert walked.hidden == {}
    assert {
        "ratings:list", "ratings:live", "ratings:explanation", "ratings:case", "events:event", "events:section-file",
        "players:statistics", "players:feed", "public:region", "statistics:of-month", "downloads:file-of",
        "ratings:sitemap", "api:period-case",
    } <= walked.routes  # fmt: skip


def around(hidden) -> list[str]:
    """Addresses near hidden players: their events and opponents, and lists narrowed to what the register says of them."""
    found = []
    runs = [
        run.period
        for run in RatingRun.objects.filter(publication__isnull=False)
        .select_related("period")
        .order_by("-period__month")
    ]
    lists = list(RatingList.objects.values_list("code", flat=True))
    for player in hidden:
        region = player.region.code if player.region else ""
        words = [f"sex={player.sex}", f"title={player.title_id or ''}", f"region={region}"]
        asked = [*words, f"club={player.club}", f"q={player.last_name}", f"q={player.number}", f"q={player.fide_id}"]
        asked += [f"born_from={player.birth_year}&born_until={player.birth_year}"] if player.birth_year else []
        found += [f"/api/v1/lists/main/{runs[0]}/?{word}" for word in (*asked, "age_group=U18")]
        found += [
            f"/lists/main/{runs[0]}/?{word}" for word in (*words, "group=U18")
        ]  # pages repeat what was looked for
        games = Game.objects.filter(Q(white=player) | Q(black=player)).order_by("section__period", "-round")[:3]
        for game in games:
            event, section = game.section.event_id, game.section_id
            found += [
                f"/events/{event}/", f"/events/{event}/sections/{section}.trf", f"/api/v1/events/{event}/",
                f"/api/v1/sections/{section}/", f"/api/v1/sections/{section}.trf", f"/calculators/chessa/?section={section}",
                f"/events/error-reports/new/?section={section}",
            ]  # fmt: skip
            other = game.black if game.white == player else game.white
            if other is None or other in hidden:
                continue
            number = other.number
            found += [
                f"/players/{number}/", f"/players/{number}/statistics/", f"/players/{number}/feed.xml",
                f"/api/v1/players/{number}/games/", f"/api/v1/players/{number}/events/", "/events/abroad/",
                f"/calculators/chessa/?player={number}&section={section}",
                *(f"/calculators/{code}/?player={number}&section={section}" for code in ("icu", "uscf", "cfc")),
            ]  # fmt: skip
            month = game.section.period
            for code in lists if month in runs else ():
                found += [
                    f"/players/{number}/{month}/{code}/", f"/players/{number}/{month}/case.json",
                    f"/players/{number}/{month}/{code}/case.json", f"/api/v1/players/{number}/explanations/{month}/{code}/",
                ]  # fmt: skip
    for code in lists:
        found += [f"/embed/lists/{code}.svg?places=20", f"/lists/{code}/live/", f"/api/v1/lists/{code}/live/"]
        for month in runs[:1]:
            found += [
                f"/lists/{code}/{month}/", f"/lists/{code}/{month}/?sort=name", f"/lists/{code}/{month}/?sort=change",
                f"/lists/{code}/{month}/players.csv", f"/api/v1/lists/{code}/{month}/?limit=500",
                f"/api/v1/lists/{code}/{month}/?sort=name&limit=500", f"/api/v1/statistics/{code}/{month}/",
                f"/statistics/{code}/{month}/", f"/api/v1/periods/{month}/case/",
            ]  # fmt: skip
    regions = Region.objects.values_list("code", flat=True)
    found += [f"/{root}regions/{code}/" for code in regions for root in ("", "api/v1/")]
    return list(dict.fromkeys(found))


def route(path: str) -> str:
    """The name of the page at an address; the address itself if the site does not know it."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return path
