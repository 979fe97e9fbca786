"""Real players and events as the Chess SA calculator starts from them: published data only."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from config.lib import formatting
from config.lib.database import as_float
from config.lib.days import months_back, next_month
from config.lib.forms import BLACK, DRAWN, LOST, WHITE, WON
from config.lib.parsing import parse_pk
from events.models import Game, Penalty, Refusal, Section
from events.rules.game_result import PLAYED, Result
from events.rules.states import ACCEPTED_OR_LATER
from events.visibility import public_players
from players.hidden import not_hidden
from players.identity import is_chess_sa_id
from players.models import Player
from ratings.calculators.fields import MOST_GAMES
from ratings.cases.chessa import write_case
from ratings.explanations.case_files import history_before
from ratings.lists.queries import Publication, publications
from ratings.models import Performance, Rating, RatingList
from ratings.runs.inputs import published_run_id
from ratings.runs.snapshot import read_snapshot
from ratings.systems import chessa
from ratings.systems.chessa.columns import LISTS, PeriodColumns, day


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A registered player and his standing at the start of a rating period, by list as a rating case has it."""

    number: str
    name: str
    lists: dict[str, dict[str, Any]]

    @property
    def rated_on(self) -> frozenset[str]:
        """The lists on which he is rated."""
        return frozenset(code for code in self.lists if self.raw(code) is not None)

    def raw(self, list_code: str) -> float | None:
        """His raw rating on a list; None: unrated."""
        return self.lists.get(list_code, {}).get("raw")


