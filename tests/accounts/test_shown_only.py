"""Pages of the desk that only show a row: sent back, they would write it as it was read, over what a worker wrote since."""

import pytest
from django.contrib import admin
from django.test import RequestFactory
from django.urls import reverse

from tests.accounts.world import OWN, World
from tests.builders import everything

pytestmark = pytest.mark.usefixtures("quiet")


def without_a_field(world: World) -> list:
    """The rows of the desk that an officer may act upon, on whose pages there is nothing to type."""
    request = RequestFactory().get("/")
    request.user = world.users["officer"]
    admin.autodiscover()
    found = [(page, world.rows.get((model._meta.model_name, OWN))) for model, page in admin.site._registry.items()]
    return [
        row
        for page, row in found
        if row and page.has_change_permission(request, row)
        if not page.get_form(request, row, change=True).base_fields
    ]


def test_a_page_without_a_field_is_neither_saved_nor_offers_it(world, client):
    client.force_login(world.users["officer"])
    rows = without_a_field(world)
    assert {row._meta.model_name for row in rows} >= {
        "amendment", "penalty", "ratingperiod", "ratingrun", "rerating", "submission",
    }  # fmt: skip
    for row in rows:
        address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
        page = client.get(address).content.decode()
        assert 'type="submit" value="Save' not in page, address
        assert "<h1>Change" not in page, address
        before = everything()
        assert client.post(address, {"reason_for_change": "Typed over."}).status_code == 403, address
        assert everything() == before, address
