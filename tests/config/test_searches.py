"""The desk finds a name whichever way its letters are coded, as the public pages do."""

import pytest

from tests.builders import officer, player

pytestmark = pytest.mark.django_db


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
