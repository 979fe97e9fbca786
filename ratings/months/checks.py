"""What an officer looks at before a month is calculated and published."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from django.db import connection
from django.db.models import Count, Q, QuerySet
from django.urls import reverse

from config.lib import formatting
from config.lib.days import FIRST_DAY, next_month
from events import waiting
from events.models import Event, Game, Penalty, RatingPeriod, Section
from events.periods import period_for
from events.rules.deadlines import last_day_to_submit
from events.rules.game_result import PLAYED
from events.rules.states import AWAITING_RESULTS, State
from events.rules.time_controls import speed_errors
from players.models import Player
from ratings.desk.addresses import review_address
from ratings.runs.inputs import PeriodInput
from ratings.runs.writing import rated_games

MOST = 20  # examples of a check

# Who played games of the month on one day in two events.
_TWO_EVENTS = """
    SELECT played.player, round.date, played.event
    FROM (
        SELECT game.white_id AS player, game.section_id AS section, game.round AS round, section.event_id AS event
        FROM events_game game JOIN events_section section ON section.id = game.section_id
        WHERE section.period_id = %s AND game.result IN ({results})
        UNION ALL
        SELECT game.black_id, game.section_id, game.round, section.event_id
        FROM events_game game JOIN events_section section ON section.id = game.section_id
        WHERE section.period_id = %s AND game.result IN ({results})
    ) played
    JOIN events_round round ON round.section_id = played.section AND round.number = played.round
    WHERE round.date IS NOT NULL AND played.player IS NOT NULL
    GROUP BY played.player, round.date, played.event
