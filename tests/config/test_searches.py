"""The desk finds a name whichever way its letters are coded, as the public pages do."""

import pytest

from tests.builders import officer, player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "query",
    [
        "last_name__regex=(.*)(.*)", "last_name__iregex=(", "birth_year__range=1", "fide_id__contained_by=1",
        "region__name__iregex=x", "registered_at__week=x", "last_name__trigram_similar=x",
    ],
)  # fmt: skip
def test_a_look_up_that_the_desk_does_not_use_is_refused(client, query):
    client.force_login(officer())
    assert client.get(f"/admin/players/player/?{query}").status_code in (302, 400)


@pytest.mark.parametrize(
    "query", ["sex__exact=F", "region__id__exact=1", "last_name__icontains=x", "registered_at__year=2024"]
)
def test_what_it_uses_is_looked_up(client, query):
    client.force_login(officer())
    assert client.get(f"/admin/players/player/?{query}").status_code == 200


def test_of_a_long_search_the_first_twelve_words_are_searched_for(client):
    client.force_login(officer())
    found = player("Terblanché", "Anika")
    for count, is_found in ((11, False), (12, True)):
        query = " ".join(["terblanche"] * count + ["nobody", *["x"] * 2000])
        assert (found.number in client.get("/admin/players/player/", {"q": query}).content.decode()) == is_found


@pytest.mark.parametrize(
    "typed", ["Terblanché", "Terblanche\u0301", "Terblan\u200bché", "\u202eTerblanché", " Terblanché\u00a0"]
)
def test_a_name_is_found_however_its_letters_are_coded(client, typed):
    client.force_login(officer())
    found = player("Terblanché", "Anika")
    other = player("Mokoena", "Naledi")
    page = client.get("/admin/players/player/", {"q": typed}).content.decode()
    assert found.number in page
    assert other.number not in page
    offered = client.get(
        "/admin/autocomplete/", {"term": typed, "app_label": "events", "model_name": "arbiter", "field_name": "player"}
    )
    assert [row["id"] for row in offered.json()["results"]] == [str(found.pk)]


@pytest.mark.parametrize(
    "day", ["0001-01-01T00:00+14:00", "9999-12-31 23:59:59-14:00", "00010101T000000+1400", "0001-W01-1T00:00+14:00"]
)
def test_a_day_that_is_none_in_another_time_zone_is_no_fault(client, day):
    """PostgreSQL has days before those of Python, and finds nothing."""
    client.force_login(officer())
    assert client.get("/admin/accounts/decision/", {"at__gte": day}).status_code < 500
    assert client.get("/admin/accounts/decision/", {"at__gte": "2024-01-01"}).status_code != 400


@pytest.mark.parametrize("lookup", [{"at__year": "9999"}, {"at__year": "9999", "at__month": "12", "at__day": "31"}])
def test_the_last_year_there_is_is_refused(client, lookup):
    client.force_login(officer())
    assert client.get("/admin/events/appeal/", lookup).status_code == 400
    assert client.get("/admin/events/appeal/", {"at__year": "2024"}).status_code == 200
