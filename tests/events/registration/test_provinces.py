"""Provincial bodies register for the regions of their province; national events, whoever organises them (article 62)."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import User
from events.access import administrator_emails, visible_events, writable_regions
from events.models import Event
from events.operations import register_event
from players.models import Region, RegionalAdministrator
from tests.builders import details, player, region
from tests.events.registration.entries import ahead, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def province():
    """The province of one region, and of another that joined it."""
    one = region("LCP").province
    Region.objects.create(code="LBX", name="Another region", province=one)
    return one


@pytest.fixture
def body(province):
    """Who administers the provincial body."""
    made = Region.objects.create(code="LBP", name="The province", province=province, provincial=True)
    user = User.objects.create_user("province@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=user, region=made, since=date(2023, 1, 1))
    return user


@pytest.mark.rule("chessa 62.3")
def test_a_provincial_body_registers_for_its_regions_and_for_no_other(body, client):
    assert set(writable_regions(body)) == set(Region.objects.filter(province=region("LCP").province))
    client.force_login(body)
    assert send(client, region=region("LCP").pk).status_code == 302
    assert Event.objects.get().region.code == "LCP"
    refused = send(client, region=region("GAU").pk)
    assert refused.status_code == 422
    assert "Choose one of your own regions (article 62)." in refused.content.decode()


@pytest.mark.rule("chessa 62.3")
def test_a_region_acts_neither_for_its_province_nor_for_its_neighbours(body):
    user = User.objects.create_user("region@example.org", is_staff=True)
    RegionalAdministrator.objects.create(user=user, region=region("LCP"), since=date(2023, 1, 1))
    assert list(writable_regions(user)) == [region("LCP")]
    theirs = register_event(details(region=Region.objects.get(code="LBP")), at=timezone.now())
    neighbours = register_event(details(region=Region.objects.get(code="LBX"), name="Baobab"), at=timezone.now())
    assert not visible_events(user).exists()
    assert set(visible_events(body)) == {theirs, neighbours}


def test_the_region_is_written_to_and_without_anybody_there_its_province(body):
    assert administrator_emails(region("LCP")) == ["province@example.org"]
    assert administrator_emails(region("GAU")) == []
    user = User.objects.create_user("region@example.org")
    RegionalAdministrator.objects.create(user=user, region=region("LCP"), since=date(2023, 1, 1))
    assert administrator_emails(region("LCP")) == ["region@example.org"]


def test_birth_dates_stay_with_the_regions_own(body, client):
    somebody = player("Mokoena", "Naledi", region=region("LCP"), birth_date=date(2010, 4, 13))
    client.force_login(body)
    page = client.get(f"/admin/players/player/{somebody.pk}/change/").content.decode()
    assert "Mokoena" in page
    assert "13 Apr" not in page
    assert "April 13" not in page


def test_a_provincial_body_has_its_province():
    with pytest.raises(ValidationError, match="choose that, too"):
        Region(code="LBP", name="The province", provincial=True).full_clean()


@pytest.mark.rule("chessa 62.4")
def test_a_national_event_is_registered_by_who_organises_it_wherever_it_is_played(browser_of):
    assert (
        send(
            browser_of,
            kind="national",
            organising_body="Limpopo Chess",
            place="Thohoyandou",
            starts=ahead(30).isoformat(),
        ).status_code
        == 302
    )
    event = Event.objects.get()
    assert (event.kind, event.region.code, event.place) == ("national", "GAU", "Thohoyandou")
