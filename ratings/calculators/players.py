"""Real players and events as the Chess SA calculator starts from them: published data only."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from django.db.models import Q

from config.lib.database import as_float
from config.lib.days import next_month
from config.lib.forms import BLACK, DRAWN, LOST, WHITE, WON
from config.lib.parsing import parse_pk
from events.models import Game, Penalty, Section
from events.rules.game_result import PLAYED, Result
from events.visibility import public_players
from players.identity import is_chess_sa_id
from ratings.calculators.fields import MOST_GAMES
from ratings.cases.chessa import write_case
from ratings.explanations.case_files import history_before
from ratings.models import Performance, Rating, RatingList
from ratings.runs.inputs import RATED_STATES, months_back, published_run_id
from ratings.runs.snapshot import read_snapshot
from ratings.systems import chessa
from ratings.systems.chessa.columns import LISTS, PeriodColumns, day


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A registered player and his standing at the start of a rating period, by list as a rating case has it."""

    number: str
    name: str
    lists: dict[str, dict[str, Any]]

    def raw(self, list_code: str) -> float | None:
        """His raw rating on a list; None: unrated."""
        return self.lists.get(list_code, {}).get("raw")


def known_players(numbers: Collection[str], month: date, *, own: str = "") -> dict[str, KnownPlayer]:
    """Players by number, with their standings at the start of a month; the one who calculates with his whole history.

    Seven queries, however many they are.
    """
    rows = {
        pk: (number, f"{first} {last}".strip())
        for pk, number, first, last in public_players()
        .filter(number__in={number for number in numbers if is_chess_sa_id(number)})
        .values_list("pk", "number", "first_name", "last_name")
    }
    if not rows:
        return {}
    edition = chessa.edition_for(next_month(month))
    ids = dict(RatingList.objects.filter(code__in=LISTS).values_list("code", "pk"))
    list_ids = [ids[code] for code in LISTS]
    people = np.array(sorted(rows), dtype=np.int64)
    run = published_run_id(months_back(month, 1))
    before = read_snapshot(run, list_ids, people, edition["unrated_rating"], edition["window"], whole=False)
    history = np.full((*before.standings.raw.shape, edition["window"]), np.nan)
    history[:, :, 0] = before.standings.raw
    for place, pk in enumerate(people.tolist()):
        if rows[pk][0] == own:
            history[:, [place]] = history_before(month, list_ids, people[[place]], edition["window"])
    nobody, none = np.zeros(0, dtype=np.int64), np.zeros(0)
    columns = PeriodColumns(
        calculated_on=day(next_month(month)),
        standings=before.standings,
        oldest=np.zeros_like(before.standings.raw),
        event_ended=nobody,
        event_minutes=none,
        event=nobody,
        white=nobody,
        black=nobody,
        white_score=none,
        guest=none,
        penalty_player=nobody,
        penalty_event=nobody,
        penalty_points=none,
    )
    document = write_case(
        id="standings",
        calculated_on=next_month(month),
        edition=edition,
        player_ids=[rows[pk][0] for pk in people.tolist()],
        events=[],
        columns=columns,
        raw_history=history,
        result=chessa.rate(columns, edition),
    )
    names = dict(rows.values())
    return {one["id"]: KnownPlayer(one["id"], names[one["id"]], one["lists"]) for one in document["players"]}


def published_section(text: str) -> Section | None:
    """A section that counts on a published list, with its event and period, by its key as an address writes it."""
    return (
        Section.objects.filter(pk=parse_pk(text), period__publication__isnull=False, event__state__in=RATED_STATES)
        .select_related("event", "period__publication")
        .first()
    )


def replay(number: str, section: Section) -> dict[str, str] | None:
    """The entry that plays a player's part of a published section again; None where he played too little or too much."""
    if section.period is None or not is_chess_sa_id(number):
        return None
    games = list(
        Game.objects.filter(Q(white__number=number) | Q(black__number=number), section=section, result__in=list(PLAYED))
        .order_by("round", "white_id", "black_id")
        .values_list("white__number", "black__number", "result", "guest__fide_rating", "guest__performance")
    )
    if not 0 < len(games) <= MOST_GAMES:
        return None
    edition = chessa.edition_for(section.period.calculated_on)
    entry = {
        "player": number,
        "section": str(section.pk),
        "at": f"{section.period.month:%Y-%m}",
        "b": str(section.base_minutes),
        "i": str(section.increment_seconds),
        "e": section.ends.isoformat(),
    }
    for place, (white, black, result, fide, performance) in enumerate(games, start=1):
        as_white = white == number
        opponent = black if as_white else white
        if opponent:
            entry[f"p{place}"] = opponent
        else:
            entry[f"o{place}"] = repr(chessa.adjusted_fide(float(fide or performance or 0), edition))
        entry[f"c{place}"] = WHITE if as_white else BLACK
        entry[f"r{place}"] = result_of(Result(result), as_white)
    return entry


def result_of(result: Result, as_white: bool) -> str:
    """A played game's result as the table of games has it."""
    if result is Result.DRAW:
        return DRAWN
    return WON if (result is Result.WHITE_WINS) is as_white else LOST


def published_changes(number: str, section: Section) -> dict[str, float]:
    """What a published section changed for a player, by list."""
    if section.period is None:
        return {}
    rows = Performance.objects.filter(
        run_id=section.period.publication.run_id,
        section_id=section.pk,
        player__number=number,
        list__code__in=LISTS,
    )
    return dict(rows.values_list("list__code", as_float("change")))


def published_ratings(number: str, section: Section) -> dict[str, float]:
    """What was published for a player at the end of a section's period, by list."""
    if section.period is None:
        return {}
    rows = Rating.objects.filter(
        run_id=section.period.publication.run_id,
        player__number=number,
        list__code__in=LISTS,
        published__isnull=False,
    )
    return dict(rows.values_list("list__code", as_float("published")))


def penalty_points(number: str, section: Section) -> float:
    """The confirmed penalty points of a player in a section."""
    rows = Penalty.objects.filter(section=section, player__number=number, status=Penalty.Status.CONFIRMED)
    return float(sum(rows.values_list("points", flat=True)))
