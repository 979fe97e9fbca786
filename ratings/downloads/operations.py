"""Makes the files of a published month, once. The clock is passed in."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from config.lib.database import reading, work_lock
from events.files.trf.writer import write_trf26
from events.models import RatingPeriod, Section
from events.public.tournament_file import file_name, section_tournament
from events.readings.queries import readings
from events.rules.time_controls import speed_errors
from players.hidden import not_hidden
from players.models import Player
from ratings.downloads.formats import chessa, fide, full, sealed, swiss_manager
from ratings.downloads.formats.listed import PublishedList
from ratings.downloads.rows import published_list
from ratings.explanations.case_files import export_period
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications
from ratings.models import Download, PublishedRun, RatingRun, Seal
from ratings.periods import RunError
from ratings.seals.queries import statement_of
from ratings.seals.rows import unpacked
from ratings.systems.chessa.columns import LISTS

SUMS = "SHA256SUMS"
CASE_FILE = "case.zip"
_SIDE_BY_SIDE = LISTS[1:]  # FIDE's list of all three types of game


def make_downloads(run_id: int, *, at: datetime) -> int:
    """Make the files of a published run and return how many; none if they are made already, if the run is not
    published, if they are to be made anew by now, as after an erasure, or while another worker makes some.

    What is in them is read as of one moment, and written afterwards: it takes long, and nobody is to wait for it. Whole birth
    dates are in them if the officers want them there now, and wanted it when the files were first made: what has them made
    anew, as the erasure of one player, tells nobody more of the others.
    """
    with work_lock("downloads") as is_ours:
        if not is_ours:
            return 0
        with reading():
            published = PublishedRun.objects.filter(run=run_id).select_related("period", "run").first()
            if published is None or Download.objects.filter(run=run_id).exists():
                return 0
            moment = published.period.published_at or at
            whole = readings().whole_birth_dates and published.run.whole_birth_dates is not False
            contents = _contents(published.period, run_id, whole_birth_dates=whole)
            files = {name: _zipped(parts, moment) for name, parts in contents if parts}
        sums = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        files[SUMS] = "".join(f"{digest}  {name}\n" for name, digest in sums.items()).encode()
        return _store(published, files, at, whole_birth_dates=whole)


def take_back_birth_dates(*, at: datetime) -> None:
    """Take away the files that have whole birth dates, if the officers no longer want them there: those of lists in force are
    made anew with the year alone."""
    if readings().whole_birth_dates:
        return
    with transaction.atomic():
        runs = have_files_made(RatingRun.objects.filter(whole_birth_dates=True), at=at)
        RatingRun.objects.filter(pk__in=runs).update(whole_birth_dates=False)


def have_files_made(runs: QuerySet[RatingRun], *, at: datetime) -> list[int]:
    """Take away the files of some runs within the caller's transaction: of lists in force they are made anew. Return the
    runs' keys."""
    # First this: it waits for who stores files at this moment, which are seen by the next ones only then.
    keys = list(runs.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    PublishedRun.objects.filter(run__in=keys).update(files_asked_at=at)
    Download.objects.filter(run__in=keys).delete()
    return keys


def _store(published: PublishedRun, files: Mapping[str, bytes], at: datetime, *, whole_birth_dates: bool) -> int:
    """Store the files of a published run, unless they are to be made anew since it was read. Return how many are stored."""
    run_id = published.run_id
    with transaction.atomic():
        # Hazard: runs are locked before what points at them, as by a correction; the other order can deadlock.
        list(RatingRun.objects.select_for_update(of=("self",)).filter(pk=run_id).values_list("pk"))
        current = PublishedRun.objects.select_for_update().filter(run=run_id).first()
        is_overtaken = current is None or current.files_asked_at != published.files_asked_at
        if is_overtaken or Download.objects.filter(run=run_id).exists():
            return 0
        Download.objects.bulk_create(
            Download(
                run_id=run_id,
                name=name,
                content=content,
                size=len(content),
                sha256=hashlib.sha256(content).hexdigest(),
                made_at=at,
            )
            for name, content in files.items()
        )
        RatingRun.objects.filter(pk=run_id).update(whole_birth_dates=whole_birth_dates)
        return len(files)


def _contents(period: RatingPeriod, run_id: int, *, whole_birth_dates: bool) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield the name of each file and what is in it, by name; without content where a list has no players."""
    listed = publications()
    publication = next(row for row in listed if row.run == run_id)
    lists = {
        definition.code: published_list(publication, listed, definition, whole_birth_dates=whole_birth_dates)
        for definition in list_definitions()
    }
    for code, listing in lists.items():
        if listing.players:
            yield from _files_of(code, listing)
    side_by_side = [lists[code] for code in _SIDE_BY_SIDE]
    if any(listing.players for listing in side_by_side):
        text, xml = fide.combined_text(side_by_side), fide.combined_xml(side_by_side)
        yield "fide_combined.zip", {"fide_combined.txt": text, "fide_combined.xml": xml}
    yield from _sealed(run_id)
    yield "tournaments.zip", _tournaments(period)
    yield CASE_FILE, _case(period)


def _files_of(code: str, listing: PublishedList) -> Iterator[tuple[str, dict[str, bytes]]]:
    if listing.is_national:
        active = [player for player in listing.players if not player.is_inactive]
        yield f"ratings_{code}.zip", {f"ratings_{code}.csv": chessa.chessa_csv(listing.players)}
        yield f"mini-ratings_{code}.zip", {f"mini-ratings_{code}.csv": chessa.chessa_csv(active)}
    yield (
        f"swiss-manager_{code}.zip",
        {
            f"swiss-manager_{code}.txt": swiss_manager.fixed_text(listing),
            f"swiss-manager_{code}.csv": swiss_manager.table(listing),
        },
    )
    yield (
        f"fide_{code}.zip",
        {f"fide_{code}.txt": fide.single_text(listing), f"fide_{code}.xml": fide.single_xml(listing)},
    )
    yield (
        f"full_{code}.zip",
        {f"full_{code}.csv": full.full_csv(listing), f"full_{code}.json": full.full_json(listing)},
    )


def _sealed(run_id: int) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield for each list its rows as they are sealed in the run's latest revision, and what the seal says."""
    revision = Seal.objects.filter(revision__run=run_id).order_by("-revision__number").values("revision")[:1]
    rows = Seal.objects.filter(revision__in=revision).select_related("revision__period").order_by("list__position")
    numbers = dict(Player.objects.filter(not_hidden()).order_by().values_list("pk", "number"))
    for seal in rows:
        name = f"sealed_{seal.code}"
        lines = sealed.sealed_rows(seal.salt, unpacked(bytes(seal.lines), seal.rows), numbers)
        yield f"{name}.zip", {f"{name}.tsv": lines, f"seal_{seal.code}.txt": statement_of(seal).encode()}


def _tournaments(period: RatingPeriod) -> dict[str, bytes]:
    """Return the sections of a period that were rated as TRF26, by file name."""
    sections = Section.objects.filter(period=period).select_related("event__region").order_by("pk")
    rated = (row for row in sections if not any(speed_errors(row.base_minutes, row.increment_seconds, row.ends)))
    return {file_name(section): write_trf26(section_tournament(section)) for section in rated}


def _case(period: RatingPeriod) -> dict[str, bytes]:
    """Return the month as a rating case; nothing for a month whose input was changed by an older release."""
    try:
        case = export_period(period)
    except RunError:
        return {}
    return {f"case-{period}.json": json.dumps(case, ensure_ascii=False, allow_nan=False).encode()}


def _zipped(parts: Mapping[str, bytes], moment: datetime) -> bytes:
    """Return a zip whose bytes depend on its contents and on the moment that it bears, and on nothing else."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, date_time=timezone.localtime(moment).timetuple()[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return packed.getvalue()
