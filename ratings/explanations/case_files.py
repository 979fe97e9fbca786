"""A period, or a section on a list of another system, as a rating case, by which anybody can recompute it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import count
from operator import itemgetter
from typing import Any

import numpy as np
from django.db.models import FloatField
from django.db.models.functions import Cast

from config.lib.days import months_back
from events.models import RatingPeriod, Section
from players.hidden import in_public
from players.models import Player
from ratings.cases import chessa as chessa_cases
from ratings.cases.answer import FIGURES
from ratings.cases.chessa import CaseEvent
from ratings.cases.sequential import write_case
from ratings.lists.definitions import ListDefinition
from ratings.models import FormerRating, Rating, RatingRun
from ratings.periods import RunError, run_in_force
from ratings.runs.inputs import Games, RunInput, read_input, read_player_input, read_run_input
from ratings.runs.sequential import rate_player
from ratings.runs.snapshot import read_raw
from ratings.systems import chessa
from ratings.systems.adapters import ADAPTERS, Rated
from ratings.systems.base import Opponent, TimeControl
from ratings.systems.chessa.columns import Floats, Ints

FEW = 200  # players that are asked for by name rather than with the whole list
_OTHER_ORDER = (
    "calculated when players went in another order than that of their Chess SA ids today: these rules go by that order, so"
    " that a recomputation may differ by a few points"
)
AGES_BY_DAY = (
    "published when ages still counted days, and given here with the age in the year of the event, for birth dates are not"
    " public: a starting rating may be up to 50 points higher than it was, and K another in the year in which a player turns 21"
)
_STORED = ("games", "k", "change", "weighted_performance", "raw", "weighted", "published", "highest", "pending_penalty")


def export_period(period: RatingPeriod) -> dict[str, Any]:
    """Return a calculated or published period as a case: starting states, events, games, penalties, and what the run wrote as
    `expected`. Raises RunError if it has not been calculated, or when its input has changed since."""
    run = run_in_force(period)
    if run is None or run.state not in (RatingRun.State.CALCULATED, RatingRun.State.PUBLISHED):
        raise RunError(f"{period} has not been calculated: run “calculate {period}” first")
    refuse_brought_in(run)
    gathered = read_run_input(period)
    if gathered.input.hash != run.input_hash:
        raise RunError(f"{period} has changed since {run} was calculated: calculate it again")
    return _written(f"period-{period}", period, run, gathered)


def refuse_brought_in(run: RatingRun) -> None:
    """Raise RunError for a run that was brought in: there are no games from which it could be calculated again."""
    if run.kind == RatingRun.Kind.OPENING:
        raise RunError(
            f"{run.period} is the opening balance and was not calculated here: “export_opening {run.period}” writes it"
        )
    if run.kind == RatingRun.Kind.HISTORY:
        raise RunError(f"{run.period} is a list of a former bureau and was not calculated here")


def export_player(period: RatingPeriod, player: Player) -> dict[str, Any]:
    """Return a player's month of a published period as a case that `manage.py rate` computes to the published figures.

    His events, games and penalties; the opponents stand with their raw ratings alone, and only he is in `expected`.
    """
    run = RatingRun.objects.filter(publication__period=period).first()
    if run is None:
        raise RunError(f"{period} is not published")
    refuse_brought_in(run)
    document = _written(f"{player.number}-{period}", period, run, read_player_input(period, player.pk))
    for case_player in document["players"]:
        if case_player["id"] != player.number:
            case_player["lists"] = {
                name: {"raw": standing["raw"]} for name, standing in case_player["lists"].items() if "raw" in standing
            }
    fined = {penalty["event"] for penalty in document["penalties"]}
    document["events"] = [event for event in document["events"] if event["games"] or event["id"] in fined]
    expected = document["expected"]["players"]
    document["expected"] = {"players": {player.number: expected[player.number]}}
    return document


def export_list_month(period: RatingPeriod, player: Player, listing: ListDefinition) -> list[dict[str, Any]]:
    """A player's month of a published period on a list of another system: a case for each of his sections, whole, from the
    standings that it saw, with his figures as `expected`."""
    period_input = read_input(period)
    month = rate_player(period_input, listing.id, player.pk)
    by_day = period_input.ages_by_day and ADAPTERS[listing.system].uses_age
    met = {int(name) for turn in month.turns for name in turn.rated.before}
    people = {str(pk): person for pk, person in Player.objects.in_bulk(met).items()}
    return [
        section_case(listing, turn.rated, people, expected=str(player.pk), remark=AGES_BY_DAY if by_day else "")
        for turn in month.turns
    ]


def section_case(
    listing: ListDefinition,
    rated: Rated,
    people: Mapping[str, Player],
    *,
    expected: str | None = None,
    remark: str = "",
) -> dict[str, Any]:
    """Return a section on a list of another system as a case; `expected`: whose figures it states. `people` by id. `remark`
    goes into the source."""
    adapter, name = ADAPTERS[listing.system], f"s{rated.event.id}"
    hidden_last = sorted(rated.before, key=lambda id: people[id].hidden_since is not None)  # not where their ids do
    called = dict(zip(rated.before, _case_ids([in_public(people[id]).number for id in rated.before]), strict=True))
    by_number = "by_number" in rated.edition.constants and rated.edition["by_number"]
    other_order = by_number and list(called.values()) != sorted(called.values())
    return write_case(
        replace(rated.event, id=name),
        {player: adapter.public_json(rated.before[player], rated.edition) for player in hidden_last},
        rated.edition,
        id=f"{listing.code}-{name}",
        system=listing.system,
        called=called,
        expected=None if expected is None else {expected: FIGURES[listing.system](rated.result.outcomes[expected])},
        source="; ".join(filter(None, (_OTHER_ORDER if other_order else "", remark))),
    )


def _written(id: str, period: RatingPeriod, run: RatingRun, gathered: RunInput) -> dict[str, Any]:
    people = Player.objects.order_by()
    few = len(gathered.players) < FEW
    rows = (people.filter(pk__in=gathered.players.tolist()) if few else people).values_list(
        "pk", "number", "hidden_since"
    )
    numbers = {pk: "" if hidden_since else number for pk, number, hidden_since in rows}
    sections = Section.objects.in_bulk(gathered.input.sections.tolist())
    chosen = [sections[pk] for pk in gathered.input.sections.tolist()]
    document = chessa_cases.write_case(
        id=id,
        calculated_on=period.calculated_on,
        edition=gathered.input.edition,
        player_ids=_case_ids([numbers[pk] for pk in gathered.players.tolist()]),
        events=[
            CaseEvent(f"s{section.pk}", section.ends, TimeControl(section.base_minutes, section.increment_seconds))
            for section in chosen
        ],
        columns=gathered.columns,
        raw_history=raw_history(period, gathered),
        result=replace(chessa.rate(gathered.columns, gathered.input.edition), **_stored(run, gathered)),
        rounds=gathered.input.games.round.tolist(),
        guests=_guests(gathered.input.games),
        source=f"{run}, {run.get_state_display()}",
    )
    # The hidden last: they would stand where their ids do.
    document["players"].sort(key=itemgetter("id"))
    document["expected"]["players"] = dict(sorted(document["expected"]["players"].items()))
    return document


def _case_ids(numbers: Iterable[str]) -> list[str]:
    """Return the ids of players in a case: their Chess SA ids, and a figure for each hidden player, who has none here: it is
    not his place, which would tell between whose ids his is."""
    places = count(1)
    return [number or f"hidden-{next(places)}" for number in numbers]


def _guests(games: Games) -> list[Opponent | None]:
    """Return the opponents who are not on the register as they were sent in, before the adjustment of article 45."""
    rows = zip(games.guest.tolist(), games.by_performance.tolist(), strict=True)
    return [
        None if math.isnan(rating) else Opponent(performance=rating) if by_performance else Opponent(fide=rating)
        for rating, by_performance in rows
    ]


def raw_history(period: RatingPeriod, gathered: RunInput) -> Floats:
    """(4, n, 24) newest first; nan where there was no rating."""
    return history_before(period.month, gathered.list_ids, gathered.players, gathered.input.edition["window"])


def history_before(month: date, list_ids: Sequence[int], players: Ints, size: int) -> Floats:
    """Return the last raw ratings before a month, (lists, n, size) newest first; nan where there was no rating.

    `players` are ids, ascending. Two queries for a few players, four a month for many.
    """
    history = np.full((len(list_ids), len(players), size), np.nan)
    rows_of_runs = list(
        RatingRun.objects.filter(
            publication__isnull=False, period__month__gte=months_back(month, size), period__month__lt=month
        )
        .exclude(kind=RatingRun.Kind.HISTORY)
        .values_list("period__month", "pk", "kind")
    )
    runs = {of_month: run for of_month, run, _ in rows_of_runs}
    opening = next((run for _, run, kind in rows_of_runs if kind == RatingRun.Kind.OPENING), None)
    if opening is not None:
        _fill_former(history, opening, month, list_ids, players)
    places = {run: index for index in range(size) if (run := runs.get(months_back(month, index + 1))) is not None}
    if len(players) >= FEW:
        for run, index in places.items():
            history[:, :, index] = read_raw(run, list_ids, players)
        return history
    rows = Rating.objects.filter(
        run_id__in=list(places), list_id__in=list(list_ids), player_id__in=players.tolist(), raw__isnull=False
    ).values_list("run_id", "list_id", "player_id", Cast("raw", FloatField()))
    list_index = {list_id: index for index, list_id in enumerate(list_ids)}
    place = {player: index for index, player in enumerate(players.tolist())}
    for run, list_id, player, raw in rows:
        history[list_index[list_id], place[player], places[run]] = raw
    return history


def _fill_former(history: Floats, opening: int, month: date, list_ids: Sequence[int], players: Ints) -> None:
    """Put what came with an opening balance, a run, in its places of a history."""
    size = history.shape[2]
    rows = FormerRating.objects.filter(run=opening, month__gte=months_back(month, size), list_id__in=list(list_ids))
    if len(players) < FEW:
        rows = rows.filter(player_id__in=players.tolist())
    place = {player: index for index, player in enumerate(players.tolist())}
    list_index = {list_id: index for index, list_id in enumerate(list_ids)}
    index_of = {months_back(month, index + 1): index for index in range(size)}
    for former, list_id, player, raw in rows.values_list("month", "list_id", "player_id", Cast("raw", FloatField())):
        if player in place:
            history[list_index[list_id], place[player], index_of[former]] = raw


def _stored(run: RatingRun, gathered: RunInput) -> dict[str, Any]:
    columns = {name: np.full(gathered.columns.standings.raw.shape, np.nan) for name in _STORED}
    for name in ("games", "pending_penalty"):
        columns[name][:] = 0
    list_index = {list_id: index for index, list_id in enumerate(gathered.list_ids)}
    place = {player: index for index, player in enumerate(gathered.players.tolist())}
    exact = [Cast(name, FloatField()) for name in _STORED]  # a decimal would come from SQLite with fifteen digits
    rows = Rating.objects.filter(run=run, list_id__in=gathered.list_ids)
    if len(gathered.players) < FEW:
        rows = rows.filter(player_id__in=gathered.players.tolist())
    for list_id, player, *values in rows.values_list("list_id", "player_id", *exact):
        where = list_index[list_id], place[player]
        for name, value in zip(_STORED, values, strict=True):
            columns[name][where] = np.nan if value is None else value
    return {**columns, "games": columns["games"].astype(np.int64), "rated": ~np.isnan(columns["raw"])}
