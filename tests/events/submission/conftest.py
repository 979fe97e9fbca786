from datetime import date

import pytest

from accounts.models import User
from events.models import Arbiter
from players.models import RegionalAdministrator
from tests.builders import region


@pytest.fixture
def administrator(db):
    """The Regional Administrator of Gauteng."""
    by = User.objects.create_user("gau@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=by, region=region(), since=date(2023, 1, 1))
    return by


@pytest.fixture
def arbiter(db):
    """An arbiter with an account."""
    user = User.objects.create_user("tenza@example.org", is_staff=True)
    return Arbiter.objects.create(name="Grace Tenza", title="IA", user=user)


@pytest.fixture
def desk(client, administrator):
    """The administrator's client."""
    client.force_login(administrator)
    return client
