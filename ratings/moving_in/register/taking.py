"""Takes a list of players that was read, compared and confirmed into the register, in the caller's transaction."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection
from django.db.models import QuerySet

from accounts.models import User
from accounts.trail.operations import record
from config.lib import formatting
from players.models import Player, Region, RegisterImport
from players.operations import NewPlayer, lock_numbers, new_players
from ratings.models import ImportJob, ListedPlayer
from ratings.moving_in.jobs.operations import ImportRefusedError, drop_file
from ratings.moving_in.jobs.progress import Tell
from ratings.moving_in.register.lines import (
    changes_of_row,
    counted,
    line_of,
    refuse_second_lines,
    register_version,
    row_chunks,
)
from ratings.moving_in.register.matching import LEAVE_OUT, NEW, Kind, changes_of, differences
from ratings.moving_in.register.writing import add_players, change_players, many_players

_CHECKING, _WRITING = "Checking that the register has not changed", "Writing to the register"
_AGAIN = "Nothing was taken. Have the list compared again."


def take(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Take the list of a job; return its summary, with the number of the import.

    Raises ImportRefusedError if it has errors, a doubtful line without an answer or a line that cannot be taken, or if the
    register says other things by now than it said when the list was shown.
    """
    if job.summary.get("errors"):
        first = next(finding for finding in job.summary["findings"] if finding["severity"] == "error")
        count = formatting.count(job.summary["errors"], "error")
        place = f"Line {first['line']}: " if first["line"] else ""
        raise ImportRefusedError(f"The list has {count}. {place}{first['message']}")
    refuse_second_lines(job)
    rows = ListedPlayer.objects.filter(job=job)
    _refuse_open(rows)
    lock_numbers()
    counts = counted(job)["counts"]
    try:
        done = _write(job, rows, counts, tell, at)
        connection.check_constraints()  # now, and not when the transaction ends
    except IntegrityError as error:
        message = f"The register has changed meanwhile, or one FIDE id stands for two players. {_AGAIN}"
        raise ImportRefusedError(message) from error
    answers = rows.exclude(answer="")
    record(
        "register imported",
        done,
        at=at,
        by=job.asked_by,
        after={
            "new": done.new,
            "changed": done.changed,
            "file": job.filename,
            "answered": f"{answers.exclude(answer__in=(NEW, LEAVE_OUT)).count()} as on the register,"
            f" {answers.filter(answer=NEW).count()} as new, {answers.filter(answer=LEAVE_OUT).count()} left out",
        },
    )
    drop_file(job)
    return {**job.summary, "counts": counts, "import": done.pk}


def _refuse_open(rows: QuerySet[ListedPlayer]) -> None:
    for kind, words in (
        (Kind.REFUSED, "cannot be taken"),
        (Kind.DOUBTFUL, "may be on the register; answer which player it is, that it is a new one, or leave it out"),
    ):
        row = rows.filter(kind=kind).order_by("line").first()
        if row is None:
            continue
        player = Player.objects.filter(pk=row.player_id or 0).first() if kind is Kind.DOUBTFUL else None
        whom, count = f" {player}:" if player else "", rows.filter(kind=kind).count()
        more = f" ({count - 1} more such lines)" if count > 1 else ""
        raise ImportRefusedError(f"Line {row.line}, {line_of(row).name}, {words}:{whom} {row.why}{more}")


def _write(
    job: ImportJob, rows: QuerySet[ListedPlayer], counts: Mapping[str, int], tell: Tell, at: datetime
) -> RegisterImport:
    by, new, changed = job.asked_by, rows.filter(kind=Kind.NEW), rows.filter(kind=Kind.CHANGED)
    done = RegisterImport.objects.create(
        at=at,
        by=by,
        filename=job.filename,
        sha256=job.sha256,
        new=counts.get(Kind.NEW, 0),
        changed=counts.get(Kind.CHANGED, 0),
        unchanged=counts.get(Kind.UNCHANGED, 0),
        left_out=counts.get(Kind.LEFT_OUT, 0),
    )
    total, checked, written = max(1, done.new + done.changed), 0, 0
    if register_version() != job.summary.get("register"):
        for chunk in row_chunks(new):
            _check_new(chunk)
            checked += len(chunk)
            tell(_CHECKING, 0.3 * checked / total)
    regions = {region.code: region for region in Region.objects.all()}
    besides = set(rows.exclude(national_id="").values_list("national_id", flat=True))
    with many_players():
        for chunk in row_chunks(changed):
            _change(chunk, done, regions, by)
            written += len(chunk)
            tell(_WRITING, 0.3 + 0.7 * written / total)
        for chunk in row_chunks(new):
            players = new_players([_new_player(row, regions) for row in chunk], at=at, besides=besides)
            add_players(players, at=at, by=by, reason=str(done))
            written += len(chunk)
            tell(_WRITING, 0.3 + 0.7 * written / total)
    return done


def _check_new(rows: Collection[ListedPlayer]) -> None:
    """Make sure that new players have not come onto the register since."""
    answers = {row.line: row.answer for row in rows if row.answer}
    for difference in differences([line_of(row) for row in rows], answers):
        if difference.kind is not Kind.NEW:
            raise ImportRefusedError(
                f"Line {difference.line.line}, {difference.line.name}, is {difference.kind} by now:"
                f" {difference.player or ''} {difference.why} {_AGAIN}"
            )


def _change(
    rows: Collection[ListedPlayer], done: RegisterImport, regions: Mapping[str, Region], by: User | None
) -> None:
    players = (
        Player.objects.select_for_update(of=("self",))
        .select_related("region")
        .in_bulk([row.player_id for row in rows if row.player_id])
    )
    for row in rows:
        player, line = players.get(row.player_id or 0), line_of(row)
        if player is None or tuple(changes_of(line, player)) != changes_of_row(row):
            whom = player or f"the player of line {row.line}, {line.name},"
            raise ImportRefusedError(f"On the register {whom} has changed since the list was compared. {_AGAIN}")
        for change in changes_of_row(row):
            if change.field == "birth":
                player.birth_date, player.birth_year = line.birth.day, line.birth.year
            elif change.field == "region":
                player.region = regions[line.region]
            elif change.field == "title":
                player.title_id = line.title
            else:
                setattr(player, change.field, getattr(line, change.field))
    change_players(list(players.values()), at=done.at, by=by, reason=str(done))


def _new_player(row: ListedPlayer, regions: Mapping[str, Region]) -> NewPlayer:
    return NewPlayer(
        last_name=row.last_name,
        first_name=row.first_name,
        national_id=row.national_id,
        fide_id=row.fide_id,
        birth_date=row.birth_date,
        birth_year=row.birth_year,
        sex=row.sex,
        title=row.title,
        region=regions.get(row.region),
        federation=row.federation,
        club=row.club,
    )