def latest_day(published: Sequence[Publication]) -> date:
    """Return the day of the latest list, with which a rating period begins; before any list the first day of this month."""
    return published[0].day if published else timezone.localdate().replace(day=1)


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
    no_ids, no_figures = np.zeros(0, dtype=np.int64), np.zeros(0)
    columns = PeriodColumns(
        calculated_on=day(next_month(month)),
        standings=before.standings,
        oldest=np.zeros_like(before.standings.raw),
        event_ended=no_ids,
        event_minutes=no_figures,
        event=no_ids,
        white=no_ids,
        black=no_ids,
        white_score=no_figures,
        guest=no_figures,
        penalty_player=no_ids,
        penalty_event=no_ids,
        penalty_points=no_figures,
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
    return {
        player["id"]: KnownPlayer(player["id"], names[player["id"]], player["lists"]) for player in document["players"]
    }


def published_section(text: str) -> Section | None:
    """Return a section that counts on a published list, with its event and period, by its key as an address writes it."""
    return (
        Section.objects.filter(pk=parse_pk(text), period__publication__isnull=False, event__state__in=ACCEPTED_OR_LATER)
        .select_related("event", "period__publication")
        .first()
    )


def public_section(text: str) -> Section | None:
    """Return a section whose results are public, with its event and period, by its key as an address writes it."""
    refused = Refusal.objects.filter(section=OuterRef("pk"), lifted_at=None)
    sections = Section.objects.filter(~Exists(refused), pk=parse_pk(text), event__state__in=ACCEPTED_OR_LATER)
    return sections.select_related("event", "period__publication").first()


def is_published(section: Section) -> bool:
    """Whether a section of `public_section` counts on a published list."""
    return section.period is not None and hasattr(section.period, "publication")


def players_of(section: Section) -> list[tuple[str, str]]:
    """Return number and name of those who played in a section and are not hidden, in its order."""
    played = Game.objects.filter(section=section, result__in=list(PLAYED))
    whites, blacks = (played.filter(**{f"{side}__isnull": False}).values(side) for side in ("white", "black"))
    rows = section.entries.filter(Q(player__in=whites) | Q(player__in=blacks), not_hidden("player__"))
    rows = rows.order_by("rank", "number")
    names = rows.values_list("player__number", "player__first_name", "player__last_name")
    return [(number, f"{first} {last}".strip()) for number, first, last in names]


def games_entry(number: str, section: Section, system: str) -> dict[str, str] | None:
    """Return a calculator's entry with a player's games of a section; None where he played too little or too much,
    or is hidden.

    The ratings are those at the start of the section's period if that list is published, else those of the latest one. Of a
    hidden opponent only his rating is entered.
    """
    if section.period is None or not is_chess_sa_id(number):
        return None
    games = list(
        Game.objects.filter(Q(white__number=number) | Q(black__number=number), section=section, result__in=list(PLAYED))
        .order_by("round", "white_id", "black_id")
        .values_list("white__number", "black__number", "result", "guest__fide_rating", "guest__performance")
    )
    met = {number for white, black, *_ in games for number in (white, black)}
    hidden = dict(Player.objects.filter(~not_hidden(), number__in=met).values_list("number", "pk"))
    if not 0 < len(games) <= MOST_GAMES or number in hidden:
        return None
    ratings = _ratings_of(hidden, section, system) if hidden else {}
    national, edition = system == chessa.CODE, chessa.edition_for(section.period.calculated_on)
    entry = {"player": number} | (_national_terms(section) if national else {})
    for place, (white, black, result, fide, performance) in enumerate(games, start=1):
        as_white = white == number
        opponent = black if as_white else white
        if opponent in ratings:
            entry[f"o{place}"] = ratings[opponent]
        elif opponent:
            entry[f"p{place}"] = opponent
        elif national:
            entry[f"o{place}"] = repr(chessa.adjusted_fide(float(fide or performance or 0), edition))
        else:
            entry[f"o{place}"] = str(fide or performance or 0)
        if national:
            entry[f"c{place}"] = WHITE if as_white else BLACK
        entry[f"r{place}"] = result_of(Result(result), as_white)
    return entry


def _ratings_of(players: Mapping[str, int], section: Section, system: str) -> dict[str, str]:
    """Return the ratings of players, by number, as a calculator is given them: the raw ones at the start of the section's month
    on the first list of a system that has them; where there is none, "", for the visitor to fill in. One query."""
    if section.period is None:
        return {}
    run = published_run_id(months_back(section.period.month, 1))
    rows = Rating.objects.filter(run=run, player__in=players.values(), list__system=system, raw__isnull=False)
    found = dict(rows.order_by("-list__position").values_list("player_id", as_float("raw")))
    return {number: repr(found[pk]) if pk in found else "" for number, pk in players.items()}


def _national_terms(section: Section) -> dict[str, str]:
    """Return the fields of the Chess SA calculator that say which section is rated, how fast, and from which list on."""
    terms = {"section": str(section.pk), "b": str(section.base_minutes), "i": str(section.increment_seconds)}
    day = {"e": section.ends.isoformat()}
    if section.period is not None and is_published(section):
        return terms | {"at": f"{section.period.month:%Y-%m}"} | day
    return terms | (day if section.ends <= next_month(latest_day(publications())) else {})


def result_of(result: Result, as_white: bool) -> str:
    """Return a played game's result as the table of games has it."""
    if result is Result.DRAW:
        return DRAWN
    return WON if (result is Result.WHITE_WINS) is as_white else LOST


def published_lines(number: str, section: Section) -> dict[str, dict[str, str]]:
    """What a published section changed for a player, and what was published at the end of its period: in words by list and
    label."""
    if section.period is None or not is_published(section):
        return {}
    run = section.period.publication.run_id
    changes = Performance.objects.filter(run_id=run, section_id=section.pk, player__number=number, list__code__in=LISTS)
    ratings = Rating.objects.filter(run_id=run, player__number=number, list__code__in=LISTS, published__isnull=False)
    lines: dict[str, dict[str, str]] = {code: {} for code in LISTS}
    for code, change in changes.values_list("list__code", as_float("change")):
        lines[code]["Change by games in this event, as published"] = formatting.change(change)
    day_text = formatting.day(section.period.calculated_on)
    for code, rating in ratings.values_list("list__code", as_float("published")):
        lines[code][f"Published on {day_text}, after all events of the month"] = formatting.rating(rating)
    return lines


def penalty_points(number: str, section: Section) -> float:
    """Return the confirmed penalty points of a player in a section."""
    rows = Penalty.objects.filter(section=section, player__number=number, status=Penalty.Status.CONFIRMED)
    return float(sum(rows.values_list("points", flat=True)))
