"""`manage.py merge OLD NEW --reason TEXT [--publish]`."""

import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from players.models import Player
from ratings.models import Amendment, Rating, Rerating
from ratings.rerating.merges import merge_players
from ratings.rerating.operations import start_rerating
from ratings.rerating.worker import process_rerating
from tests.builders import CLOCK, event_of, people, player
from tests.ratings.chain import published
from tests.ratings.merging.bureaus import bureau, rows

pytestmark = pytest.mark.django_db


def _merge(old: Player, new: Player, *options: str) -> None:
    call_command("merge", old.number, new.number, "--reason", "One person.", *options)


def test_without_published_ratings_it_merges_at_once(capsys):
    old, new = player("Mokoena", "Naledy"), player()
    _merge(old, new)
    old.refresh_from_db()
    assert old.merged_into == new
    assert f"{old} is {new} now" in capsys.readouterr().out


@pytest.mark.rule("chessa 64")
def test_with_published_ratings_it_prints_what_changes_and_keeps_nothing_unless_it_publishes(capsys):
    old, new = bureau(4, {1, 6})
    before = rows()
    _merge(old, new)
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["player"] for row in printed} >= {old.number, new.number}
    assert all(row["new"] is None for row in printed if row["player"] == old.number)
    after = rows()
    assert {table for table in after if after[table] != before[table]} == {"ratings_rerating"}  # withdrawn
    assert not Amendment.objects.exists()

    figures = published()
    _merge(old, new, "--publish")
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == printed
    assert published() != figures
    assert not Rating.objects.filter(player=old, run__publication__isnull=False).exists()
    old.refresh_from_db()
    assert old.merged_into == new


@pytest.mark.rule("chessa 64")
def test_a_command_that_was_killed_leaves_no_merge_proposed(capsys):
    old, new = bureau(4, {1, 6})
    before = rows()
    merge_players(old, new, reason="One person.", at=CLOCK)
    abandoned = start_rerating(None, list(Amendment.objects.all()), reason="One person.", at=CLOCK)
    process_rerating(abandoned.pk)
    with pytest.raises(CommandError, match="proposed already"):
        _merge(old, new)
    Rerating.objects.update(finished_at=timezone.now() - timedelta(hours=1))
    _merge(old, new)
    assert f"{abandoned}, of a command that was broken off, is withdrawn" in capsys.readouterr().err
    after = rows()
    assert {table for table in after if after[table] != before[table]} == {"ratings_rerating"}  # both withdrawn


def test_what_cannot_be_merged_is_one_line():
    old, new = people(2)
    with pytest.raises(CommandError, match="no player on the register has the Chess SA id 999999999"):
        call_command("merge", "999999999", new.number, "--reason", "x")
    with pytest.raises(CommandError, match="give the reason"):
        call_command("merge", old.number, new.number, "--reason", " ")
    event_of([(old, new, "1-0")], name="Mopane Blitz")
    with pytest.raises(CommandError, match="both played in Mopane Blitz"):
        _merge(old, new)
