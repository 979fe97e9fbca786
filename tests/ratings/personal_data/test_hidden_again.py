"""After an older back-up was restored: who was hidden since is hidden again, and an erasure that waited is named."""

import json
from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from accounts.models import Decision
from players.models import Player
from players.operations import NewPlayer, hide_player, register_players, save_player
from ratings.models import Erasure
from ratings.personal_data.erasure.jobs import ask_for_erasure, withdraw_erasure
from ratings.personal_data.erasure.operations import erase_player
from ratings.rerating.merges import merge_players
from tests.builders import CLOCK
from tests.ratings.personal_data.test_erasure import since_the_back_up

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
HIDDEN = date(2024, 5, 1)


@pytest.fixture
def child():
    return register_players([NewPlayer("Nel", "Zola")], at=CLOCK)[0]


@pytest.fixture
def listed(tmp_path):
    return tmp_path / "erasures.jsonl"


def hide(player, *, at=CLOCK + DAY):
    hide_player(player, since=HIDDEN, at=at, by=None, reason="Zola's parents ask for it.")


def show(player):
    """As the desk does at his wish."""
    player.hidden_since = None
    save_player(player)


def hidden_since():
    return list(Player.objects.order_by("pk").values_list("hidden_since", flat=True))


def again(listed):
    call_command("erasures", again=str(listed))


def test_he_is_hidden_again_with_a_line_on_the_trail(child, listed, capsys):
    with since_the_back_up(listed):
        hide(child)
    assert "Zola" not in listed.read_text()
    assert hidden_since() == [None]
    again(listed)
    again(listed)
    assert capsys.readouterr().out.count("1 player hidden again") == 1
    assert hidden_since() == [HIDDEN]
    line = Decision.objects.get(action="hidden")
    assert line.reason == "Hidden on 3 Apr 2024; a back-up of before was restored."


def test_the_list_keeps_who_was_hidden_until_he_is_hidden_again(child, listed):
    """It is written at night, perhaps before anybody has given the command."""
    with since_the_back_up(listed):
        hide(child)
    call_command("erasures", write=str(listed))
    again(listed)
    assert hidden_since() == [HIDDEN]
    call_command("erasures", write=str(listed))
    assert len(listed.read_text().splitlines()) == 1


def test_who_is_shown_again_at_his_wish_stays_so(child, listed):
    hide(child)
    call_command("erasures", write=str(listed))
    child.refresh_from_db()
    show(child)
    again(listed)
    assert hidden_since() == [None]
    call_command("erasures", write=str(listed))
    assert listed.read_text() == ""


def test_who_was_shown_when_the_back_up_was_made_and_hidden_before_and_after_is_hidden_again(child, listed):
    hide(child)
    child.refresh_from_db()
    child._history_date = CLOCK + 2 * DAY
    show(child)
    with since_the_back_up(listed):
        hide(child, at=CLOCK + 3 * DAY)
    again(listed)
    assert hidden_since() == [HIDDEN]


def test_who_was_merged_after_the_back_up_is_hidden_with_him(listed):
    old, new = register_players([NewPlayer("Nel", "Zola"), NewPlayer("Nel", "Zola Mia")], at=CLOCK)
    with since_the_back_up(listed):
        merge_players(old, new, taken=[], reason="one person", at=CLOCK, sure=True)
        hide(new)
    again(listed)
    assert hidden_since() == [HIDDEN, HIDDEN]


def test_who_got_his_key_after_the_restore_is_not_hidden(child, listed):
    with since_the_back_up(listed):
        (gone,) = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)
        hide(gone)
    (other,) = register_players([NewPlayer("Botha", "Mia")], at=CLOCK + 2 * DAY)
    listed.write_text(listed.read_text().replace(f'"player": {gone.pk},', f'"player": {other.pk},'))
    with pytest.raises(CommandError, match=r"Mia Botha.* came on the register after"):
        again(listed)
    assert hidden_since() == [None, None]


def test_of_who_was_hidden_and_then_erased_the_erasure_is_listed(child, listed):
    hide(child)
    call_command("erasures", write=str(listed))
    erase_player(child, at=timezone.now(), by=None, reason="asked for")
    call_command("erasures", write=str(listed))
    (line,) = map(json.loads, listed.read_text().splitlines())
    assert line["pseudonym"]


def test_an_erasure_that_waited_is_named_until_it_is_asked_for_again(child, listed):
    with since_the_back_up(listed):
        ask_for_erasure(child, at=CLOCK + DAY, by=None, reason="Zola's mother asks")
    assert "Zola" not in listed.read_text()
    for _ in range(2):
        with pytest.raises(
            CommandError, match=f"^the erasure of {child.number} was asked for on .* and not done: ask for"
        ):
            again(listed)
        call_command("erasures", write=str(listed))
    assert not Erasure.objects.exists()
    ask_for_erasure(child, at=timezone.now(), by=None, reason="his mother asked")
    again(listed)


def test_of_an_erasure_that_waited_who_was_merged_after_the_back_up_is_named_too(listed):
    old, new = register_players([NewPlayer("Nel", "Zola"), NewPlayer("Nel", "Zola Mia")], at=CLOCK)
    with since_the_back_up(listed):
        merge_players(old, new, taken=[], reason="one person", at=CLOCK, sure=True)
        new.refresh_from_db()
        ask_for_erasure(new, at=CLOCK + DAY, by=None, reason="asked for")
    with pytest.raises(CommandError, match=rf"the erasure of {new.number} .*; the erasure of {old.number} "):
        again(listed)


def test_an_erasure_that_was_withdrawn_is_not_named(child, listed):
    ask_for_erasure(child, at=CLOCK + DAY, by=None, reason="his mother asks")
    call_command("erasures", write=str(listed))
    withdraw_erasure(child, at=CLOCK + 2 * DAY, by=None)
    again(listed)
    call_command("erasures", write=str(listed))
    assert listed.read_text() == ""
