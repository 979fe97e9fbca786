"""What the run of the month would make of sections that are not published yet: the live calculation with them in it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext_noop

from config.lib.days import months_back, next_month
from events.models import RatingPeriod, Section
from events.periods import month_after
from ratings.models import PublishedRun, RatingRun
from ratings.runs.inputs import following, read_alone, with_standings
from ratings.systems import chessa
from ratings.systems.base import RatingError
from ratings.systems.chessa.columns import LISTS


@dataclass(frozen=True, slots=True)
class Expected:
    """A player's published rating on a list before the month and after it; None while he is unrated. `why`: the articles that
    act besides the games, in English."""

    code: str
    before: float | None
    after: float | None
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """What is expected of sections of a month. `basis`: the day of the list that it starts from, None if there is none;
    `ratings`: (section, player) → on Main, and on the list of the section's type of game; nothing for a section that is not
    rated. `problem`: why nothing can be calculated, or ""."""

    month: date
    basis: date | None
    ratings: dict[tuple[int, int], list[Expected]]
    problem: str = ""


def preview(entered: Mapping[Section, Collection[int]]) -> list[Preview]:
    """Return what the run's own code gives for sections, each with the ids of its players, together with what is accepted for
    their months; one for each month. Nothing is written. One query, and ten at most a month, whatever the number of players."""
    periods = list(RatingPeriod.objects.select_related("publication__run").order_by("month"))
    closed = max((period.month for period in periods if period.closed), default=None)
    by_month: dict[date, list[Section]] = {}
    for section in entered:
        month = section.period.month if section.period else month_after(section.ends, closed)
        by_month.setdefault(month, []).append(section)
    return [_of_month(month, {row: entered[row] for row in rows}, periods) for month, rows in sorted(by_month.items())]


def _of_month(month: date, entered: Mapping[Section, Collection[int]], periods: Sequence[RatingPeriod]) -> Preview:
    period = next((row for row in periods if row.month == month), None) or RatingPeriod(month=month)
    runs = {row.month: run for row in periods if row.month < month and (run := _run(row))}
    latest = max(runs, default=None)
    basis = next_month(latest) if latest else None
    players = sorted({player for of_section in entered.values() for player in of_section})
    if not players:
        return Preview(month, basis, {})
    try:
        alone = read_alone(period, players, [section.pk for section in entered])
        oldest = runs.get(months_back(month, alone.edition["window"]))
        placed = following(alone, runs[latest] if latest else None, oldest)
        gathered = with_standings(period, placed, whole=False, extra=tuple(players))
        result = chessa.rate(gathered.columns, gathered.input.edition)
    except RatingError as error:
        return Preview(month, basis, {}, str(error))
    place = {player: index for index, player in enumerate(gathered.players.tolist())}
    kinds = dict(zip(gathered.input.sections.tolist(), result.event_kind.tolist(), strict=True))
    return Preview(
        month,
        basis,
        {
            (section.pk, player): [
                Expected(
                    LISTS[index],
                    _known(gathered.published[index, place[player]]),
                    _known(result.published[index, place[player]]),
                    _articles(result, index, place[player]),
                )
                for index in (0, kinds[section.pk] + 1)
            ]
            for section, of_section in entered.items()
            if kinds.get(section.pk, -1) >= 0
            for player in of_section
        },
    )


def _run(period: RatingPeriod) -> int | None:
    """Return the run that a month's published lists come from; None for a former bureau's list, which is shown, not used."""
    publication: PublishedRun | None = getattr(period, "publication", None)
    if publication is None or publication.run.kind == RatingRun.Kind.HISTORY:
        return None
    return publication.run_id


def _known(value: float) -> float | None:
    return None if value != value else float(value)


def _articles(result: chessa.PeriodResult, index: int, place: int) -> tuple[str, ...]:
    acting = (
        (result.limited, gettext_noop("limit of article 47")),
        (result.capped, gettext_noop("limit of article 47")),
        (result.raised, gettext_noop("raised by article 40")),
        (result.floored, gettext_noop("floor of article 42")),
    )
    return tuple(dict.fromkeys(words for flags, words in acting if flags[index, place]))
