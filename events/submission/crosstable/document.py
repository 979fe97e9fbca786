"""A section's results entered or corrected by hand: the file they are opened from, and the file they are written to."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from config.lib.parsing import parse_pk
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
from events.submission.matching import chess_sa_id, person_of
from events.submission.uploads import live, take_file
from events.submission.validation import read_tournament
from players.identity import name_similarity

MOST_PLAYERS, MOST_ROUNDS = 60, 15
LONGEST_NAME = 33  # columns 15-47 of record 001
_MOST_BYTES = 300_000  # of a file that is read while the page waits
_SAME_NAME = 0.85


class SupersededError(EventError):
    """The section has another file than the one that the entry was opened from."""


class TooLargeError(EventError):
    """A file that is larger than can be shown as a table to be edited."""


@dataclass(frozen=True, slots=True)
class Source:
    """The file that a crosstable is opened from. `token` names it: `upload-12`, `submission-5`, or nothing for none."""

    token: str = ""
    name: str = ""
    content: bytes = b""
    corrections: Corrections = field(default_factory=Corrections)
    at: datetime | None = None
    by: User | None = None


@dataclass(frozen=True, slots=True)
class EnteredPlayer:
    """A player as he is typed. `name` is `Last, First`; ids are digits or empty; `federation` that of the register."""

    number: int
    name: str
    national_id: str = ""
    fide_id: str = ""
    birth: Birth = field(default_factory=Birth)
    sex: str = ""
    federation: str = HOME


def source_of(section: Section) -> Source:
    """The file that is a section's now: the one to be sent in, or that of the submission that was returned."""
    upload = live(section.uploads.all()).select_related("file", "by").first()
    if upload is not None:
        return _of_upload(upload)
    submission = section.submissions.select_related("file", "by").first()
    if submission is not None and section.event.state == State.RETURNED:
        return _of_submission(submission)
    return Source()


def source_named(section: Section, token: str) -> Source:
    """The file that an entry was opened from, even if another took its place; none for a token of another section."""
    kind, _, written = token.partition("-")
    if kind == "upload":
        upload = section.uploads.select_related("file", "by").filter(pk=parse_pk(written)).first()
        return _of_upload(upload) if upload else Source()
    submission = section.submissions.select_related("file", "by").filter(pk=parse_pk(written)).first()
    return _of_submission(submission) if submission and kind == "submission" else Source()


def opened(section: Section, source: Source) -> Tournament:
    """A file as its crosstable is edited: with what was answered of it and the players whom it was taken for.

    Without a file, an empty tournament as it is registered. What could not be read stands in its findings as errors.
    TooLargeError for a file of more than MOST_PLAYERS players or MOST_ROUNDS rounds.
    """
    if not source.token:
        return _registered(section)
    if len(source.content) > _MOST_BYTES:
        raise TooLargeError(f"{source.name} is too large to be corrected by hand.")
    tournament = source.corrections.applied(read_tournament(source.content, source.name, source.corrections))
    found = (len(tournament.entrants), tournament.rounds)
    if found[0] > MOST_PLAYERS or found[1] > MOST_ROUNDS:
        raise TooLargeError(
            f"{source.name} has {found[0]} players and {found[1]} rounds; {MOST_PLAYERS} players and {MOST_ROUNDS} rounds can"
            " be corrected by hand."
        )
    if not tournament.entrants:
        return replace(_registered(section), findings=tournament.errors)
    taken = dict(source.corrections.players)
    if source.token.startswith("submission"):
        taken |= dict(section.entries.values_list("number", "player__number"))
    return replace(tournament, entrants=tuple(_taken(one, taken.get(one.number, "")) for one in tournament.entrants))


def assembled(
    base: Tournament, players: Sequence[EnteredPlayer], days: Sequence[date | None], pairings: Sequence[Pairing]
) -> Tournament:
    """A tournament with the players, days and games that were typed, and for the rest as it was.

    A round that was moved widens the days of the tournament. Points go with the results. Ranks are those of the file as
    long as players and points stay; else they follow the points.
    """
    before = {entrant.number: entrant for entrant in base.entrants}
    was, now = _counted(base.pairings), _counted(pairings)
    entrants = []
    for one in players:
        old = before.get(one.number)
        entrant = _entrant(one, old if old and _same(one, old) else None)
        points = now.get(one.number, 0.0)
        if entrant.points is not None:
            points = entrant.points + points - was.get(one.number, 0.0)
        entrants.append(replace(entrant, points=min(max(points, 0.0), 99.5)))
    last = max((pairing.round for pairing in pairings), default=0)
    was_on = dict(enumerate(base.round_dates))
    moved = [day for place, day in enumerate(days) if day and day != was_on.get(place)]
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
            replace(team, members=tuple(one for one in team.members if one in {player.number for player in players}))
            for team in base.teams
        ),
        extra_lines=tuple(line for line in base.extra_lines if not looks_like_player(line)),
        findings=(),
    )


def left_out(tournament: Tournament) -> list[str]:
    """What a written file cannot hold of a tournament, a sentence each."""
    said = [
        f"{one.name} stands in the file as “{one.name[:LONGEST_NAME].rstrip()}”: a name has {LONGEST_NAME} letters there."
        for one in tournament.entrants
        if len(one.name) > LONGEST_NAME
    ]
    if any(one.club for one in tournament.entrants):
        said.append("The players’ clubs have no place in the file and are left out.")
    return said


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
    """Write a tournament as a file, in the place of the section's file. None when it says the same as the file before.

    `before` is what was `opened` from the source; `expected` are the tokens of the files that may give way. SupersededError
    when the section has another one by now, EventError when the event takes no results or the section is no longer registered.
    """
    content = write_trf26(tournament)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=section.event_id)
        present = event.sections.filter(pk=section.pk).first()
        if present is None:
            raise EventError("The section is no longer registered. Look at the registration.")
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
    """Whether a file says what the one before says. What could not be read of that one is given up by keeping."""
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
    """A section's tournament as it is registered, without players."""
    event = section.event
    arbiters = [
        f"{one.arbiter.title} {one.arbiter.name}"
        for one in event.appointments.select_related("arbiter").order_by("position")
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


def _taken(entrant: Entrant, number: str) -> Entrant:
    """A line with the Chess SA id of the player whom it was taken for."""
    return replace(entrant, national_id=number, national_federation=HOME) if number else entrant


def _same(typed: EnteredPlayer, old: Entrant) -> bool:
    """Whether a row still is the player of the file before, so that title, rating and region go on being his."""
    if typed.national_id and typed.national_id == chess_sa_id(old):
        return True
    if typed.fide_id and typed.fide_id == old.fide_id:
        return True
    return name_similarity(person_of(_named(old, typed.name)), person_of(old)) >= _SAME_NAME


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
        replace(
            entrant,
            fide_id=typed.fide_id,
            birth_year=typed.birth.year,
            birth_date=typed.birth.day,
            sex=typed.sex,
        )
    )


def _home(entrant: Entrant) -> Entrant:
    """National details stand on a line of their own, whatever federation the file is of."""
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
    if [(one.number, one.points) for one in entrants] == [(one.number, one.points) for one in before]:
        return tuple(entrants)
    order = sorted(entrants, key=lambda one: (-(one.points or 0), one.rank or len(entrants), one.number))
    ranks = {one.number: rank for rank, one in enumerate(order, start=1)}
    return tuple(replace(one, rank=ranks[one.number]) for one in entrants)


def _trimmed(days: Sequence[date | None]) -> tuple[date | None, ...]:
    found = list(days)
    while found and found[-1] is None:
        found.pop()
    return tuple(found)
