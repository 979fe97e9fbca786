"""A mailed link opens the row for which it was mailed, and no other that has its key."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.signing import Signer

from config.lib.tokens import row_of, signed_row
from events.abroad.links import ask_link, link_of, token_of
from events.models import AbroadLink
from tests.builders import player, with_address

AT = datetime(2024, 3, 2, 10, 0, 0, 123_457, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def link():
    """The mailed link of a player."""
    thandi = with_address(player("Nkosi", "Thandi"), "thandi@example.org")
    return ask_link(thandi.number, "thandi@example.org", AbroadLink.Sender.PLAYER, at=AT)


def test_a_key_that_is_given_to_another_row_after_an_older_back_up_opens_nothing(link):
    token = token_of(link)
    assert link_of(token) == link
    other = with_address(player("Botha", "Jan"), "jan@example.org")
    AbroadLink.objects.filter(pk=link.pk).delete()
    AbroadLink.objects.create(
        pk=link.pk, player=other, sender="player", address=other.email, at=AT + timedelta(microseconds=1)
    )
    assert link_of(token) is None
    AbroadLink.objects.filter(pk=link.pk).update(at=AT)
    assert link_of(token).pk == link.pk


def test_a_link_that_an_earlier_release_mailed_opens_its_row(link):
    assert link_of(Signer(salt="events.abroad.recording.link").sign(str(link.pk))) == link


def test_the_token_of_another_kind_of_link_opens_nothing(link):
    own, other = Signer(salt="own"), Signer(salt="other")
    assert row_of(own, signed_row(own, link), AbroadLink.objects.all()) == link
    assert row_of(other, signed_row(own, link), AbroadLink.objects.all()) is None


@pytest.mark.parametrize("text", ["", "-", "é", "1-", "1-x", "x-1", "0", "-1", "1-1-1"])
def test_what_names_no_row_opens_nothing(text):
    signer = Signer(salt="own")
    assert row_of(signer, signer.sign(text), AbroadLink.objects.all()) is None
