"""Decides on merges: at once where no published rating changes, otherwise by a re-rating that takes them in."""

from collections.abc import Collection
from datetime import date, datetime

from django.db import transaction

from accounts.models import User
from accounts.trail.operations import record
from config.lib.texts import plain_text
from events.amending.content import Content
from events.amending.edits import players_of, with_player
from events.models import RatingPeriod, Section
from events.periods import lock_periods
from events.rules.states import EventError
from players.models import Player
from ratings.merging.operations import apply_merge, lock_both, require_on_register, revert_merge
from ratings.merging.register import FIELDS, doubt, require_one_sex, taken_by_default
from ratings.merging.rows import played_in, published_sections, require_apart
from ratings.merging.versions import before_merge
from ratings.models import Amendment, Erasure, Merge, Rating, RatingRun, Revision, RunPerson
from ratings.periods import RunError
from ratings.rerating.amendments import amend
from ratings.runs.inputs import AmendedRegister, as_registered


def changes_ratings(old: Player) -> bool:
    """Return whether a merge of this player into another changes what is published."""
    return bool(published_sections(old)) or first_rated(old) is not None


def first_rated(player: Player) -> date | None:
    """Return the first published month that was calculated here in which a player has a rating."""
    rated = Rating.objects.filter(player=player).order_by().values("run")
    runs = RatingRun.objects.filter(pk__in=rated, kind=RatingRun.Kind.CALCULATED, publication__isnull=False)
    return runs.order_by("period__month").values_list("period__month", flat=True).first()


def first_month_of(merges: Collection[Merge]) -> date | None:
    """Return the first published month that merges concern, None without any: the first with a rating or a game of a player
    who goes."""
    months = [first_rated(merge.old) for merge in merges]
    months += [section.period.month for merge in merges for section in _sections(merge) if section.period]
    return min((month for month in months if month is not None), default=None)


def open_merges(player: Player | None = None) -> list[Merge]:
    """Return the merges that are proposed and not done, of one player or all."""
    rows = Merge.objects.filter(applied_at=None, undone_at=None).select_related("old", "new")
    return [merge for merge in rows if player is None or player.pk in (merge.old_id, merge.new_id)]


def merge_players(
    old: Player,
    new: Player,
    *,
    reason: str,
    at: datetime,
    by: User | None = None,
    taken: Collection[str] | None = None,
    sure: bool = False,
) -> Merge:
    """Merge one player into another, at once if no published rating changes; otherwise propose it, with an amendment of each
    published section of his, for a re-rating. `taken`: the fields of the register that come from the one who goes
    (`ratings.merging.register.FIELDS`); None: those that are blank of the other. `sure`: they are one person though the
    register has other births of them.

    Raises EventError without a reason, for a man and a woman, for two births unless it is sure, if both played in one section,
    if one of them is merged already or about to be, or if a month with him is being published.
    """
    reason = plain_text(reason)
    if not reason:
        raise EventError("give the reason of the merge: it is kept with it")
    if old.pk == new.pk:
        raise EventError(f"{old} is one player: name the one who goes and the one who stays")
    with transaction.atomic():
        lock_periods()
        old, new = lock_both(Merge(old=old, new=new))
        require_on_register(old, new)
        for player in (old, new):
            for other in open_merges(player):
                raise EventError(f"{other} is proposed already: publish it with a re-rating, or undo it first")
        if asked := Erasure.objects.filter(player__in=[old, new], state=Erasure.State.WAITING).first():
            raise EventError(f"the {asked} is asked for: withdraw it first, if they are one person")
        require_one_sex(old, new)
        against = doubt(old, new)
        if against and not sure:
            raise EventError(f"{against}: correct the register first, or say that you are sure")
        require_apart(old, new)
        sections = published_sections(old)
        _require_free(old, sections)
        chosen = taken_by_default(old, new) if taken is None else [code for code in FIELDS if code in taken]
        merge = Merge.objects.create(
            old=old,
            new=new,
            taken=chosen,
            sections=[section.pk for section in sections],
            reason=reason,
            at=at,
            by=by,
        )
        if not sections and first_rated(old) is None:
            apply_merge(merge, at=at, by=by)
            return merge
        for section in sections:
            amend(section, lambda content: with_player(content, old.pk, new.pk), reason=reason, at=at, by=by)
        record("merge proposed", new, at=at, by=by, after={"to be merged": str(old)}, reason=reason)
    return merge


def undo_merge(merge: Merge, *, reason: str, at: datetime, by: User | None = None) -> None:
    """Undo a merge that was done at once, until the next publication, or give up one that is proposed, with its amendments.

    Raises EventError without a reason, for a merge that is undone, or belongs to a re-rating, or when a list was published
    since, or filled with what came with it.
    """
    reason = plain_text(reason)
    if not reason:
        raise EventError("give the reason why the merge is undone: it is kept with it")
    with transaction.atomic():
        lock_periods()
        current = (
            Merge.objects.select_for_update(of=("self",)).select_related("old", "new", "rerating").get(pk=merge.pk)
        )
        if current.undone_at:
            raise EventError(f"the {current} is undone already")
        if current.rerating and current.applied_at:
            raise EventError(f"the {current} was published with {current.rerating}: take that re-rating back")
        if current.rerating:
            raise EventError(f"the {current} belongs to {current.rerating}: withdraw that first")
        if current.applied_at:
            if since := _published_since(current):
                raise EventError(
                    f"the list of {since.period} has been published since the {current}: split the player instead, and name"
                    " the sections that are the other’s"
                )
            _require_unused(current)
            revert_merge(current, at=at, by=by, reason=reason)
        else:
            for section in _sections(current):
                amend(section, lambda content: _given_back(content, current), reason=reason, at=at, by=by)
            record(
                "merge given up", current.new, at=at, by=by, before={"to be merged": str(current.old)}, reason=reason
            )
        current.undone_at = at
        current.save(update_fields=["undone_at"])


