"""The history of a row in the admin, in words."""

from datetime import date

import pytest
from django.utils.html import strip_tags

from events.models import Arbiter, Membership
from tests.builders import details, officer, player

pytestmark = pytest.mark.django_db


def shown(client, address: str) -> str:
    client.force_login(officer())
    return " ".join(strip_tags(client.get(address).content.decode()).split())


def test_a_value_that_was_none_is_a_dash(client):
    grace = Arbiter.objects.create(name="Grace Tenza", title="NA")
    grace.player = player("Tenza", "Grace")
    grace.save()
    text = shown(client, f"/admin/events/arbiter/{grace.pk}/history/")
    assert f"– → {grace.player}" in text
    assert "pk=None" not in text


def test_a_row_that_is_gone_is_named_as_such(client):
    grace = Arbiter.objects.create(name="Grace Tenza", title="NA", player=player("Tenza", "Grace"))
    gone = grace.player.pk
    grace.player = None
    grace.save()
    player_row = type(player("Cele", "Zodwa")).objects.get(pk=gone)
    player_row.delete()
    text = shown(client, f"/admin/events/arbiter/{grace.pk}/history/")
    assert f"player {gone}, which is no longer there → –" in text


def test_a_save_that_changes_nothing_is_left_out(client):
    grace = Arbiter.objects.create(name="Grace Tenza", title="NA")
    Membership.objects.create(arbiter=grace, year=2024, paid_on=date(2024, 1, 5))
    grace.save()
    grace.save()
    text = shown(client, f"/admin/events/arbiter/{grace.pk}/history/")
    assert (text.count("Changed"), text.count("Created")) == (0, 1)


def test_columns_that_only_the_software_reads_are_left_out(client):
    event = details()
    event.save()
    event.version += 1
    event.save()
    event.name, event.version = "Baobab Open", event.version + 1
    event.save()
    text = shown(client, f"/admin/events/event/{event.pk}/history/")
    assert "Name: Mopane Open → Baobab Open" in text
    assert "Version" not in text
    assert text.count("Changed") == 1
