import pytest
from django.utils import timezone

from accounts.models import User
from events.abroad.links import ask_link, token_of
from events.models import AbroadLink
from players.models import RegionalAdministrator
from tests.builders import player, region, with_address
from tests.events.abroad.entries import PAGE


@pytest.fixture
def naledi(db):
    """A player of Gauteng with a FIDE id and an address on record."""
    return with_address(player("Mokoena", "Naledi", region=region(), fide_id=14300001))


@pytest.fixture
def link(naledi):
    return ask_link(naledi.number, "naledi@example.org", AbroadLink.Sender.PLAYER, at=timezone.now())


@pytest.fixture
def address(link):
    return f"{PAGE}{token_of(link)}/"


@pytest.fixture
def administrator(client):
    by = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=region(), since=timezone.localdate())
    client.force_login(by)
    return by
