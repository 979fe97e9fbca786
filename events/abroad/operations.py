"""Records results from abroad, sent in by a mailed link or by a region for its player."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from config.lib import formatting
from config.lib.texts import plain_text
from events.abroad.earlier import first_sent, holds_of_others
from events.abroad.fide_list import list_findings, ratings_on_list
from events.abroad.links import is_expired, link_beside
from events.abroad.recording import record_abroad, remove_abroad
from events.abroad.words import as_sentence, said
from events.archive import store_file, store_findings
from events.models import AbroadLink, Event, Kind, Penalty, Section, Submission
from events.operations import (
    EventError,
    LateError,
    StaleError,
    add_section,
    move_event,
    register_event,
    require_unmerged,
)
from events.penalties.operations import decided_penalties, keep_decisions, record_proposals
from events.rules.abroad import ResultsAbroad, abroad_errors, abroad_findings, is_same_event, plain_link
from events.rules.arbiters import changes, licence, membership, playing
from events.rules.deadlines import is_late_abroad, last_day_abroad
from events.rules.findings import Finding, Severity
from events.rules.penalties import proposals_abroad
from events.rules.states import AWAITING_RESULTS, State
from events.rules.time_controls import type_of_game
from events.rules.tournament import Entrant, Tournament
from events.submission.arbiter_facts import arbiter_facts
from events.submission.matching import Match
from events.wording import state_name
from players.identity import fold
from players.merged import by_fide_id
from players.models import Player, Region

_NOT_RATED = (State.REFUSED, State.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Channel:
    """How results are sent in: by a mailed link, or by a user for a player of his region.

    `event`: the event that they correct or fill, None for a new one; `version`: that of the event as the form showed it.
    """

    by: User | None = None
    link: AbroadLink | None = None
    event: Event | None = None
    version: int = 0

    @property
    def sender(self) -> str:
        """A sentence that says who sends the results, for the event's history."""
        if self.link:
            return f"Sent in by {self.link.get_sender_display()}, by mailed link."
        return "Sent in by the region for its player."


def submit_abroad(player: Player, results: ResultsAbroad, *, at: datetime, channel: Channel, reason: str = "") -> Event:
    """Record a player's results and submit them to the ratings officer, in one transaction. Return their event.

    Raises EventError if the results have errors or are on record already, or the link has expired or was used; LateError if
    they are late and no reason is given; StaleError if the event has changed since the form was shown.
    """
    reason = plain_text(reason)
    error = next(abroad_errors(results, today=timezone.localdate(at)), None)
    if error:
        raise EventError(as_sentence(error))
    with transaction.atomic():
        # The lock keeps two links, or a link and the region, from recording one event twice.
        player = Player.objects.select_for_update(of=("self",)).select_related("region").get(pk=player.pk)
        require_unmerged(player)
        link = _present_link(channel, at)
        event = _present_event(link, channel)
        late = is_late_now(player, results, event, at=at)
        if late and not reason:
            raise LateError(late_abroad_text(results))
        findings = check_results(player, results, event=event, late=late, reason=reason)
        blocking = next((finding for finding in findings if finding.severity is Severity.ERROR), None)
        if blocking:
            raise EventError(said(blocking))
        decided = decided_penalties(Penalty.objects.filter(section__event=event, player=player))
        section = _written(event, player, results, at=at, by=channel.by)
        entry = record_abroad(section, player, results.games, rank=results.rank, on_list=ratings_on_list(results))
        record_proposals(
            section, proposals_abroad(results.games, entry.number, format=results.format), {entry.number: player}
        )
        keep_decisions(section, decided, at=at, by=channel.by)
        findings += holds_of_others(section, player)
        _keep(section, player, results, findings, at=at, by=channel.by)
        move_event(section.event, State.SUBMITTED, at=at, by=channel.by, reason=f"{channel.sender} {reason}".strip())
        if link:
            link.event = section.event
            link.save(update_fields=["event"])
    return section.event


