"""Refusals, appeals, requests for permission, reports of errors: in the open month, and an old appeal."""

from datetime import timedelta

from django.db.models import QuerySet

from demo.federation import TODAY
from demo.regions import HOME_REGION
from demo.register import Register
from events.appeals.operations import answer_appeal, lodge_appeal, may_lodge, refuse_section
from events.appeals.size_requests import SizeRequest, answer_permission, ask_permission
from events.error_reports.operations import ReportedError, answer_report, confirm, report_error
from events.models import Appeal, ErrorReport, Event, Game, Refusal, Section
from events.rules.states import State

_REFUSED = "The clocks of this section ran without an increment in rounds 2 and 3 (article 22)."
_GROUNDS = "The increment was set again before round 2; the arbiter’s report of the day says so."
_DISMISSED = "The arbiter’s own report names two time controls."
_SMALL = "Only so many have entered so far; merging it with the other group would mix children with adults."
_WRONG = "Round {round}: the result is entered the wrong way round."
_RIGHT = "I won this game with White; the score sheet is with the Chief Arbiter."
_REJECTED = "The score sheet, which both players signed, has a win for Black."
_GRANTED = "Permitted: the groups cannot be merged."


class DemoRecourse:
    """Writes the steps of regions, of the officer and of the appeals panel, setting the register's clock for each."""

    def __init__(self, register: Register) -> None:
        self.register, self.clock = register, register.clock
        self.today = TODAY

    def run(self) -> None:
        """Write all steps in order of time. Steps for which the federation has no suitable section are left out."""
        self._dismiss()
        self._permit()
        came = self.today - timedelta(days=4)  # its file was submitted a day later
        waiting = self._section_of(Event.objects.filter(state=State.SUBMITTED.value, ends__lte=came))
        if waiting:
            self._appeal(self._refuse(waiting, days_ago=2), days_ago=1)
        own = self._section_of(Event.objects.filter(state=State.ACCEPTED.value, region__code=HOME_REGION.code))
        if own:
            self._refuse(own, days_ago=1)
        self._report_errors()

    def _report_errors(self) -> None:
        """Two players report a game of the open month; the officer has answered the first."""
        accepted = Game.objects.filter(section__event__state=State.ACCEPTED.value, result="0-1", white__isnull=False)
        games = accepted.select_related("section", "white").order_by("section__ends", "section_id", "round", "pk")
        for place, game in enumerate(games[:2]):
            player = game.white
            if player is None:
                continue
            at = self.clock.set(self.today - timedelta(days=2 - place), 18, 30)
            error = ReportedError(
                section=game.section,
                player=player,
                round=game.round,
                month=game.section.ends.replace(day=1),
                wrong=_WRONG.format(round=game.round),
                right=_RIGHT,
                proof_url="",
                role=ErrorReport.Role.PLAYER,
                name=player.name,
                email=f"player{place + 1}@example.org",
            )
            report, _ = report_error(error, at=at, by=None)
            confirm(report, at=at)
            if place == 0:
                at = self.clock.set(self.today - timedelta(days=1), 9, 20)
                answer_report(report, corrected=False, at=at, by=self.register.officer, answer=_REJECTED)

    def _dismiss(self) -> None:
        for refusal in Refusal.objects.filter(section=None).select_related("event__region").order_by("-at"):
            noticed = refusal.at.date()
            self.clock.set(noticed + timedelta(days=8), 19, 10)
            # An administrator who has been replaced since may no longer.
            if may_lodge(self.register.administrator(refusal.event.region.code), refusal.event):
                break
        else:
            return
        appeal = self._lodge(refusal)
        at = self.clock.set(noticed + timedelta(days=13), 11, 30)
        answer_appeal(appeal, upheld=False, at=at, by=self.register.panel, answer=_DISMISSED)

    def _permit(self) -> None:
        ahead = Event.objects.filter(state=State.REGISTERED.value, region__code=HOME_REGION.code).order_by(
            "starts", "name"
        )
        for place, event in enumerate(ahead[:2]):
            section = event.sections.order_by("position").last()
            if section is None:
                continue
            at = self.clock.set(self.today - timedelta(days=3), 17, 20 + place)
            by = self.register.administrator(HOME_REGION.code)
            permission = ask_permission(section, SizeRequest(5, section.planned_rounds or 5, _SMALL), at=at, by=by)
            if place == 0:
                at = self.clock.set(self.today - timedelta(days=2), 9, 40)
                answer_permission(permission, granted=True, at=at, by=self.register.officer, answer=_GRANTED)

    def _section_of(self, events: QuerySet[Event]) -> Section | None:
        """Return the last section of the first of these events with several sections, or None."""
        sections = Section.objects.filter(event__in=events, position__gt=1).order_by(
            "event__ends", "event__name", "-position"
        )
        return sections.select_related("event__region").first()

    def _refuse(self, section: Section, *, days_ago: int) -> Refusal:
        at = self.clock.set(self.today - timedelta(days=days_ago), 10, 15)
        return refuse_section(section, at=at, by=self.register.officer, reason=_REFUSED)

    def _appeal(self, refusal: Refusal, *, days_ago: int) -> None:
        self.clock.set(self.today - timedelta(days=days_ago), 20, 5)
        self._lodge(refusal)

    def _lodge(self, refusal: Refusal) -> Appeal:
        region = refusal.event.region
        by = self.register.administrator(region.code)
        return lodge_appeal(refusal, appellant=region.name, grounds=_GROUNDS, at=self.clock.now, by=by)
