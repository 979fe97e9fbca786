"""Reads the penalties of a section for the page of its event's results."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from config.lib import formatting
from config.lib.shown_rows import Shown, first_of
from events.models import Correction, Penalty, Section
from events.rules.corrections import PENALTY
from events.rules.penalties import PenaltyKind
from events.submission.correction_forms.base import CorrectionForm
from events.submission.correction_forms.penalties import NoticeForm
from events.submission.page_parts import PenaltyRow
from events.submission.words import NOTICES
from players.administrators import called

_OFFICER = gettext_noop("the ratings officer")
_WAITS = gettext_noop("The ratings officer decides this one.")


def proposed_rows(report: dict[str, Any], corrections: Iterable[Correction], form: Any) -> Shown[PenaltyRow]:
    """Return the penalties that an uploaded file proposes, with the region's answers or what an officer decided before, and
    after them those that only an officer decides.

    `form`: makes the form of a penalty from its kind and key.
    """
    answers = {correction.key: correction for correction in corrections if correction.kind == PENALTY.code}

    def made(row: dict[str, Any]) -> PenaltyRow:
        decided = row.get("decided", "")
        correction = None if decided else answers.get(row["key"])
        return PenaltyRow(
            what=f"{row['name']}: {_absence_text(row['kind'], row['round'], row['rounds'])}",
            points=_points(row["points"]),
            article=PenaltyKind(row["kind"]).article,
            form=None if correction or decided else form("penalty", row["key"]),
            answer=NOTICES.said(correction.answer.partition(": ")[2] if correction else decided),
            by=gettext(_OFFICER) if decided else _who(correction.by if correction else None),
            undo=correction.pk if correction else None,
        )

    proposals, officers = report.get("proposals", []), report.get("officers", [])
    proposed = first_of(proposals, lambda row: not row.get("decided") and row["key"] not in answers)
    for_officers = first_of(officers, lambda row: False)
    return Shown(
        [*map(made, proposed.rows), *map(_for_officer, for_officers.rows)],
        proposed.more_open,
        proposed.more_answered + for_officers.more_answered,
    )


def _for_officer(row: dict[str, Any]) -> PenaltyRow:
    return PenaltyRow(
        what=f"{row['name']}: {_absence_text(row['kind'], row['round'], 1)}",
        points=_points(row["points"]),
        article=PenaltyKind(row["kind"]).article,
        answer=NOTICES.said(row["decided"]) or gettext(_WAITS),
        by=gettext(_OFFICER) if row["decided"] else "",
    )


def recorded_rows(
    section: Section, bound: CorrectionForm | NoticeForm | None, typed: Mapping[str, QueryDict]
) -> Shown[PenaltyRow]:
    """Return the penalties of a section that are on record.

    `bound`: a sent form with errors; `typed`: what was sent with a form, and refused, by its prefix.
    """

    def made(penalty: Penalty) -> PenaltyRow:
        prefix = f"p{penalty.pk}"
        return PenaltyRow(
            what=f"{penalty.player.name}: {_absence_text(penalty.kind, penalty.round, 1)}",
            points=_points(float(penalty.points)),
            article=PenaltyKind(penalty.kind).article,
            form=None if penalty.final else _notice_form(prefix, bound, typed),
            answer=NOTICES.said(penalty.decision)
            or (f"{gettext(_WAITS)} {penalty.reason}".strip() if penalty.final else ""),
            by=gettext(_OFFICER) if penalty.final and penalty.decision else _who(penalty.decided_by),
            pk=penalty.pk,
            status=penalty.status,
        )

    recorded = section.penalties.select_related("player", "decided_by").order_by("round", "pk")
    chosen = first_of(recorded, lambda penalty: not (penalty.decision or penalty.final))
    return Shown(list(map(made, chosen.rows)), chosen.more_open, chosen.more_answered)


def _who(user: User | None) -> str:
    return called(user) if user else ""


def _absence_text(kind: str, round_: int, rounds: int) -> str:
    if kind == PenaltyKind.WITHDRAWAL:
        if rounds > 1:
            last = round_ + rounds - 1
            return gettext("withdrew from round %(round)s on, to round %(last)s") % {"round": round_, "last": last}
        return gettext("withdrew from round %(round)s") % {"round": round_}
    return gettext("forfeited round %(round)s") % {"round": round_}


def _points(points: float) -> str:
    return gettext("%(points)s points") % {"points": formatting.in_style(f"{points:g}")}


def _notice_form(prefix: str, bound: CorrectionForm | NoticeForm | None, typed: Mapping[str, QueryDict]) -> NoticeForm:
    if isinstance(bound, NoticeForm) and bound.prefix == prefix:
        return bound
    form = NoticeForm(typed.get(prefix), prefix=prefix)
    form.is_valid()
    return form