def submit_of_team(
    player: Player, results: ResultsAbroad, *, at: datetime, by: User | None, link: AbroadLink | None, reason: str = ""
) -> Event:
    """Submit the results of one player of a team, as `submit_abroad` does; each player's are an event of their own.

    `link`: the mailed one that opened the form of the team, if no user sends them in.
    """
    with transaction.atomic():
        channel = Channel(link=link_beside(link, player, at=at)) if link else Channel(by=by)
        return submit_abroad(player, results, at=at, channel=channel, reason=reason)


def is_on_file(event: Event, player: Player, results: ResultsAbroad) -> bool:
    """Return whether these results are what was sent in last for the event."""
    last = Submission.objects.select_related("file").filter(section__event=event).first()
    return last is not None and bytes(last.file.content) == _file(player, results)


def is_late_now(player: Player, results: ResultsAbroad, event: Event | None, *, at: datetime) -> bool:
    """Return whether results are late (article 10). Of corrected results this player's first submission counts."""
    sent = first_sent(player, results, event) if event else None
    return results.ends is not None and is_late_abroad(results.ends, at=sent or at)


def late_abroad_text(results: ResultsAbroad) -> str:
    """Return the message that the last day has passed and a reason is required."""
    last = formatting.day(last_day_abroad(results.ends)) if results.ends else ""
    return gettext(
        "The last day for these results was %(day)s (article 10). Say why they come late: the ratings officer decides."
    ) % {"day": last}


def check_results(
    player: Player,
    results: ResultsAbroad,
    *,
    event: Event | None = None,
    starts: date | None = None,
    late: bool = False,
    reason: str = "",
) -> list[Finding]:
    """Return findings: results of these days, arbiters, what an officer decides, opponents on record and on FIDE's list.

    `starts`: the first day of the event, if it is not that of the results, which the event takes over.
    """
    return [
        *_another_event(player, results, event),
        *_on_record(player, results, event),
        *_arbiters(player, results, event, starts or results.starts),
        *abroad_findings(results, late=late, reason=reason),
        *_registered_opponents(player, results),
        *list_findings(results),
    ]


def _another_event(player: Player, results: ResultsAbroad, event: Event | None) -> Iterator[Finding]:
    """Yield an error for results of another event than the one whose results of the player they would overwrite."""
    if event is None or results.starts is None or results.ends is None or is_same_event(results, event):
        return
    if not event.sections.filter(entries__player=player).exists():
        return
    message = (
        f"{event.name}, {formatting.days(event.starts, event.ends)}, was returned to be corrected, and these are results of"
        " another event: days, or two of name, federation and link, are not its own. Send them in as an event of their own;"
        " if so much was wrong, the ratings officer corrects it."
    )
    yield Finding(Severity.ERROR, "another-event", message, article="10")


def _on_record(player: Player, results: ResultsAbroad, event: Event | None) -> Iterator[Finding]:
    """Yield an error for results on record already, and a hold for others of these days."""
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
        same = fold(other.name) == fold(results.name) or plain_link(other.results_url) == plain_link(
            results.results_url
        )
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


def _arbiters(player: Player, results: ResultsAbroad, event: Event | None, starts: date | None) -> list[Finding]:
    """Return the findings of articles 7, 8 and 12.3 on arbiters whom a registered event abroad appoints."""
    if event is None or starts is None:
        return []
    entrant = Entrant(1, player.name, player.last_name, player.first_name)
    match = Match(entrant, (), player, "the player whose results these are")
    tournament = Tournament(format="abroad", encoding="utf-8")
    facts = arbiter_facts(event, None, tournament, [match], starts=starts, fide_rated=results.fide_rated)
    facts = replace(facts, starts=starts)
    return [*changes(facts), *membership(facts), *licence(replace(facts, fide_rated=True)), *playing(facts)]


