"""The desk's page of a rating list: what the list follows, in words."""

import pytest

from ratings.models import RatingList
from tests.builders import officer
from tests.pages import builders

pytestmark = pytest.mark.django_db
ADD = "/admin/ratings/ratinglist/add/"


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


def page_of(desk, row: RatingList) -> str:
    return desk.get(f"/admin/ratings/ratinglist/{row.pk}/change/").content.decode()


@pytest.mark.parametrize(
    ("system", "named"),
    [("icu", "the Irish Chess Union"), ("uscf", "US Chess"), ("cfc", "the Chess Federation of Canada")],
)
def test_a_list_of_another_system_says_what_it_follows_counts_and_starts_from(desk, system, named):
    row = builders.add_list("later", system=system, position=7)
    row.counts_blitz, row.starts_from = False, RatingList.objects.get(code="main")
    row.save()
    page = page_of(desk, row)
    assert f"It follows the system of {named} (edition " in page
    assert "counts standard and rapid games. Players who are new to it bring their published Main rating." in page
    row.starts_from = None
    row.save()
    assert "Players who are new to it start unrated." in page_of(desk, row)


@pytest.mark.rule("chessa 24", "chessa 56")
@pytest.mark.parametrize(("code", "counted"), [("main", "the games of all types"), ("rapid", "rapid games")])
def test_a_list_of_the_regulations_says_what_it_counts_and_where_newcomers_start(desk, code, counted):
    page = page_of(desk, RatingList.objects.get(code=code))
    assert f"and counts {counted}. Players who are new to it start at 1\u202f200 (article 56)." in page


def test_the_editions_of_each_system_stand_beside_the_field(desk):
    page = desk.get(ADD).content.decode()
    assert "Irish Chess Union: software-3, text; US Chess: 2001, " in page
    assert "Chess Federation of Canada: 2012, article." in page
