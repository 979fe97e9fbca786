"""The case of a month, to recompute it."""

import io
import zipfile

import pytest

from ratings.downloads.operations import make_downloads
from tests import builders as world

pytestmark = pytest.mark.django_db


def test_the_case_of_a_month_is_that_of_the_downloads(get, client):
    people = world.people(2)
    world.event_of([(*people, "1-0")])
    run = world.publish()
    period = f"{world.MARCH:%Y-%m}"
    get(f"periods/{period}/case/", 404)
    make_downloads(run.pk, at=world.CLOCK)
    address = get(f"periods/{period}/")["case"]
    case = client.get(address.removeprefix("http://testserver"))
    packed = client.get(f"/downloads/{period}/case.zip").content
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.read(archive.namelist()[0]) == case.content
    assert case.headers["Content-Type"] == "application/json"
    assert case.json()["expected"]
