"""Who is merged into a player is hidden with him: earlier lists have both, each under his own name."""

from datetime import date
from importlib import import_module

import pytest
from django.apps import apps

from players.models import Player
from players.operations import hide_player
from ratings.rerating.merges import merge_players, undo_merge
from ratings.rerating.splits import split_player
from ratings.verification.beside import register_findings
from tests.admin_pages import posted_form
from tests.builders import MARCH, event_of, officer, people, player, publish
from tests.ratings.chain import AT, publish_again, rerate

pytestmark = pytest.mark.django_db
DAY = date(2024, 5, 1)


def hide(row, day=DAY):
    hide_player(Player.objects.get(pk=row.pk), since=day, at=AT, by=None, reason="asked for")


def merge(old, new):
    return merge_players(Player.objects.get(pk=old.pk), Player.objects.get(pk=new.pk), reason="one", at=AT, sure=True)


def hidden(*rows):
    return [Player.objects.get(pk=row.pk).hidden_since for row in rows]


def test_earlier_revisions_name_neither_of_two_records_of_one_child(client):
    others = people(3)
    child, twin = player("Zqbabbage", "Hettie"), player("Zqbabbage", "Hetty")
    for name, who in (("One", child), ("Two", twin)):
        event_of([(who, other, "1-0") for other in others], name=name)
    publish()
    merge(twin, child)
    publish_again(rerate())
    client.force_login(officer())
    form = f"/admin/players/player/{child.pk}/change/"
    assert client.post(form, posted_form(client, form, hidden_since="2024-06-01")).status_code == 302
    client.logout()
    for address in (
        f"/lists/main/{MARCH:%Y-%m}/?revision=1",
        f"/lists/main/{MARCH:%Y-%m}/players.csv?revision=1",
        f"/api/v1/lists/main/{MARCH:%Y-%m}/?revision=1",
    ):
        answer = client.get(address)
        text = b"".join(answer).decode()
        assert answer.status_code == 200
        assert "Hidden player" in text
        assert "Zqbabbage" not in text
        assert twin.number not in text


def test_he_is_hidden_and_shown_with_the_other():
    old, new, other = people(3)
    merge(old, new)
    merge(new, other)
    hide(other)
    assert hidden(old, new, other) == [DAY] * 3
    hide(other, None)
    assert hidden(old, new, other) == [None] * 3


@pytest.mark.parametrize("who", [0, 1, 2])
def test_a_merge_hides_both_and_undone_the_one_who_was(who):
    earlier, old, new = rows = people(3)
    merge(earlier, old)
    before = [DAY if who == 1 else None, DAY if who == 1 else None, DAY if who == 2 else None]
    if who:
        hide(rows[who])
    done = merge(old, new)
    assert hidden(*rows) == [DAY if who else None] * 3
    undo_merge(done, reason="two", at=AT)
    assert hidden(*rows) == before


def test_who_is_split_off_onto_a_hidden_player_is_hidden():
    record, taken, other = people(3)
    merge(record, taken)
    hide(other)
    split_player(taken, other, [], reason="another", at=AT, records=[Player.objects.get(pk=record.pk)])
    assert hidden(record, taken, other) == [DAY, None, DAY]


def test_who_was_merged_before_is_hidden_by_the_upgrade():
    old, new, other, own = people(4)
    merge(old, new)
    merge(own, other)
    Player.objects.filter(pk__in=[new.pk, own.pk]).update(hidden_since=DAY)
    import_module("players.migrations.0011_merged_players_hidden_with_theirs").hide_merged(apps, None)
    assert hidden(old, new, other, own) == [DAY, DAY, None, DAY]


def test_whom_the_upgrade_hides_his_history_tells_and_verify_is_content():
    old, new, shown, other = people(4)
    merge(old, new)
    merge(shown, other)
    hide(new, DAY)
    Player.history.filter(id=old.pk, hidden_since=DAY).delete()  # as the upgrade to 0011 left it
    Player.objects.filter(pk=shown.pk).update(hidden_since=DAY)  # by hand
    import_module("players.migrations.0012_merged_players_hidden_on_record").record_hidden(apps, None)
    assert [finding.player for finding in register_findings()] == [shown.pk]
    hide(new, None)
    assert hidden(old, new) == [None, None]
    assert [finding.player for finding in register_findings()] == [shown.pk]


def test_a_merge_into_who_has_a_hidden_record_is_undone():
    earlier, child, sister = people(3)
    hide(earlier)
    hide(child)
    merge(earlier, child)
    versions = Player.history.filter(id=earlier.pk).count()
    undo_merge(merge(sister, child), reason="two", at=AT)
    assert hidden(earlier, child, sister) == [DAY, DAY, None]
    assert Player.history.filter(id=earlier.pk).count() == versions


@pytest.mark.parametrize("is_own", [True, False])
def test_who_was_merged_by_mistake_is_hidden_after_the_split_at_his_wish_or_another_s(is_own):
    record, taken, other = people(3)
    if is_own:
        hide(record)
    merge(record, taken)
    hide(taken, None if is_own else DAY)
    split_player(taken, other, [], reason="another", at=AT, records=[Player.objects.get(pk=record.pk)])
    assert hidden(record, taken, other) == ([DAY, None, DAY] if is_own else [DAY, DAY, DAY])
