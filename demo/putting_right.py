"""What is put right in the open month: a wrong result, by a second revision of a list, and a player registered twice."""

from datetime import timedelta

from demo.federation import TODAY
from demo.people import FIRST_INVENTED_NUMBER
from demo.regions import HOME_REGION
from demo.register import Register
from events.amending.edits import with_result
from events.error_reports.operations import ReportedError, confirm, report_error, take_up
from events.models import ErrorReport, Game, Kind, RatingPeriod
from events.rules.game_result import Result
from players.operations import NewPlayer, register_players
from ratings.models import Rerating
from ratings.rerating.amendments import amend
from ratings.rerating.merges import merge_players
from ratings.rerating.operations import request_publication, start_rerating
from ratings.rerating.worker import process_rerating

_WRONG = "Round {round}: the list of results has a win for Black."
_RIGHT = "I won this game with White; the score sheet is with the Chief Arbiter."
_REASON = "Round {round}: White won; both score sheets say so (article 63)."
_TWICE = "One person: registered a second time from an entry form that had no Chess SA id."


def put_right(register: Register) -> None:
    """Let a player report a game of the last published month, and the officer amend it and re-rate the month, which answers the
    report.

    Does nothing if the month has no decided game at home. Raises RuntimeError if the re-rating fails.
    """
    clock, officer = register.clock, register.officer
    month = RatingPeriod.objects.filter(state=RatingPeriod.State.PUBLISHED).latest("month")
    games = Game.objects.filter(
        section__period=month,
        section__event__kind=Kind.OVER_THE_BOARD,
        result=Result.BLACK_WINS.value,
        white__isnull=False,
        black__isnull=False,
    )
    game = games.select_related("section", "white").order_by("section__ends", "section_id", "round", "pk").last()
    if game is None or game.white is None:
        return
    at = clock.set(TODAY - timedelta(days=14), 18, 40)
    error = ReportedError(
        section=game.section,
        player=game.white,
        round=game.round,
        month=month.month,
        wrong=_WRONG.format(round=game.round),
        right=_RIGHT,
        proof_url="",
        role=ErrorReport.Role.PLAYER,
        name=game.white.name,
        email="winner@example.org",
    )
    report, _ = report_error(error, at=at, by=None)
    confirm(report, at=clock.set(TODAY - timedelta(days=14), 18, 50))
    take_up(report, at=clock.set(TODAY - timedelta(days=13), 9, 10), by=officer)
    reason = _REASON.format(round=game.round)
    at = clock.set(TODAY - timedelta(days=11), 10, 20)
    amendment = amend(
        game.section,
        lambda content: with_result(content, game.pk, Result.WHITE_WINS),
        reason=reason,
        at=at,
        by=officer,
        report=report,
    )
    assert amendment  # noqa: S101 - the result differs
    rerating = start_rerating(None, [amendment], reason=reason, at=at, by=officer)
    _done(process_rerating(rerating.pk, clock=clock), Rerating.State.CALCULATED)
    request_publication(rerating, at=clock.set(TODAY - timedelta(days=10), 9), by=officer)
    _done(process_rerating(rerating.pk, clock=clock), Rerating.State.PUBLISHED)


def merge_duplicate(register: Register) -> None:
    """Let a player of the home region be registered a second time, and the officer merge the two."""
    clock = register.clock
    person = next(person for person in register.people if person.place.code == HOME_REGION.code and person.joined == 0)
    (kept,) = register.players([person.index]).values()
    entered = NewPlayer(
        last_name=person.last_name,
        first_name=person.first_name,
        national_id=str(FIRST_INVENTED_NUMBER + len(register.people)),
        birth_year=person.born.year,
        sex=person.sex,
        region=kept.region,
    )
    (twin,) = register_players([entered], at=clock.set(TODAY - timedelta(days=8), 16, 5))
    at = clock.set(TODAY - timedelta(days=7), 9, 45)
    merge_players(twin, kept, reason=_TWICE, at=at, by=register.officer)


def _done(rerating: Rerating, state: str) -> None:
    if rerating.state != state:
        raise RuntimeError(f"{rerating} is {rerating.get_state_display()}: {rerating.error}")
