"""Sending in results from abroad: by a mailed link, or by a region for its player. One transaction, whole or not at all."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from config.lib import formatting
from events.abroad.links import is_expired
from events.abroad.recording import record_abroad, remove_abroad
from events.archive import store_file, store_findings
from events.models import AbroadLink, Event, Kind, Section, Submission
from events.operations import EventError, LateError, StaleError, add_section, move_event, register_event
from events.penalties.operations import record_proposals
from events.rules.abroad import ResultsAbroad, abroad_errors, findings
from events.rules.deadlines import is_late_abroad, last_day_abroad
from events.rules.findings import Finding, Severity
from events.rules.penalties import proposals_abroad
from events.rules.states import State
from events.rules.time_controls import type_of_game
from players.identity import fold
from players.models import Player, Region

OPEN = (State.REGISTERED, State.RETURNED)
_NOT_RATED = (State.REFUSED, State.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Channel:
    """How results come in: by a mailed link, or by a user for a player of his region.

    `event` is what they correct or fill, `version` the one that was shown; without it they make an event of their own.
    """

    by: User | None = None
    link: AbroadLink | None = None
    event: Event | None = None
    version: int = 0

    @property
    def said(self) -> str:
        """Who sends, for the trail."""
        if self.link:
            return f"Sent in by {self.link.get_sender_display()}, by mailed link."
        return "Sent in by the region for its player."


def submit_abroad(player: Player, results: ResultsAbroad, *, at: datetime, channel: Channel, reason: str = "") -> Event:
    """Write a player's results abroad and submit them to the ratings officer, with what he must decide.

    EventError, and nothing written, when something must be mended, the link has expired or was used, or the same results
    are on record; LateError when they are late and no reason is given; StaleError when somebody else was quicker.
    """
    error = next(abroad_errors(results, today=timezone.localdate(at)), None)
    if error:
        raise EventError(error.as_sentence)
    with transaction.atomic():
        # One sending of a player at a time: two links, or a link and his region, would otherwise write one event twice.
        player = Player.objects.select_for_update(of=("self",)).select_related("region").get(pk=player.pk)
        link = _present_link(channel, at)
        event = _present_event(link, channel)
        late = is_late_now(results, event, at=at)
        if late and not reason.strip():
            raise LateError(late_abroad_text(results))
        found = check_results(player, results, event=event, late=late, reason=reason.strip())
        blocking = next((finding for finding in found if finding.severity is Severity.ERROR), None)
        if blocking:
            raise EventError(blocking.message)
        section = _written(event, player, results, at=at, by=channel.by)
        entry = record_abroad(section, player, results.games, rank=results.rank)
        record_proposals(section, proposals_abroad(results.games, entry.number), {entry.number: player})
        _keep(section, player, results, found, at=at, by=channel.by)
        move_event(
            section.event, State.SUBMITTED, at=at, by=channel.by, reason=f"{channel.said} {reason.strip()}".strip()
        )
        if link:
            link.event = section.event
            link.save(update_fields=["event"])
    return section.event


def is_late_now(results: ResultsAbroad, event: Event | None, *, at: datetime) -> bool:
    """Whether results are late (article 10). What was sent in in time and returned is not late when it is corrected."""
    sent = event.moves.filter(target=State.SUBMITTED).first() if event else None
    return results.ends is not None and is_late_abroad(results.ends, at=sent.at if sent else at)


def late_abroad_text(results: ResultsAbroad) -> str:
    """That the last day has passed, and what is asked."""
    last = formatting.day(last_day_abroad(results.ends)) if results.ends else ""
    return (
        f"The last day for these results was {last} (article 10). Say why they come late: the ratings officer decides."
    )


def check_results(
    player: Player, results: ResultsAbroad, *, event: Event | None = None, late: bool = False, reason: str = ""
) -> list[Finding]:
    """What is on record of the same days, what an officer decides, and who of the opponents is on the register."""
    return [
        *_on_record(player, results, event),
        *findings(results, late=late, reason=reason),
        *_registered_opponents(player, results),
    ]


def _on_record(player: Player, results: ResultsAbroad, event: Event | None) -> Iterator[Finding]:
    """The same results are rated once; other ones of the same days are looked at."""
    if results.starts is None or results.ends is None or results.base is None:
        return
    kind = type_of_game(results.base, results.increment, results.ends)
    rows = Section.objects.filter(
        entries__player=player, event__kind=Kind.ABROAD, starts__lte=results.ends, ends__gte=results.starts
    ).select_related("event")
    for section in rows.exclude(event=event) if event else rows:
        other = section.event
        what = f"{other.name}, {formatting.days(other.starts, other.ends)}"
        same_type = type_of_game(section.base_minutes, section.increment_seconds, section.ends) == kind
        same = fold(other.name) == fold(results.name) or _plain(other.results_url) == _plain(results.results_url)
        if other.state in _NOT_RATED:
            if same and same_type and other.state == State.REFUSED:
                message = f"The results of {what}, were refused before: this may be the same event."
                yield Finding(Severity.HOLD, "refused-before", message, article="11")
        elif same and same_type:
            message = (
                f"The results of {what}, are on record already. They are rated once; to correct them, ask the bureau to"
                f" return them."
            )
            yield Finding(Severity.ERROR, "on-record", message, article="10")
        else:
            message = f"On the same days the results of {what}, are on record: this may be the same event."
            yield Finding(Severity.HOLD, "same-days", message, article="10")


def _plain(url: str) -> str:
    return url.lower().partition("//")[2].removeprefix("www.").rstrip("/")


def _registered_opponents(player: Player, results: ResultsAbroad) -> Iterator[Finding]:
    ids = {game.fide_id: game for game in results.games if game.fide_id}
    known = {one.fide_id: one for one in Player.objects.filter(fide_id__in=list(ids)).exclude(pk=player.pk)}
    for number, game in ids.items():
        one = known.get(number)
        if one is None:
            continue
        counts = "the FIDE rating" if game.fide_rating is not None else "the performance"
        message = f"{game.opponent} is on the register ({one.number}). Abroad {counts} counts, adjusted."
        yield Finding(Severity.NOTE, "opponent-on-register", message, article="44")


def _present_link(channel: Channel, at: datetime) -> AbroadLink | None:
    if channel.link is None:
        return None
    link = AbroadLink.objects.select_for_update(of=("self",)).select_related("event").get(pk=channel.link.pk)
    if is_expired(link, at=at):
        raise EventError("this link has expired: ask for a new one")
    return link


def _present_event(link: AbroadLink | None, channel: Channel) -> Event | None:
    wanted = link.event if link else channel.event
    if wanted is None:
        return None
    event = Event.objects.select_for_update(of=("self",)).get(pk=wanted.pk)
    if event.kind != Kind.ABROAD or event.state not in OPEN:
        raise EventError(f"{event.name} is {event.state}: its results are no longer changed here")
    if event.version != channel.version:
        raise StaleError(f"{event.name} was changed by somebody else meanwhile")
    return event


def _written(event: Event | None, player: Player, results: ResultsAbroad, *, at: datetime, by: User | None) -> Section:
    """The section of a new event, or of the one that is corrected or filled, without the player's former games."""
    assert results.starts is not None  # noqa: S101 - there are no problems
    assert results.ends is not None  # noqa: S101
    assert results.base is not None  # noqa: S101
    details = Event(
        name=results.name,
        region=event.region if event else _region(player),
        starts=results.starts,
        ends=results.ends,
        kind=Kind.ABROAD,
        place=results.place,
        federation=results.federation,
        fide_rated=results.fide_rated,
        results_url=results.results_url,
    )
    shape = Section(
        base_minutes=results.base,
        increment_seconds=results.increment,
        starts=results.starts,
        ends=results.ends,
        format=results.format,
        planned_rounds=max(game.round for game in results.games),
    )
    if event is None:
        return add_section(register_event(details, at=at, by=by), shape)
    _refuse_others(event, player, details, shape)
    for name in ("name", "starts", "ends", "place", "federation", "fide_rated", "results_url"):
        setattr(event, name, getattr(details, name))
    event.version += 1
    event.save()
    section = event.sections.filter(entries__player=player).first() or event.sections.first()
    if section is None:
        return add_section(event, shape)
    remove_abroad(section, player)
    section.base_minutes, section.increment_seconds = shape.base_minutes, shape.increment_seconds
    rounds = [shape.planned_rounds or 0, *section.games.values_list("round", flat=True)]
    section.format, section.planned_rounds = shape.format, max(rounds)
    section.starts, section.ends, section.event = shape.starts, shape.ends, event
    section.save()
    return section


