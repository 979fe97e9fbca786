"""Says what is right of a published section. Nothing of it takes effect before a re-rating is published."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.trail.operations import record
from config.lib.shown import digest
from config.lib.texts import plain_text
from events.amending.content import Content, read_content
from events.amending.differences import ContentDifference, differences
from events.amending.edits import without_passing_penalties
from events.models import ErrorReport, RatingPeriod, Section, SubmittedFile
from events.operations import EventError
from events.rules.states import ACCEPTED_OR_LATER
from ratings.models import Amendment

Edit = Callable[[Content], Content]

MOST_ON_TRAIL = 60  # differences; the amendment keeps them all


def amended_content(section: Section) -> Content:
    """Return a section's content as it is to be: with its open amendment, if it has one."""
    amendment = Amendment.objects.filter(Amendment.OPEN, section=section).first()
    content: Content = amendment.after if amendment else read_content(section)
    return content


def amend(
    section: Section,
    edit: Edit,
    *,
    reason: str,
    at: datetime,
    by: User | None = None,
    report: ErrorReport | None = None,
    file: SubmittedFile | None = None,
    shown: str = "",
) -> Amendment | None:
    """Change what is right of a section by an edit (`events.amending.edits`), and return its open amendment; None when
    nothing differs from what is published any more.

    `shown`: the digest (`config.lib.shown`) of what the user has seen of the section, if the edit puts all of it aside.
    Raises EventError if that was corrected meanwhile, if no reason is given, if the section is not part of a published list and
    would not become one, or if a re-rating with the section is calculated already.
    """
    reason = _required_reason(reason)
    with transaction.atomic():
        section = Section.objects.select_for_update(of=("self",)).select_related("event").get(pk=section.pk)
        present = _open_amendment(section)
        before = present.before if present else read_content(section)
        current = present.after if present else before
        require_as_shown(current, shown)
        after = without_passing_penalties(edit(current), before)
        require_published(section, before, after)
        found = differences(before, after)
        if not found:
            if present:
                record("amendment dropped", section, at=at, by=by, part_of=section.event, reason=reason)
                present.delete()
            return None
        _require_not_let_stand(section, found)
        amendment = present or Amendment(section=section, before=before)
        amendment.after, amendment.at, amendment.by = after, at, by
        amendment.reason = _with_reason(present.reason if present else "", reason)
        amendment.file = file or amendment.file
        amendment.save()
        if report:
            amendment.reports.add(report)
        record(
            "amended",
            section,
            at=at,
            by=by,
            part_of=section.event,
            before={difference.what: difference.before for difference in found[:MOST_ON_TRAIL]},
            after={difference.what: difference.after for difference in found[:MOST_ON_TRAIL]},
            reason=reason,
        )
    return amendment


def require_correctable(section: Section, *, reason: str) -> None:
    """Raise EventError for what keeps any correction of a section from being taken, in a transaction that has locked it."""
    _required_reason(reason)
    if why := why_not_amended(section):
        raise EventError(why)
    _open_amendment(section)


def require_as_shown(content: Content, shown: str) -> None:
    """Raise EventError if a section's content is no longer what a user has seen, by its digest; "" is of any."""
    if shown and shown != digest(content):
        raise EventError("the section was corrected meanwhile: look at what stands there now, and send it again")


def _required_reason(reason: str) -> str:
    reason = plain_text(reason)
    if not reason:
        raise EventError("give the reason of the correction: it is shown with it")
    return reason


def _open_amendment(section: Section) -> Amendment | None:
    """Return the open amendment of a section, locked. Raises EventError if a re-rating with it is calculated already."""
    present = Amendment.objects.select_for_update(of=("self",)).filter(Amendment.OPEN, section=section).first()
    if present and present.rerating_id:
        raise EventError(f"{section} is part of {present.rerating}: withdraw that first, or publish it")
    return present


