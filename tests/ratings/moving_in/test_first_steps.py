"""The first steps of an empty bureau on the desk."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from django.conf import settings

from accounts.models import User
from players.models import RegionalAdministrator
from ratings.moving_in.first_steps import first_steps
from ratings.opening.operations import take_opening
from ratings.opening.reading import read_standings, sent_files
from tests.builders import event_of, officer, panel, people, publish, region

pytestmark = pytest.mark.django_db
PAGE = "/admin/ratings/importjob/first-steps/"
BOX = "This bureau begins"


@pytest.fixture
def desk(client):
    """The desk of an officer."""
    client.force_login(officer())
    return client


def progress() -> list[str]:
    """How far each step is, after name and regions, which an installation begins with."""
    brand = replace(settings.BRAND, is_named=True)
    name, regions, *others = [step.progress.value for step in first_steps(brand)]
    assert (name, regions) == ("done", "done")
    return others


def test_a_name_that_was_never_set_is_not_done(desk):
    steps = first_steps(replace(settings.BRAND, is_named=False))
    assert [step.progress.value for step in steps[:2]] == ["next", "done"]
    assert "no federation’s name was set" in steps[0].text


def appoint() -> None:
    by = User.objects.get(is_officer=True)
    RegionalAdministrator.objects.create(user=by, region=region(), since=date(2023, 1, 1))


def test_the_first_step_that_is_not_done_is_the_next(desk):
    assert progress() == ["next", "to do", "to do", "to do", "to do", "to do"]
    appoint()
    assert progress()[:2] == ["done", "next"]
    players = people(2)
    assert progress()[:3] == ["done", "done", "next"]
    content = "".join(f"{player.number},1400\n" for player in players)
    standings = read_standings(sent_files(f"id,raw\n{content}".encode(), "ratings_main.csv"), date(2024, 2, 1))
    take_opening(standings, at=datetime(2024, 3, 2, tzinfo=UTC), by=None)
    assert progress()[:4] == ["done", "done", "done", "next"]
    event_of([(*players, "1-0")])
    assert progress()[3:] == ["next", "done", "to do"]
    assert "2 rated players, after 2024-02" in desk.get(PAGE).content.decode()


def test_the_desk_leads_there_until_a_list_is_published(desk, django_assert_max_num_queries):
    assert BOX in desk.get("/admin/").content.decode()
    with django_assert_max_num_queries(10):
        page = desk.get(PAGE).content.decode()
    assert 'href="/admin/ratings/importjob/bring/register/"' in page
    event_of([(*people(2), "1-0")])
    publish(date(2024, 3, 1))
    assert BOX not in desk.get("/admin/").content.decode()
    assert "First steps" in desk.get("/admin/ratings/importjob/").content.decode()
    assert progress() == ["left out", "done", "left out", "left out", "done", "done"]


def test_others_are_not_led_there(client):
    client.force_login(panel())
    assert BOX not in client.get("/admin/").content.decode()
    assert client.get(PAGE).status_code == 403