"""


@dataclass(frozen=True, slots=True)
class Example:
    """One case of a check, and the page on which it is settled."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look at: how many cases there are, and the first ones.

    `forbids`: the month is not published while there is any. `advice` says what to do about it.
    """

    name: str
    title: str
    article: str
    advice: str
    count: int
    examples: list[Example]
    forbids: bool = False

    @property
    def more(self) -> int:
        """How many cases are not among the examples."""
        return max(self.count - len(self.examples), 0)


def checks(period: RatingPeriod, *, today: date) -> list[Check]:
    """Return what is looked at before a month that is not published is calculated; those without a case, too. At most ten
    queries."""
    return [
        _earlier(period),
        _undecided(period),
        _missing(period, today),
        _penalties(period),
        _penalties_of_submitted(period),
        _left_out(period),
        _two_events(period),
        _twice_on_the_register(period),
    ]


def in_the_way(period: RatingPeriod) -> list[Check]:
    """Return the checks that keep a month from being published now. Two queries."""
    return [check for check in (_earlier(period), _penalties(period)) if check.count]


def events_of(period: RatingPeriod, states: Iterable[State]) -> QuerySet[Event]:
    """Return the events in these states, none of them accepted, of which a section would be rated in an open month."""
    sections = Section.objects.filter(ends__lt=next_month(period.month))
    if period_for(FIRST_DAY) != period.month:  # only the first open month takes what ended before it
        sections = sections.filter(ends__gte=period.month)
    return Event.objects.filter(state__in=[state.value for state in states], pk__in=sections.values("event"))


def _earlier(period: RatingPeriod) -> Check:
    rows = RatingPeriod.objects.filter(month__lt=period.month).exclude(state=RatingPeriod.State.PUBLISHED)
    months = list(rows.order_by("month"))
    return Check(
        "earlier",
        "Earlier months that are not published",
        "65",
        "Months go in order: publish those first.",
        len(months),
        [Example(str(row), reverse("admin:events_ratingperiod_change", args=[row.pk])) for row in months[:MOST]],
        forbids=True,
    )


def _undecided(period: RatingPeriod) -> Check:
    return _of_events(
        "undecided",
        "Submitted events without a decision",
        "12",
        "Accept, return or refuse each. What is not accepted when the month is calculated is rated in a later one.",
        events_of(period, [State.SUBMITTED]),
        lambda event: f"{event.name}, {formatting.days(event.starts, event.ends)}",
    )


def _missing(period: RatingPeriod, today: date) -> Check:
    def text(event: Event) -> str:
        last = last_day_to_submit(event.ends)
        left = (last - today).days
        due = f"due by {formatting.day(last)}" if left >= 0 else f"was due by {formatting.day(last)}"
        return f"{event.name}, ended {formatting.day(event.ends)}: {due}"

    return _of_events(
        "missing",
        "Played, results not sent in",
        "61",
        "Remind the region. What comes too late is not rated without an officer’s permission.",
        events_of(period, AWAITING_RESULTS).filter(pk__in=waiting.played_not_sent_in(today).values("pk")),
        text,
    )


def _of_events(
    name: str, title: str, article: str, advice: str, events: QuerySet[Event], text: Callable[[Event], str]
) -> Check:
    rows = list(events.order_by("ends", "pk")[: MOST + 1])
    count = events.count() if len(rows) > MOST else len(rows)
    examples = [Example(text(event), review_address(event.pk)) for event in rows[:MOST]]
    return Check(name, title, article, advice, count, examples)


def _penalties(period: RatingPeriod) -> Check:
    return _of_penalties(
        "penalties",
        "Proposed penalties without a decision",
        "Confirm or drop each.",
        Penalty.objects.filter(section__period=period),
        forbids=True,
    )


def _penalties_of_submitted(period: RatingPeriod) -> Check:
    return _of_penalties(
        "submitted-penalties",
        "Proposed penalties in submitted events",
        "Each is answered before its event is accepted.",
        Penalty.objects.filter(section__event__in=events_of(period, [State.SUBMITTED]).values("pk")),
    )


def _of_penalties(name: str, title: str, advice: str, penalties: QuerySet[Penalty], *, forbids: bool = False) -> Check:
    rows = penalties.filter(status=Penalty.Status.PROPOSED)
    listed = list(rows.select_related("player", "section__event").order_by("section", "pk")[: MOST + 1])
    return Check(
        name,
        title,
        "51, 52",
        advice,
        rows.count() if len(listed) > MOST else len(listed),
        [
            Example(
                f"{penalty.player.name}, {penalty.section}, round {penalty.round}",
                f"{review_address(penalty.section.event_id)}#penalty-{penalty.pk}",
            )
            for penalty in listed[:MOST]
        ],
        forbids=forbids,
    )


def _left_out(period: RatingPeriod) -> Check:
    examples = [
        Example(
            f"{section}: {finding.message} (article {finding.article})",
            reverse("admin:events_section_change", args=[section.pk]),
        )
        for section in period.sections.select_related("event").order_by("pk")
        for finding in speed_errors(section.base_minutes, section.increment_seconds, section.ends)
    ]
    return Check(
        "left-out",
        "Accepted sections that are not rated",
        "23",
        "They are too fast. If a time control is wrong, return the event.",
        len(examples),
        examples[:MOST],
    )


def _two_events(period: RatingPeriod) -> Check:
    results = ", ".join(f"'{result.value}'" for result in sorted(PLAYED))
    with connection.cursor() as cursor:
        cursor.execute(_TWO_EVENTS.format(results=results), [period.pk, period.pk])
        rows = cursor.fetchall()
    events: dict[tuple[int, date], set[int]] = defaultdict(set)
    for player, day, event in rows:
        events[player, day if isinstance(day, date) else date.fromisoformat(day)].add(event)
    double = {key: pair for key, pair in events.items() if len(pair) > 1}
    shown = sorted(double, key=lambda key: (key[1], key[0]))[:MOST]
    players = Player.objects.in_bulk({player for player, _ in shown})
    names = dict(Event.objects.filter(pk__in={pk for key in shown for pk in double[key]}).values_list("pk", "name"))
    return Check(
        "two-events",
        "Players with games in two events on one day",
        "",
        "That may be right. If one of them is somebody else, return that event, or correct it.",
        len(double),
        [
            Example(
                f"{players[player].name}, {formatting.day(day)}: "
                + " and ".join(sorted(names[event] for event in double[player, day])),
                reverse("admin:players_player_change", args=[player]),
            )
            for player, day in shown
        ],
    )


def _twice_on_the_register(period: RatingPeriod) -> Check:
    games = Game.objects.filter(section__period=period)
    playing = Player.objects.filter(Q(pk__in=games.values("white")) | Q(pk__in=games.values("black")))
    same = (
        Player.objects.filter(merged_into=None, birth_date__isnull=False, folded_name__in=playing.values("folded_name"))
        .values("folded_name", "birth_date")
        .annotate(rows=Count("pk"))
        .filter(rows__gt=1)
        .order_by("folded_name")
    )
    found = list(same)
    rows = Player.objects.filter(
        merged_into=None, folded_name__in=[row["folded_name"] for row in found[:MOST]]
    ).order_by("folded_name", "pk")
    born = {(row["folded_name"], row["birth_date"]) for row in found[:MOST]}
    return Check(
        "twice",
        "Who played and is on the register twice, by name and birth date",
        "",
        "Merge them, or tell them apart.",
        len(found),
        [
            Example(f"{player.name}, {player.number}", reverse("admin:players_player_change", args=[player.pk]))
            for player in rows
            if (player.folded_name, player.birth_date) in born
        ],
    )


@dataclass(frozen=True, slots=True)
class AcceptedEvent:
    """An event of a month: how many of its sections and games the month rates."""

    event: Event
    sections: int
    games: int

    @property
    def days(self) -> str:
        """Its days, `2–3 Mar 2024`."""
        return formatting.days(self.event.starts, self.event.ends)


@dataclass(frozen=True, slots=True)
class Contents:
    """What was accepted for a month, by the last day."""

    events: list[AcceptedEvent]

    @property
    def text(self) -> str:
        """How much it is."""
        return (
            f"{formatting.count(len(self.events), 'event')},"
            f" {formatting.count(sum(row.sections for row in self.events), 'section')},"
            f" {formatting.count(self.games, 'game')}"
        )

    @property
    def games(self) -> int:
        """How many games the month rates."""
        return sum(row.games for row in self.events)


def contents(period: RatingPeriod, period_input: PeriodInput) -> Contents:
    """Return what was accepted for a month, counted as its run counts. Two queries."""
    games = rated_games(period_input)
    sections: dict[int, list[int]] = defaultdict(list)
    for section, event in Section.objects.filter(pk__in=games).values_list("pk", "event"):
        sections[event].append(games[section])
    events = Event.objects.filter(sections__period=period).distinct().order_by("ends", "name", "pk")
    return Contents([AcceptedEvent(event, len(sections[event.pk]), sum(sections[event.pk])) for event in events])
