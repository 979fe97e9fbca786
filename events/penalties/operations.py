"""Records proposed penalties and decisions on them (articles 51–54). An officer's decision is final."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import User
from accounts.trail.operations import record
from config.lib.texts import plain_text
from events.models import Penalty, RatingPeriod, Section
from events.operations import EventError, lock_open_periods
from events.penalties.queries import rounds_taken, section_rounds
from events.penalty_decisions import record_penalty_decision
from events.rules.penalties import PenaltyKind, Proposal, entry_errors, points_lost
from events.rules.states import State
from events.wording import state_name
from players.models import Player

# States in which the event's administrator and arbiters may answer.
ANSWERABLE = (State.REGISTERED, State.RETURNED, State.SUBMITTED, State.ACCEPTED)
_DECISION = ("status", "reason", "decided_by", "decided_at", "final")


def record_proposals(section: Section, proposals: Iterable[Proposal], players: Mapping[int, Player]) -> None:
    """Write the penalties proposed for a section, not in force until confirmed. `players`: by start number."""
    Penalty.objects.bulk_create(
        Penalty(
            section=section,
            player=players[proposal.number],
            round=proposal.round,
            kind=proposal.kind.value,
            points=points_lost(proposal, section.ends),
        )
        for proposal in proposals
    )


def decided_penalties(penalties: QuerySet[Penalty]) -> list[Penalty]:
    """Return those of a section's penalties that were decided or are an officer's; lock all, so that none is decided meanwhile.

    They are read before the results are replaced, and handed to `keep_decisions` afterwards.
    """
    locked = penalties.select_for_update(of=("self",)).select_related("player").order_by("pk")
    return [penalty for penalty in locked if penalty.status != Penalty.Status.PROPOSED or penalty.final]


def keep_decisions(section: Section, decided: Iterable[Penalty], *, at: datetime, by: User | None) -> None:
    """Bring what was decided about a section's penalties to its new results, whose proposals are recorded.

    A decision holds for the proposal of its player, round and kind if that costs as much; if not, the proposal is an open
    question again, to an officer's decision for an officer. An officer's also stands without a proposal; what a region
    answered, or nobody, does not. An officer's by which points are lost that the new results contradict becomes an open
    question: it waits for an officer, and the reason says why.
    """
    for old in _without_proposal(section, decided, at=at, by=by):
        if not old.final:
            _record_lapse(section, old, at=at, by=by)
            continue
        contradiction = "" if old.status == Penalty.Status.DROPPED else _contradiction(section, old)
        kept = {name: getattr(old, name) for name in (*_DECISION, "player", "round", "kind", "points")}
        penalty = Penalty(section=section, **kept)
        if contradiction:
            penalty.status, penalty.reason = Penalty.Status.PROPOSED, contradiction
            penalty.decided_by = penalty.decided_at = None
        penalty.save()
        if contradiction and old.status == Penalty.Status.CONFIRMED:
            _record_reopening(penalty, old, at=at, by=by)


def _record_reopening(penalty: Penalty, old: Penalty, *, at: datetime, by: User | None) -> None:
    record(
        "opened again",
        penalty,
        at=at,
        by=by,
        part_of=penalty.section.event,
        before={"penalty": old.status},
        after={"penalty": penalty.status},
        reason=penalty.reason,
    )


def _without_proposal(section: Section, decided: Iterable[Penalty], *, at: datetime, by: User | None) -> list[Penalty]:
    """Write each decision on its proposal, if there is one. Return the other decisions.

    Of one that was dropped and entered anew, the one that was not dropped goes to the proposal.
    """
    others, keys = [], set()
    for old in sorted(decided, key=lambda penalty: penalty.status == Penalty.Status.DROPPED):
        key = (old.player_id, old.round, old.kind)
        if key in keys or not _decided_again(section, old, at=at, by=by):
            others.append(old)
        keys.add(key)
    return others


def _record_lapse(section: Section, old: Penalty, *, at: datetime, by: User | None) -> None:
    """Put on the trail that points are not lost after all, since the new results do not propose it any more."""
    if old.status == Penalty.Status.CONFIRMED:
        record(
            "no longer proposed",
            old,
            at=at,
            by=by,
            part_of=section.event,
            before={"penalty": old.status},
            after={"penalty": ""},
            reason="The file that came later does not propose it.",
        )


def _decided_again(section: Section, old: Penalty, *, at: datetime, by: User | None) -> bool:
    """Write a decision on the proposal of its player, round and kind. Return whether there is one.

    What was decided about other points, of a withdrawal from as many rounds, does not hold for it.
    """
    proposal = section.penalties.filter(player=old.player_id, round=old.round, kind=old.kind).first()
    if proposal is None:
        return False
    if old.status == Penalty.Status.PROPOSED:  # the question is the file's own by now, and its region may answer it
        return True
    if proposal.points == old.points:
        for name in _DECISION:
            setattr(proposal, name, getattr(old, name))
        proposal.save(update_fields=_DECISION)
        return True
    proposal.final = old.final
    proposal.reason = (
        f"It was {old.status} for {old.cost}; with the file that came later it costs {float(proposal.points):g}."
    )
    proposal.save(update_fields=["final", "reason"])
    _record_reopening(proposal, old, at=at, by=by)
    return True


def _contradiction(section: Section, old: Penalty) -> str:
    """Return why an officer's penalty cannot stand beside the new results, as a sentence; "" if it can."""
    if not section.entries.filter(player=old.player_id).exists():
        return "The file that came later does not name the player."
    error = _article_error(section, old, rounds_taken(section, old.player))
    return f"With the file that came later: {error}" if error else ""


