"""A month calculated with model instances, loops and `bulk_create`: the yardstick of `period.py`.

It follows the articles of `ratings.systems.chessa` without guests and penalties, which the benchmark's month does not have,
and writes equal rows.
"""

import math
from collections import defaultdict
from datetime import date
from decimal import Decimal

import numpy as np
from django.db import transaction
from django.utils import timezone

from config.lib.days import months_back
from events.models import Event, EventMove, Game, RatingPeriod
from players.models import Player
from ratings.models import Performance, PublishedRun, Rating, RatingList, RatingRun
from ratings.runs.snapshot import RECENT_DTYPE
from ratings.systems import chessa

SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
KINDS = ("standard", "rapid", "blitz")


def run_month(period: RatingPeriod) -> RatingRun:
    """Calculate, write and publish a month."""
    edition = chessa.edition_for(period.calculated_on)
    lists = {rating_list.code: rating_list for rating_list in RatingList.objects.all()}
    earlier = RatingPeriod.objects.filter(month=months_back(period.month, 1)).first()
    before = {}
    if earlier:
        for rating in Rating.objects.filter(run__publication__period=earlier):
            before[rating.list_id, rating.player_id] = rating
    oldest = {}
    long_ago = RatingPeriod.objects.filter(month=months_back(period.month, 24)).first()
    if long_ago:
        for rating in Rating.objects.filter(run__publication__period=long_ago):
            oldest[rating.list_id, rating.player_id] = float(rating.raw)
    with transaction.atomic():
        run = RatingRun.objects.create(period=period, queued_at=timezone.now(), state="calculated")
        games = Game.objects.filter(section__period=period, result__in=SCORES).select_related("section")
        played = defaultdict(lambda: defaultdict(list))
        for game in games.order_by("section__ends", "section_id", "round", "white_id"):
            minutes = game.section.base_minutes + game.section.increment_seconds
            kind = next((name for least, name in reversed(edition["types_of_game"]) if minutes >= least), None)
            if kind is None:
                continue
            score = SCORES[game.result]
            for code in ("main", kind):
                list_id = lists[code].pk
                played[list_id, game.white_id][game.section].append((kind, True, game.black_id, score))
                played[list_id, game.black_id][game.section].append((kind, False, game.white_id, 1 - score))
        ratings, performances = [], []
        players = {player.pk: player for player in Player.objects.all()}
        for list_id, player_id in set(before) | set(played):
            ratings.append(
                rate_player(
                    run, lists["main"].pk == list_id, list_id, players[player_id], before, oldest,
                    played.get((list_id, player_id), {}), performances, edition, period.calculated_on,
                )
            )  # fmt: skip
        for rating_list in lists.values():
            ranked = sorted(
                (rating for rating in ratings if rating.list_id == rating_list.pk),
                key=lambda rating: (-rating.published, players[rating.player_id].folded_name),
            )
            for position, rating in enumerate(ranked, start=1):
                rating.position = position
                tie = position > 1 and ranked[position - 2].published == rating.published
                rating.rank = ranked[position - 2].rank if tie else position
        Rating.objects.bulk_create(ratings)
        Performance.objects.bulk_create(performances)
        for state, following in (("accepted", "calculated"), ("calculated", "published")):
            events = list(Event.objects.filter(sections__period=period, state=state).distinct())
            moves = [EventMove(event=event, source=state, target=following, at=timezone.now()) for event in events]
            EventMove.objects.bulk_create(moves)
            Event.objects.filter(pk__in=[event.pk for event in events]).update(state=following)
        period.state, period.published_at = RatingPeriod.State.PUBLISHED, timezone.now()
        period.save()
        run.state = "published"
        run.save()
        PublishedRun.objects.create(period=period, run=run, files_asked_at=period.published_at)
    return run