def _registered_opponents(player: Player, results: ResultsAbroad) -> Iterator[Finding]:
    ids = {game.fide_id: game for game in results.games if game.fide_id}
    registered = {key: other for key, other in by_fide_id(list(ids)).items() if other != player}
    for fide_id, game in ids.items():
        opponent = registered.get(fide_id)
        if opponent is None or opponent.hidden_since is not None:  # who sends it in may be anybody
            continue
        counts = "the FIDE rating" if game.fide_rating is not None else "the performance"
        message = f"{game.opponent} is on the register ({opponent.number}). Abroad {counts} counts, adjusted."
        yield Finding(Severity.NOTE, "opponent-on-register", message, article="44")


def _present_link(channel: Channel, at: datetime) -> AbroadLink | None:
    if channel.link is None:
        return None
    link = AbroadLink.objects.select_for_update(of=("self",)).select_related("event").get(pk=channel.link.pk)
    if is_expired(link, at=at):
        raise EventError(gettext("this link has expired: ask for a new one"))
    return link


def _present_event(link: AbroadLink | None, channel: Channel) -> Event | None:
    event = link.event if link else channel.event
    if event is None:
        return None
    event = Event.objects.select_for_update(of=("self",)).get(pk=event.pk)
    if event.kind != Kind.ABROAD or event.state not in AWAITING_RESULTS:
        raise EventError(
            gettext("%(event)s is %(state)s: its results are no longer changed here")
            % {"event": event.name, "state": state_name(event.state)}
        )
    if event.version != channel.version:
        raise StaleError(gettext("%(event)s was changed by somebody else meanwhile") % {"event": event.name})
    return event


def _written(event: Event | None, player: Player, results: ResultsAbroad, *, at: datetime, by: User | None) -> Section:
    """Write the event and its section, and return the section, without games of the player."""
    assert results.starts is not None  # noqa: S101 - abroad_errors requires the three
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
    """Raise EventError if the event would change for other players whose results are in it."""
    section = event.sections.filter(entries__isnull=False).first()
    if section is None or not section.entries.exclude(player=player).exists():
        return
    other = section.entries.exclude(player=player).select_related("player")[0].player
    changes = {
        gettext("name"): (event.name, details.name),
        gettext("federation"): (event.federation, details.federation),
        gettext("first day"): (event.starts, details.starts),
        gettext("last day"): (event.ends, details.ends),
        gettext("format"): (section.format, shape.format),
        gettext("time control"): (
            (section.base_minutes, section.increment_seconds),
            (shape.base_minutes, shape.increment_seconds),
        ),
    }
    differing = [detail for detail, (before, after) in changes.items() if before != after]
    if differing:
        raise EventError(
            gettext(
                "the results of %(player)s stand in this event too, and for them it stays as it is: %(details)s. Give the same,"
                " or send these in as an event of its own; what is wrong for both, the ratings officer corrects"
            )
            % {"player": other.name, "details": ", ".join(differing)}
        )


def _region(player: Player) -> Region:
    """Return the player's region, or the body that hosts national events if he has none."""
    region = player.region or Region.objects.filter(province=None).first()
    if region is None:
        raise EventError(gettext("the player has no region on the register: ask the bureau to enter it"))
    return region


def _keep(
    section: Section, player: Player, results: ResultsAbroad, findings: list[Finding], *, at: datetime, by: User | None
) -> None:
    """Keep what was sent in and the findings as a submission whose file is JSON."""
    submission = Submission.objects.create(
        section=section,
        file=store_file(_file(player, results)),
        name="results-abroad.json",
        at=at,
        by=by,
        format="abroad",
        encoding="utf-8",
    )
    store_findings(submission, findings)


def _file(player: Player, results: ResultsAbroad) -> bytes:
    given = {"player": player.number, **asdict(results)}
    return json.dumps(given, default=str, ensure_ascii=False, indent=1).encode()
