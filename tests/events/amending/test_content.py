"""A section's content is read and written back to the last row; edits change what they say and nothing else."""

from datetime import date
from decimal import Decimal

import pytest

from events.amending.content import Content, is_same, read_content, write_content
from events.amending.differences import differences
from events.amending.edits import (
    left_out,
    players_of,
    taken_in,
    with_colours_changed,
    with_facts,
    with_penalty,
    with_player,
    with_result,
    without_penalty,
)
from events.models import Section
from events.rules.game_result import Result
from events.rules.penalties import PenaltyKind
from events.rules.states import EventError
from tests.builders import player, submitted

pytestmark = pytest.mark.django_db


@pytest.fixture
def section() -> Section:
    """A section of six players and five rounds, from a file."""
    return submitted().sections.get()


@pytest.fixture
def content(section) -> Content:
    return read_content(section)


def _first_game(content: Content) -> dict:
    return next(row for row in content["games"] if row["result"] == "1-0")


def test_what_is_written_back_is_what_was_read(section, content):
    game = _first_game(content)
    after = with_facts(with_result(content, game["id"], Result.DRAW), base_minutes=15, ends=date(2024, 3, 9))
    written = write_content(section, after)
    assert is_same(read_content(section), written)
    assert not is_same(read_content(section), content)
    write_content(section, content)
    assert is_same(read_content(section), content)


def test_new_rows_are_given_ids_and_go_again(section, content):
    loser = content["entries"][0]["player_id"]
    after = with_penalty(
        content, player=loser, round_=2, kind=PenaltyKind.FORFEIT, points=Decimal(20), reason="He did not come."
    )
    written = write_content(section, after)
    (row,) = written["penalties"]
    assert row["id"] > 0
    assert is_same(read_content(section), written)
    dropped = without_penalty(written, row["id"], "He had told the arbiter.")
    write_content(section, dropped)
    assert section.penalties.get().status == "dropped"
    write_content(section, content)
    assert not section.penalties.exists()
    write_content(section, dropped)
    assert section.penalties.get().pk == row["id"]


def test_a_result_moves_points_and_places(content):
    game = _first_game(content)
    after = with_result(content, game["id"], Result.BLACK_WINS)
    before_points, points = (
        {row["player_id"]: Decimal(row["points"]) for row in document["entries"]} for document in (content, after)
    )
    assert points[game["white_id"]] == before_points[game["white_id"]] - 1
    assert points[game["black_id"]] == before_points[game["black_id"]] + 1
    places = sorted((row["rank"], -Decimal(row["points"])) for row in after["entries"])
    assert [best for _, best in places] == sorted(best for _, best in places)
    assert len([row for row in after["games"] if row not in content["games"]]) == 1


def test_colours_change_and_the_points_stay(content):
    game = _first_game(content)
    after = with_colours_changed(content, game["id"])
    changed = next(row for row in after["games"] if row["id"] == game["id"])
    assert (changed["white_id"], changed["black_id"], changed["result"]) == (game["black_id"], game["white_id"], "0-1")
    assert after["entries"] == content["entries"]


def test_players_who_change_places_are_written_together(section, content):
    """A row by itself would stand in the other's way: a player has one game in a round, and one entry."""
    one, other = content["games"][:2]
    after = with_player(content, one["white_id"], player("Nel", "Anna").pk)
    after = with_player(after, other["white_id"], one["white_id"])
    written = write_content(section, after)
    assert is_same(read_content(section), written)


def test_a_player_is_taken_for_another_everywhere(content):
    taken = content["entries"][0]["player_id"]
    right = player("Nel", "Anna")
    after = with_player(content, taken, right.pk)
    assert players_of(after) == players_of(content) - {taken} | {right.pk}
    assert next(difference.after for difference in differences(content, after)).startswith(
        f"{right.name} ({right.number}), "
    )


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda content: with_result(content, 0, Result.DRAW), "no such game"),
        (lambda content: with_result(content, content["games"][0]["id"], Result.HALF_BYE), "a bye has no opponent"),
        (lambda content: with_player(content, 1, 1), "choose the one who really played"),
        (
            lambda content: with_player(content, *[row["player_id"] for row in content["entries"][:2]]),
            "games of his own",
        ),
        (lambda content: with_facts(content, ends=date(2024, 1, 1)), "ends before it starts"),
        (lambda content: with_facts(content, base_minutes=-1), "whole numbers from 0"),
        (lambda content: with_facts(content, base_minutes=0, increment_seconds=0), "should not have been rated"),
        (lambda content: without_penalty(content, 5, "no"), "no such penalty"),
        (lambda content: left_out(content), "is not rated"),
        (lambda content: taken_in(taken_in(content, 1), 1), "rated already"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(content, edit, message):
    with pytest.raises(EventError, match=message):
        edit(content)