def drop(amendment: Amendment, *, at: datetime, by: User | None = None, reason: str) -> None:
    """Give an amendment up. Raises EventError if it belongs to a re-rating or was added to since it was read, or without a
    reason."""
    reason = plain_text(reason)
    if not reason:
        raise EventError("give the reason why the amendment is given up")
    with transaction.atomic():
        present = Amendment.objects.select_for_update(of=("self",)).get(pk=amendment.pk)
        if present.rerating_id:
            raise EventError(f"{present} belongs to {present.rerating}: withdraw that first")
        if present.at != amendment.at:
            raise EventError(f"{present} was added to meanwhile: read it again")
        record("amendment dropped", present.section, at=at, by=by, part_of=present.section.event, reason=reason)
        present.delete()


def wait_again(amendment: Amendment, *, at: datetime, by: User | None = None) -> None:
    """Let an amendment wait again whose re-rating was taken back, and whose section is as it was before. With a further one of
    the section that waits already it becomes one; nothing waits if they cancel each other out. In the caller's transaction.

    Raises EventError if a re-rating under way has that further one.
    """
    further = (
        Amendment.objects.select_for_update(of=("self",)).filter(Amendment.OPEN, section=amendment.section).first()
    )
    if further is None:
        amendment.rerating = amendment.applied_at = None
        amendment.save(update_fields=["rerating", "applied_at"])
        return
    if further.rerating_id:
        raise EventError(f"{amendment.section} is part of {further.rerating}: withdraw that first, or publish it")
    if not differences(amendment.before, further.after):
        section = amendment.section
        reason = "What was corrected again is taken back: it is right as it was published first."
        record("amendment dropped", section, at=at, by=by, part_of=section.event, reason=reason)
        further.delete()
    else:
        further.before = amendment.before
        further.file = further.file or amendment.file
        for reason in further.reason.split("\n"):
            amendment.reason = _with_reason(amendment.reason, reason)
        further.reason = amendment.reason
        further.save(update_fields=["before", "file", "reason"])
        further.reports.add(*amendment.reports.all())
    amendment.delete()


def _with_reason(given: str, further: str) -> str:
    """Return the reasons of a section's corrections one after another, each once: all are shown with them."""
    reasons = given.split("\n") if given else []
    return given if further in reasons else "\n".join([*reasons, further])


def _require_not_let_stand(section: Section, found: list[ContentDifference]) -> None:
    """Raise EventError if one of these differences was let stand: adjustments correct the ratings already."""
    for stood in Amendment.objects.filter(section=section, let_stand_at__isnull=False).select_related(
        "rerating__first"
    ):
        known = set(differences(stood.before, stood.after))
        repeated = next((difference for difference in found if difference in known), None)
        if repeated is not None:
            raise EventError(
                f"{section}, {repeated.what}: it was let stand with {stood.rerating}, whose adjustments correct the ratings; it"
                " would count twice. Withdraw them first, if their list is not published yet"
            )


def why_not_amended(section: Section) -> str:
    """Return why nothing of a section is amended; "" for one of a published month, or one that was left out."""
    if section.event.state not in ACCEPTED_OR_LATER:
        return f"{section} is {section.event.state} and not rated: decide on the event itself"
    if section.period is not None and section.period.state != RatingPeriod.State.PUBLISHED:
        return f"{section} is not part of a published list: return the event, and correct it there"
    return ""


def require_published(section: Section, before: Content, after: Content) -> None:
    """Raise EventError unless the section is, or is to be, part of a published month of an accepted event, and ended in it or
    before."""
    period = RatingPeriod.objects.filter(pk=after["facts"]["period_id"]).first()
    if period and after["facts"]["ends"] >= period.calculated_on.isoformat():
        raise EventError(
            f"{section} is rated in {period} and cannot end after that month: leave it out of {period}, and have it rated"
            " in its own"
        )
    periods = {before["facts"]["period_id"], after["facts"]["period_id"]} - {None}
    states = RatingPeriod.objects.filter(pk__in=periods).values_list("state", flat=True)
    if why := why_not_amended(section):
        raise EventError(why)
    if not periods or any(state != RatingPeriod.State.PUBLISHED for state in states):
        raise EventError(f"{section} is not part of a published list: return the event, and correct it there")