def _refuse_others(event: Event, player: Player, details: Event, shape: Section) -> None:
    """EventError when the event would become another one for players whose results stand in it already."""
    section = event.sections.filter(entries__isnull=False).first()
    if section is None or not section.entries.exclude(player=player).exists():
        return
    other = section.entries.exclude(player=player).select_related("player")[0].player
    told = {
        "name": (event.name, details.name),
        "federation": (event.federation, details.federation),
        "first day": (event.starts, details.starts),
        "last day": (event.ends, details.ends),
        "format": (section.format, shape.format),
        "time control": (
            (section.base_minutes, section.increment_seconds),
            (shape.base_minutes, shape.increment_seconds),
        ),
    }
    differing = [what for what, (before, after) in told.items() if before != after]
    if differing:
        raise EventError(
            f"the results of {other.name} stand in this event too, and for them it stays as it is: {', '.join(differing)}."
            " Give the same, or send these in as an event of its own; what is wrong for both, the ratings officer corrects"
        )


def _region(player: Player) -> Region:
    """The player's region; of one who has none, the body that hosts national events."""
    region = player.region or Region.objects.filter(province=None).first()
    if region is None:
        raise EventError("the player has no region on the register: ask the bureau to enter it")
    return region


def _keep(
    section: Section, player: Player, results: ResultsAbroad, found: list[Finding], *, at: datetime, by: User | None
) -> None:
    """What was sent in, word for word, with the findings: a submission without a tournament file."""
    content = json.dumps(
        {"player": player.number, **asdict(results)}, default=str, ensure_ascii=False, indent=1
    ).encode()
    submission = Submission.objects.create(
        section=section,
        file=store_file(content),
        name="results-abroad.json",
        at=at,
        by=by,
        format="abroad",
        encoding="utf-8",
    )
    store_findings(submission, found)