def _published_since(merge: Merge) -> Revision | None:
    """Return the first revision since a merge was done; None without one. By their order, for a clock may have been ahead then;
    by the moments of merges that an earlier release did."""
    revisions = Revision.objects.select_related("period").order_by("pk")
    if "revisions" in merge.moved:
        return revisions[merge.moved["revisions"] :].first()
    return revisions.filter(published_at__gt=merge.applied_at).first()


def take_merges(amendments: Collection[Amendment]) -> list[Merge]:
    """Return the proposed merges that a re-rating with these amendments takes in: those all of whose sections are among them.

    Raises RunError if some of a merge's are and others are not.
    """
    present = {amendment.section_id for amendment in amendments}
    taken = []
    for merge in open_merges():
        missing = set(merge.sections) - present
        if missing and len(missing) < len(merge.sections):
            section = Section.objects.select_related("event").get(pk=min(missing))
            raise RunError(
                f"the {merge} goes with all its corrections, and that of {section} is missing: take it, too, or undo the merge"
            )
        if not missing:
            taken.append(merge)
    return taken


def apply_merges(merges: Collection[Merge], *, at: datetime, by: User | None = None) -> None:
    """Do the merges of a re-rating, whose amendments are written. Raises RunError if one cannot be done as it is now."""
    for merge in merges:
        try:
            apply_merge(merge, at=at, by=by)
        except EventError as error:
            raise RunError(str(error)) from None


def amended_register(merges: Collection[Merge]) -> AmendedRegister:
    """Return what merges that are done change in the register."""
    players = Player.objects.filter(pk__in=[merge.new_id for merge in merges])
    return AmendedRegister(
        frozenset(merge.old_id for merge in merges),
        {key: (region, name) for key, region, name in players.values_list("pk", "region_id", "folded_name")},
    )


def revert_merges(merges: Collection[Merge], *, at: datetime, by: User | None = None, reason: str) -> None:
    """Undo the merges of a re-rating that is taken back, before its amendments are. Raises RunError if one cannot be undone."""
    for merge in merges:
        try:
            revert_merge(merge, at=at, by=by, reason=reason)
        except EventError as error:
            raise RunError(str(error)) from None


def _sections(merge: Merge) -> list[Section]:
    return list(Section.objects.filter(pk__in=merge.sections).select_related("event", "period").order_by("pk"))


def _given_back(content: Content, merge: Merge) -> Content:
    """Return the content with the player who was to go, unless his correction was given up already."""
    if merge.new_id not in players_of(content):
        return content
    return with_player(content, merge.new_id, merge.old_id)


def _require_unused(merge: Merge) -> None:
    """Raise EventError if a published month was filled since a merge with what the register says of the player by it alone."""
    before = Player.history.filter(before_merge(merge), id=merge.new_id)
    said = {person for _, person in as_registered(before)}
    people = RunPerson.objects.filter(player=merge.new_id, run__publication__isnull=False).select_related("run__period")
    for person in people.order_by("run__period__month"):
        if (person.born, person.registered, person.number) not in said:
            raise EventError(
                f"{person.run.period} was filled for another list since the {merge}, with the birth or registration that came"
                " with it: split the player instead"
            )


def _require_free(old: Player, sections: Collection[Section]) -> None:
    """Raise EventError if a month with games of the player is being published, if one that is calculated has his brought-in
    standing, or if a section is being corrected in which he is not as he is published."""
    publishing = played_in(old).filter(period__state=RatingPeriod.State.PUBLISHING).select_related("period").first()
    if publishing is not None:
        raise EventError(f"{publishing.period} is being published with {publishing}: try again afterwards")
    # A standing that was brought in is no part of what a run is known again by.
    if not sections and first_rated(old) is None and Rating.objects.filter(player=old).exists():
        under_way = RatingPeriod.objects.exclude(
            state__in=[RatingPeriod.State.OPEN, RatingPeriod.State.PUBLISHED]
        ).first()
        if under_way is not None:
            raise EventError(
                f"{under_way} is being calculated with the rating of {old} that was brought in: publish it first"
            )
    keys = {section.pk for section in sections}
    for amendment in Amendment.objects.filter(Amendment.OPEN).select_related("section__event"):
        if amendment.section_id not in keys and any(
            old.pk in {*players_of(content), *(row["player_id"] for row in content["guests"])}
            for content in (amendment.before, amendment.after)
        ):
            raise EventError(
                f"{amendment.section} is being corrected, and {old} is in it: publish that or give it up first"
            )