def _article_error(section: Section, penalty: Penalty, taken: Collection[int] = ()) -> str:
    """Return why a penalty could not be entered anew by the articles, beside the rounds `taken`; "" if it could."""
    errors = entry_errors(
        PenaltyKind(penalty.kind),
        penalty.round,
        float(penalty.points),
        rounds=section_rounds(section, penalty.player),
        ends=section.ends,
        taken=taken,
    )
    return next((error.message for error in errors), "")


def _require_articles_kept(penalty: Penalty) -> None:
    """Raise EventError if an officer's penalty is not what the articles say of the section's present results.

    A player whom the results do not name any more is left to the officer.
    """
    section = penalty.section
    if penalty.final and section.entries.filter(player=penalty.player_id).exists():
        error = _article_error(section, penalty)
        if error:
            raise EventError(
                f"{penalty}: {error} Drop it with the reason, and enter it anew if points are lost (article"
                f" {PenaltyKind(penalty.kind).article})"
            )


def decide_penalties(
    penalties: Iterable[Penalty],
    status: Penalty.Status,
    *,
    at: datetime,
    by: User | None = None,
    reason: str = "",
    final: bool = False,
) -> None:
    """Confirm or drop penalties. `final`: an officer decides.

    Raises EventError if a penalty is part of a published list, was decided since `penalties` were read, or is dropped without a
    reason, if an officer's is confirmed that the articles do not allow beside the section's results, or if without `final` an
    officer has decided it or the event no longer takes answers.
    """
    reason = plain_text(reason)
    if status is Penalty.Status.DROPPED and not reason:
        raise EventError(gettext("give the reason why the penalty is dropped"))
    with transaction.atomic():
        chosen = Penalty.objects.select_for_update(of=("self",)).select_related("section__event", "player")
        read = {penalty.pk: penalty for penalty in penalties}
        present = {penalty.pk: penalty for penalty in chosen.filter(pk__in=read).order_by("pk")}
        for key, given in read.items():
            if key not in present or present[key].status != given.status:
                text = gettext(
                    "%(penalty)s was decided, or its results sent in anew, by another meanwhile: look at it again"
                )
                raise EventError(text % {"penalty": given})
        for penalty in present.values():
            lock_open_periods(RatingPeriod.objects.filter(sections=penalty.section_id), str(penalty))
            state = State(penalty.section.event.state)
            if not final and state is State.CALCULATED:
                text = gettext("%(penalty)s: the month is calculated; write to the bureau if that is not right")
                raise EventError(text % {"penalty": penalty})
            if not final and state not in ANSWERABLE:
                text = gettext("%(penalty)s: the event is %(state)s, and nothing is asked of it")
                raise EventError(text % {"penalty": penalty, "state": state_name(state)})
            if penalty.final and not final:
                text = gettext("%(penalty)s: the ratings officer has decided; write to the bureau if that is not right")
                raise EventError(text % {"penalty": penalty})
            if status is Penalty.Status.CONFIRMED:
                _require_articles_kept(penalty)
            record_penalty_decision(penalty, status, reason, by=by, at=at, final=final)
