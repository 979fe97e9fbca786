"""Counts the games of a month towards the players' activity when it is published (article 55)."""

from collections import Counter

from events.models import Game, RatingPeriod
from events.rules.game_result import ACTIVITY, Result
from events.rules.time_controls import types_of_game
from ratings.models import Activity
from ratings.runs.bulk_insert import insert_columns
from ratings.runs.inputs import PeriodInput, national_list_ids


def write_activity(run_id: int, period: RatingPeriod, period_input: PeriodInput) -> int:
    """Write for each player and list how many games of the period count. Returns how many rows."""
    counted = count_activity(period, period_input)
    return insert_columns(
        Activity,
        {
            "run_id": [run_id] * len(counted),
            "list_id": [listing for listing, _ in counted],
            "player_id": [player for _, player in counted],
            "games": list(counted.values()),
        },
    )


def count_activity(period: RatingPeriod, period_input: PeriodInput) -> Counter[tuple[int, int]]:
    """Return how many games of a period count, those of sections that were rated, by the keys of list and player.

    A game counts on Main and on the list of its type of game (article 20).
    """
    main, *of_types = national_list_ids()
    kinds = types_of_game(period_input.section_minutes, period_input.edition).tolist()
    list_of_section = {
        section: of_types[kind]
        for section, kind in zip(period_input.sections.tolist(), kinds, strict=True)
        if kind >= 0
    }
    counted: Counter[tuple[int, int]] = Counter()
    rows = Game.objects.filter(section__period=period, result__in=[result.value for result in ACTIVITY])
    for section, result, *players in rows.order_by().values_list("section_id", "result", "white_id", "black_id"):
        if section not in list_of_section:
            continue
        for player, counts in zip(players, ACTIVITY[Result(result)], strict=True):
            if counts and player is not None:
                counted[main, player] += 1
                counted[list_of_section[section], player] += 1
    return counted
