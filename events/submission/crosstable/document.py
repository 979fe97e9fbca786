"""Results of a section entered or corrected by hand: the file that is opened and the file that is written."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from operator import attrgetter

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from config.lib.parsing import parse_pk
from events.archive import read_tournament
from events.files.dates import Birth
from events.files.trf.columns import looks_like_player
from events.files.trf.writer import write_trf26
from events.models import Event, Section, Submission, Upload
from events.operations import EventError
from events.rules.constants import HOME
from events.rules.corrections import Corrections, corrections_from
from events.rules.game_result import POINTS
from events.rules.states import State
from events.rules.tournament import Entrant, Pairing, TimeControl, Tournament
from events.submission.persons import chess_sa_id, person_of
from events.submission.uploads import not_submitted, take_file
from players.identity import NAME_AGREES, name_similarity

MOST_PLAYERS, MOST_ROUNDS = 60, 15
LONGEST_NAME = 33  # columns 15-47 of record 001
_MOST_BYTES = 300_000  # of a file that is read within a request


class SupersededError(EventError):
    """The section has another file than the one that was opened."""


class TooLargeError(EventError):
    """A file is too large to be edited as a table."""


@dataclass(frozen=True, slots=True)
class Source:
    """The file that a crosstable is opened from. `token`: its name in the form, `upload-12` or `submission-5`; "" for none."""

    token: str = ""
    name: str = ""
    content: bytes = b""
    corrections: Corrections = field(default_factory=Corrections)
    at: datetime | None = None
    by: User | None = None


@dataclass(frozen=True, slots=True)
class EnteredPlayer:
    """A player as entered. `name`: `Last, First`; ids: digits or ""; `federation`: that of the register."""

    number: int
    name: str
    national_id: str = ""
    fide_id: str = ""
    birth: Birth = field(default_factory=Birth)
    sex: str = ""
    federation: str = HOME


def source_of(section: Section) -> Source:
    """Return the present file of a section: its upload, or the submission if the event was returned."""
    upload = not_submitted(section.uploads.all()).select_related("file", "by").first()
    if upload is not None:
        return _of_upload(upload)
    submission = section.submissions.select_related("file", "by").first()
    if submission is not None and section.event.state == State.RETURNED:
        return _of_submission(submission)
    return Source()


def source_named(section: Section, token: str) -> Source:
    """Return the file of a token, also if it was replaced; an empty source for a token of another section."""
    kind, _, written = token.partition("-")
    if kind == "upload":
        upload = section.uploads.select_related("file", "by").filter(pk=parse_pk(written)).first()
        return _of_upload(upload) if upload else Source()
    submission = section.submissions.select_related("file", "by").filter(pk=parse_pk(written)).first()
    return _of_submission(submission) if submission and kind == "submission" else Source()


def opened(section: Section, source: Source) -> Tournament:
    """Return a file for editing, with the answers and the ids of the matched players; without a file an empty tournament.

    Findings tell what could not be read. Raises TooLargeError for more than MOST_PLAYERS players or MOST_ROUNDS rounds.
    """
    if not source.token:
        return _registered(section)
    if len(source.content) > _MOST_BYTES:
        raise TooLargeError(gettext("%(file)s is too large to be corrected by hand.") % {"file": source.name})
    tournament = source.corrections.applied(read_tournament(source.content, source.name, source.corrections))
    players, rounds = len(tournament.entrants), tournament.rounds
    if players > MOST_PLAYERS or rounds > MOST_ROUNDS:
        raise TooLargeError(
            gettext(
                "%(file)s has %(players)s players and %(rounds)s rounds; %(most_players)s players and %(most_rounds)s rounds"
                " can be corrected by hand."
            )
            % {
                "file": source.name,
                "players": players,
                "rounds": rounds,
                "most_players": MOST_PLAYERS,
                "most_rounds": MOST_ROUNDS,
            }
        )
    if not tournament.entrants:
        return replace(_registered(section), findings=tournament.errors)
    numbers = dict(source.corrections.players)
    if source.token.startswith("submission"):
        numbers |= dict(section.entries.values_list("number", "player__number"))
    return replace(
        tournament,
        entrants=tuple(_with_id(entrant, numbers.get(entrant.number, "")) for entrant in tournament.entrants),
    )


def assembled(
    base: Tournament, players: Sequence[EnteredPlayer], days: Sequence[date | None], pairings: Sequence[Pairing]
) -> Tournament:
    """Return a tournament with the players, days and games that were entered.

    A moved round widens the tournament's days. Points are changed by the difference in results. Ranks are kept if players and
    points are unchanged; else they follow the points.
    """
    before = {entrant.number: entrant for entrant in base.entrants}
    old_points, new_points = _counted(base.pairings), _counted(pairings)
    entrants = []
    for player in players:
        old = before.get(player.number)
        entrant = _entrant(player, old if old and _is_player_of(player, old) else None)
        points = new_points.get(player.number, 0.0)
        if entrant.points is not None:
            points = entrant.points + points - old_points.get(player.number, 0.0)
        entrants.append(replace(entrant, points=min(max(points, 0.0), 99.5)))
    numbers = {player.number for player in players}
    last = max((pairing.round for pairing in pairings), default=0)
    old_days = dict(enumerate(base.round_dates))
    moved = [day for place, day in enumerate(days) if day and day != old_days.get(place)]
    return replace(
        base,
        entrants=_ranked(entrants, base.entrants),
        pairings=tuple(pairings),
        rounds=last,
        round_dates=_trimmed(days),
        starts=min([*moved, *([base.starts] if base.starts else [])], default=None),
        ends=max([*moved, *([base.ends] if base.ends else [])], default=None),
        planned_rounds=None if base.planned_rounds is None else max(base.planned_rounds, last),
        teams=tuple(
            replace(team, members=tuple(member for member in team.members if member in numbers)) for team in base.teams
        ),
        extra_lines=tuple(line for line in base.extra_lines if not looks_like_player(line)),
        findings=(),
    )


def left_out(tournament: Tournament) -> list[str]:
    """Return what a written file cannot hold of a tournament, as sentences."""
    names = [entrant.name for entrant in tournament.entrants]
    sentences = [
        gettext("%(name)s stands in the file as “%(short)s”: a name has %(most)s letters there.")
        % {"name": name, "short": name[:LONGEST_NAME].rstrip(), "most": LONGEST_NAME}
        for name in names
        if len(name) > LONGEST_NAME
    ]
    if any(entrant.club for entrant in tournament.entrants):
        sentences.append(gettext("The players’ clubs have no place in the file and are left out."))
    return sentences


def store(
    section: Section,
    source: Source,
    tournament: Tournament,
    *,
    before: Tournament,
    expected: Collection[str],
    at: datetime,
    by: User | None,
) -> Upload | None:
    """Write a tournament as the section's new file. Return the upload; None if nothing has changed.

    `before`: the tournament as `opened` from the source; `expected`: tokens of the files that may be replaced. Raises
    SupersededError if the section has another file by now, EventError if the event takes no results or the section is gone.
    """
    content = write_trf26(tournament)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=section.event_id)
        present = event.sections.filter(pk=section.pk).first()
        if present is None:
            raise EventError(gettext("The section is no longer registered. Look at the registration."))
        current = source_of(present)
        if current.token not in expected:
            raise SupersededError(
                f"The section has another file by now: {current.name or 'the one before was taken away'}."
            )
        if current.token == source.token and source.token and _is_unchanged(before, content):
            return None
        name = f"entered by hand {timezone.localtime(at):%Y-%m-%d %H.%M}.trf"
        return take_file(event, name=name, content=content, at=at, by=by, section=present)


def _is_unchanged(before: Tournament, content: bytes) -> bool:
    """Return whether a file is that of `before`. If that could not be read in full, it is changed by being kept."""
    try:
        return not before.errors and content == write_trf26(_homed(before))
    except ValueError:
        return False  # the file before holds what no written file can


def _of_upload(upload: Upload) -> Source:
    corrections = corrections_from(upload.corrections.values_list("kind", "key", "value"))
    return Source(f"upload-{upload.pk}", upload.name, bytes(upload.file.content), corrections, upload.at, upload.by)


def _of_submission(submission: Submission) -> Source:
    upload = Upload.objects.filter(submission=submission).first()
    corrections = corrections_from(upload.corrections.values_list("kind", "key", "value")) if upload else Corrections()
    name = upload.name if upload else submission.name
    return Source(
        f"submission-{submission.pk}", name, bytes(submission.file.content), corrections, submission.at, submission.by
    )


def _registered(section: Section) -> Tournament:
    """Return the tournament of a section as registered, without players."""
    event = section.event
    arbiters = [
        f"{appointment.arbiter.title} {appointment.arbiter.name}"
        for appointment in event.appointments.select_related("arbiter").order_by("position")
    ]
    days = dict(section.rounds.values_list("number", "date"))
    return Tournament(
        format="TRF26",
        encoding="utf-8",
        name=f"{event.name}, {section.name}" if section.name else event.name,
        city=event.place,
        federation=event.federation,
        starts=section.starts,
        ends=section.ends,
        planned_rounds=section.planned_rounds,
        round_dates=tuple(days.get(number) for number in range(1, max(days, default=0) + 1)),
        kind=section.get_format_display(),
        chief_arbiter=arbiters[0] if arbiters else "",
        deputy_arbiters=tuple(arbiters[1:]),
        time_control_text=f"{section.base_minutes}+{section.increment_seconds}",
        time_control=TimeControl(section.base_minutes, section.increment_seconds),
    )


def _with_id(entrant: Entrant, number: str) -> Entrant:
    return replace(entrant, national_id=number, national_federation=HOME) if number else entrant


def _is_player_of(typed: EnteredPlayer, old: Entrant) -> bool:
    """Return whether a row has the player of the line in the file before, whose title, rating and region are then kept."""
    if typed.national_id and typed.national_id == chess_sa_id(old):
        return True
    if typed.fide_id and typed.fide_id == old.fide_id:
        return True
    return name_similarity(person_of(_named(old, typed.name)), person_of(old)) >= NAME_AGREES


def _named(entrant: Entrant, name: str) -> Entrant:
    last, _, first = name.partition(",")
    return replace(entrant, name=name, last_name=last.strip(), first_name=first.strip())


def _entrant(typed: EnteredPlayer, old: Entrant | None) -> Entrant:
    entrant = _named(old or Entrant(typed.number, "", "", "", federation=typed.federation), typed.name)
    if typed.national_id:
        entrant = replace(entrant, national_id=typed.national_id, national_federation=HOME)
    elif chess_sa_id(entrant):
        entrant = replace(entrant, national_id="")
    return _home(
        replace(entrant, fide_id=typed.fide_id, birth_year=typed.birth.year, birth_date=typed.birth.day, sex=typed.sex)
    )


def _home(entrant: Entrant) -> Entrant:
    # national details need a federation, since they stand on a line of their own
    known = entrant.national_id or entrant.national_rating is not None or entrant.region
    return replace(entrant, national_federation=entrant.national_federation or HOME) if known else entrant


def _homed(tournament: Tournament) -> Tournament:
    return replace(tournament, entrants=tuple(map(_home, tournament.entrants)))


def _counted(pairings: Iterable[Pairing]) -> dict[int, float]:
    counted: dict[int, float] = {}
    for pairing in pairings:
        if pairing.result is None:
            continue
        for number, points in zip((pairing.white, pairing.black), POINTS[pairing.result], strict=True):
            if number is not None:
                counted[number] = counted.get(number, 0.0) + points
    return counted


def _ranked(entrants: Sequence[Entrant], before: Sequence[Entrant]) -> tuple[Entrant, ...]:
    points = attrgetter("number", "points")
    if list(map(points, entrants)) == list(map(points, before)):
        return tuple(entrants)
    order = sorted(entrants, key=lambda row: (-(row.points or 0), row.rank or len(entrants), row.number))
    ranks = {entrant.number: rank for rank, entrant in enumerate(order, start=1)}
    return tuple(replace(entrant, rank=ranks[entrant.number]) for entrant in entrants)


def _trimmed(days: Sequence[date | None]) -> tuple[date | None, ...]:
    last = max((number for number, day in enumerate(days, start=1) if day), default=0)
    return tuple(days[:last])