def rate_player(run, is_main, list_id, player, before, oldest, sections, performances, edition, calculated_on):
    """Return one player's new rating on one list and add the player's performances."""
    old = before.get((list_id, player.pk))
    unrated = edition["unrated_rating"]
    start = float(old.raw) if old else unrated
    k = edition["unrated_k"]
    if old:
        step = sum(float(old.highest) >= threshold for threshold in edition["k_thresholds"])
        k = edition["k_factors"][step]
    change, new = 0.0, []
    for section, games in sections.items():
        result = section_performance(is_main, list_id, start, k, section, games, before, edition)
        change += result["change"]
        new.append((result["performance"], section, games[0][0]))
        performances.append(Performance(run=run, list_id=list_id, section=section, player=player, **result))
    limit = edition["limit_scale"] * math.exp(-edition["limit_decay"] * start)
    raw = start + max(-limit, min(limit, change))
    recent = recent_of(old, new)
    weighted_performance = None
    if sections:
        weighted_performance = wp(recent, is_main, edition, calculated_on)
        if weighted_performance is not None and weighted_performance > raw:
            raw = min(weighted_performance, start + limit)
    raw = max(raw, max(edition["floor"], float(old.highest) - edition["floor_drop"]) if old else edition["floor"])
    size = edition["window"]
    window_sum = old.window_sum if old else unrated * size
    window_weighted = (old.window_weighted if old else unrated * size * (size + 1) / 2) - window_sum + size * raw
    window_sum += raw - oldest.get((list_id, player.pk), unrated)
    weighted = window_weighted / edition["window_divisor"]
    published = max(raw, weighted)
    return Rating(
        run=run, list_id=list_id, player=player, region_id=player.region_id, games=sum(map(len, sections.values())), k=int(k),
        change=Decimal(change), weighted_performance=None if weighted_performance is None else Decimal(weighted_performance),
        raw=Decimal(raw), weighted=Decimal(weighted), published=Decimal(published), previous=old.published if old else None,
        highest=max(Decimal(published), old.highest) if old else Decimal(published), pending_penalty=0.0,
        window_sum=window_sum, window_weighted=window_weighted, recent=pack(recent),
    )  # fmt: skip


def section_performance(is_main, list_id, start, k, section, games, before, edition):
    """Return a player's performance and change in one section."""
    a, b, c, d = edition["tournament_weight"]
    minutes = section.base_minutes + section.increment_seconds
    tw = a - b / (1 + (minutes / c) ** d) if is_main else 1.0
    low, high = edition["difference_bounds"]
    score = expected = change = opponents = 0.0
    for _, is_white, opponent_id, points in games:
        other = before.get((list_id, opponent_id))
        opponent = float(other.raw) if other else edition["unrated_rating"]
        difference = start - opponent if is_white else opponent - start
        we = edition["expected_level"] + edition["expected_slope"] * max(low, min(high, difference))
        we = we if is_white else 1 - we
        score, expected, opponents = score + points, expected + we, opponents + opponent
        change += (points - we) * tw * k
    count = len(games)
    performance = opponents / count + edition["performance_span"] * (score / count - 0.5)
    return {
        "games": count, "score": score, "expected": expected, "average_opponent": opponents / count,
        "performance": performance, "change": change,
    }  # fmt: skip


def recent_of(old, new):
    """Return the five newest tournaments, newest first."""
    stored = []
    if old:
        for row in np.frombuffer(old.recent, dtype=RECENT_DTYPE):
            if row["ended"]:
                stored.append((float(row["performance"]), int(row["ended"]), int(row["kind"])))
    fresh = [(performance, section.ends.toordinal(), KINDS.index(kind)) for performance, section, kind in reversed(new)]
    return sorted(fresh + stored, key=lambda recent: -recent[1])[:5]


def wp(recent, is_main, edition, calculated_on: date):
    """Return the weighted performance, or None with fewer than five usable tournaments."""
    days = edition["recent_days"]
    total, count = 0.0, 0
    for weight, (performance, ended, kind) in zip(edition["recent_weights"], recent, strict=False):
        age = calculated_on.toordinal() - ended
        if age <= days:
            of_type = edition["type_weights"][KINDS[kind]] if is_main else 1.0
            total += performance * of_type * (days - age) / days * weight
            count += 1
    return total / edition["recent_divisor"] if count == 5 else None


def pack(recent) -> bytes:
    """Return tournaments packed as `Rating.recent` stores them."""
    packed = np.zeros(5, dtype=RECENT_DTYPE)
    packed["performance"], packed["kind"] = np.nan, -1
    for index, values in enumerate(recent):
        packed[index] = values
    return packed.tobytes()
