"""The officer's pages of runs, months, re-ratings and reports, when players on them are hidden or their data was erased."""

import re
from datetime import UTC, date, datetime
from html import unescape
from urllib.parse import urljoin

import pytest

from config.lib.days import next_month
from events.models import ErrorReport, Section
from players.models import Player
from players.operations import hide_player
from ratings.lists.definitions import list_definitions
from ratings.models import Rating, RatingRun
from ratings.months.results import movement
from ratings.personal_data.erasure.operations import erase_player
from ratings.rerating.adjustments import let_stand
from ratings.runs.review import reviews
from tests.builders import calculate, months, officer, publish
from tests.federation import load
from tests.ratings.chain import rerate
from tests.ratings.rerating.conftest import amend_a_result

pytestmark = pytest.mark.django_db
AT = datetime(2024, 6, 2, 8, tzinfo=UTC)
_ADDRESS = re.compile(r'<a\b[^>]*?\bhref="([^"#]+)')


def runs_of(gone: str) -> list[RatingRun]:
    """Three runs with a former list; the last is not published, if data of a player who is on it may be so."""
    for place, month in enumerate(months(date(2024, 1, 1), 4)):
        load(players=40, games=120, sections=6, seed=place, month=month, active=1)
        at = datetime(*next_month(month).timetuple()[:3], 8, tzinfo=UTC)
        calculate(month, at) if (place, gone) == (3, "hidden") else publish(month, at)
    return list(RatingRun.objects.order_by("pk"))[1:]


def last_of(run: RatingRun) -> Rating:
    """The last of a run's main list among those with games."""
    rows = Rating.objects.filter(run=run, list=list_definitions()[0].id, position__isnull=False, games__gt=0)
    return rows.filter(previous__isnull=False).latest("position")


def wrong(client, starts: list[str], people: list[Player]) -> dict[str, int]:
    """The pages, and those to which they lead by a number of these people, that answer with anything but 200."""
    answers: dict[str, int] = {}
    for start in starts:
        page = client.get(start)
        answers[start] = page.status_code
        for address in map(unescape, _ADDRESS.findall(page.content.decode())):
            target = urljoin(start, address)
            if any(person.number in target for person in people) and target not in answers:
                answers[target] = client.get(target, follow=True).status_code
    return {address: answer for address, answer in answers.items() if answer != 200}


def change(model: str, row) -> str:
    return f"/admin/{model}/{row.pk}/change/"


@pytest.mark.parametrize("gone", ["hidden", "erased"])
def test_the_desk_shows_who_is_hidden_and_leads_to_no_page_that_is_not_there(client, gone):
    runs = runs_of(gone)
    moved = [last_of(run) for run in runs]
    touched = {
        row.number for run in runs for review in reviews(run) for group in review.touched for row, _ in group.rows
    }
    people = [*(row.player for row in moved), *Player.objects.filter(number__in=sorted(touched)[::6])]
    assert len(people) > 5
    report = ErrorReport.objects.create(
        player=people[0],
        month=runs[0].period.month,
        at=AT,
        confirmed_at=AT,
        state="rejected",
        answer="no",
        answered_at=AT,
    )
    for person in {person.pk: person for person in people}.values():
        if gone == "hidden":
            hide_player(person, since=date(2024, 6, 1), at=AT, by=None, reason="asked for")
        else:
            erase_player(person, at=AT, by=None, reason="asked for")
    amend_a_result(Section.objects.filter(period=runs[0].period).earliest("pk"))
    rerating = rerate()
    client.force_login(officer())
    starts = [
        "/admin/", "/admin/ratings/ratingrun/", "/admin/events/ratingperiod/", "/admin/ratings/rerating/",
        "/admin/events/errorreport/", change("events/errorreport", report), change("ratings/rerating", rerating),
        *(change("ratings/ratingrun", run) for run in RatingRun.objects.all()),
        *(change("events/ratingperiod", run.period) for run in runs),
        *(change("players/player", person) for person in people),
    ]  # fmt: skip
    assert wrong(client, starts, people) == {}
    let_stand(rerating, at=AT, by=None)
    assert wrong(client, [change("ratings/rerating", rerating)], people) == {}
    for run, row in zip(runs, moved, strict=True):
        # He rose by far more than anybody else.
        Rating.objects.filter(pk=row.pk).update(previous=float(row.published or 0) - 900)
        assert movement(run, list_definitions()[0]).anomalies
        address = change("ratings/ratingrun", run)
        assert wrong(client, [address], people) == {}
        page = client.get(address).content.decode()
        person = Player.objects.get(pk=row.player_id)
        assert person.name in page
        assert person.number in page
        assert "Hidden player" not in page
