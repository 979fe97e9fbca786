"""Mailed links: who gets one, how many, for how long."""

from datetime import timedelta

import pytest

from events.abroad.links import MOST_FOR_PLAYER, MOST_TO_ADDRESS, VALID, ask_link, is_expired, link_of, token_of
from events.models import AbroadLink
from tests.builders import people, submitted, with_address
from tests.events.abroad.entries import AT

pytestmark = pytest.mark.django_db
PLAYER, MANAGER = AbroadLink.Sender.PLAYER, AbroadLink.Sender.MANAGER


def ask(number, address="naledi@example.org", at=AT):
    return ask_link(number, address, PLAYER, at=at)


def test_a_link_is_known_again_by_its_token_alone(naledi):
    with_address(naledi, "team@example.org")
    link = ask_link(naledi.number, " Team@Example.org ", MANAGER, at=AT)
    token = token_of(link)
    assert link_of(token) == link
    assert link.address == "team@example.org"
    assert "example" not in token
    assert naledi.number not in token


@pytest.mark.parametrize("change", [lambda t: t[:-1], lambda t: "9" + t, lambda t: "", lambda t: "1", lambda t: "1:é"])
def test_a_token_that_was_tampered_with_is_nobody_s(naledi, change):
    assert link_of(change(token_of(ask(naledi.number)))) is None


def test_nobody_on_the_register_gets_no_link(naledi):
    assert ask("999999998") is None
    hidden = submitted().sections.get().entries.first().player
    assert ask(hidden.number) is None


def test_a_link_opens_until_its_last_second(naledi):
    link = ask(naledi.number)
    assert not is_expired(link, at=AT + VALID - timedelta(seconds=1))
    assert is_expired(link, at=AT + VALID)


@pytest.mark.parametrize("record", ["", "other@example.org"])
def test_a_link_ends_when_its_address_is_no_longer_on_record(naledi, record):
    link = ask(naledi.number)
    with_address(naledi, record)
    assert is_expired(link_of(token_of(link)), at=AT)
    with_address(naledi)
    assert not is_expired(link_of(token_of(link)), at=AT)


def test_a_player_s_links_are_counted_for_each_address_so_that_nobody_shuts_him_out(naledi):
    with_address(naledi, "someone@example.org")
    found = [ask(naledi.number, "someone@example.org") for _ in range(MOST_FOR_PLAYER + 1)]
    assert [one is not None for one in found] == [True] * MOST_FOR_PLAYER + [False]
    with_address(naledi)
    assert ask(naledi.number)


@pytest.mark.rule("chessa 10")
@pytest.mark.parametrize("record", ["", "other@example.org"])
def test_a_link_goes_only_to_the_address_on_record(naledi, record):
    with_address(naledi, record)
    assert ask(naledi.number) is None
    assert ask(naledi.number, record or " ") is None or record
    with_address(naledi, "naledi@example.org")
    assert ask(naledi.number, "Naledi@Example.org").address == "naledi@example.org"


def test_an_address_s_links_are_counted_whoever_they_are_for(naledi):
    found = [
        ask(with_address(one, "team@example.org").number, "TEAM@example.org") for one in people(MOST_TO_ADDRESS + 1)
    ]
    assert [one is not None for one in found] == [True] * MOST_TO_ADDRESS + [False]


def test_after_a_day_there_are_more(naledi):
    for _ in range(MOST_FOR_PLAYER):
        assert ask(naledi.number)
    assert ask(naledi.number, at=AT + timedelta(days=1, seconds=-1)) is None
    assert ask(naledi.number, at=AT + timedelta(days=1))
