"""Splits a player whose games are two people's: the other one gets the sections that are his."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.trail.operations import record
from config.lib.texts import plain_text
from events.amending.content import read_content, write_content
from events.amending.edits import with_player
from events.models import RatingPeriod, Section
from events.periods import lock_periods
from events.rules.states import EventError
from players.models import Player
from ratings.merging.handing_over import hand_over
from ratings.merging.operations import require_on_register
from ratings.merging.rows import played_in, published_sections
from ratings.models import Amendment
from ratings.rerating.amendments import amend


@dataclass(frozen=True, slots=True)
class Split:
    """What was done: sections that were moved at once, and the amendments that wait for a re-rating."""

    moved: list[Section]
    amendments: list[Amendment]


def split_player(
    player: Player,
    other: Player,
    sections: Collection[Section],
    *,
    reason: str,
    at: datetime,
    by: User | None = None,
    records: Collection[Player] = (),
) -> Split:
    """Let another player of the register have played in these sections of a player: at once where nothing is published, by an
    amendment for a re-rating otherwise. `records`: players who were merged into him by mistake, and are the other: their ids
    lead to that one, and with his data theirs is erased.

    Raises EventError without a reason or anything that is the other's, if the player did not play in one of the sections or the
    other one did, if its month is being published, or if a record is not merged into the player.
    """
    reason = plain_text(reason)
    if not reason:
        raise EventError("give the reason of the split: it is kept with it")
    if not sections and not records:
        raise EventError("choose the sections that are the other person’s")
    with transaction.atomic():
        lock_periods()
        keys = [player.pk, other.pk]
        rows = {
            row.pk: row for row in Player.objects.select_for_update(of=("self",)).filter(pk__in=keys).order_by("pk")
        }
        player, other = rows[player.pk], rows[other.pk]
        if player == other:
            raise EventError(f"{player} is one player: name another one, or register a new one")
        require_on_register(player, other)
        published = {section.pk for section in published_sections(player)}
        own = {section.pk for section in played_in(player)}
        others = {section.pk for section in played_in(other)}
        split = Split([], [])
        for section in sorted(sections, key=lambda section: section.pk):
            if section.pk not in own:
                raise EventError(f"{player} did not play in {section}")
            if section.pk in others:
                raise EventError(f"{other} played in {section} himself: it cannot be his twice")
            if section.pk in published:
                amendment = amend(
                    section, lambda content: with_player(content, player.pk, other.pk), reason=reason, at=at, by=by
                )
                split.amendments.extend([amendment] if amendment else [])
            else:
                _move(section, player, other)
                split.moved.append(section)
        went_back = _hand_over(records, player, other, reason=reason, at=at, by=by)
        record(
            "split",
            player,
            at=at,
            by=by,
            before={
                "sections": ", ".join(str(section) for section in sections),
                "merged into him": ", ".join(map(str, records)),
            },
            after={
                "are of": str(other),
                "at once": ", ".join(map(str, split.moved)),
                "by a re-rating": ", ".join(str(amendment.section) for amendment in split.amendments),
                "as before the merge": ", ".join(went_back),
            },
            reason=reason,
        )
    return split


def _hand_over(
    records: Collection[Player], player: Player, other: Player, *, reason: str, at: datetime, by: User | None
) -> list[str]:
    """Hand records over, of which one may go along with another. Return what went back (`hand_over`)."""
    went_back = []
    for row in records:
        row.refresh_from_db()
        if len(records) == 1 or row.merged_into_id != other.pk:
            went_back += hand_over(row, player, other, at=at, by=by, reason=reason)
    return went_back


def _move(section: Section, player: Player, other: Player) -> None:
    if section.period is not None and section.period.state == RatingPeriod.State.PUBLISHING:
        raise EventError(f"{section.period} is being published with {section}: try again afterwards")
    if Amendment.objects.filter(Amendment.OPEN, section=section).exists():
        raise EventError(f"{section} is being corrected: publish that or give it up first")
    write_content(section, with_player(read_content(section), player.pk, other.pk))
