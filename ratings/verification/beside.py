"""Checks what stands beside the sealed lists: whose the rows are, the files for download, and months that were brought in."""

import hashlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, QuerySet

from events.archive import sha256_of
from events.models import Submission, SubmittedFile
from events.rules.states import ACCEPTED_OR_LATER
from players.models import PRIVATE, Player
from ratings.downloads.operations import SUMS
from ratings.models import Activity, Download, RatingRun, System
from ratings.verification.findings import Finding, as_far_as_readable, found_twice, stands

_COLUMNS = tuple(field.attname for field in Player._meta.concrete_fields if not field.primary_key)


def register_findings() -> Iterator[Finding]:
    """Yield the players who are not what their history says last, or are gone with it. Four queries, and as many for those who
    are not.

    A seal knows players by the register's keys. Whoever gives a key to somebody else gives him the ratings, too. Who differs is
    looked at a second time, with his row locked: on a site in use he may have been changed between two queries.
    """
    first = list(as_far_as_readable("register", _of_register(Player.objects.all(), Player.history.all())))
    differing = [finding.player for finding in first if finding.player is not None]
    if differing:
        with transaction.atomic():
            rows = Player.objects.filter(pk__in=differing)
            list(rows.order_by("pk").select_for_update(of=("self",)).values_list("pk"))
            found = list(_of_register(rows, Player.history.filter(id__in=differing)))
        yield from found
    yield from (finding for finding in first if finding.player is None)  # what cannot be read
    with connection.cursor() as cursor:
        cursor.execute("SELECT player_id FROM ratings_rating EXCEPT SELECT id FROM players_player ORDER BY 1")
        for (key,) in cursor.fetchall():
            if key not in differing:
                yield Finding("register", "he has ratings, and neither a line on it nor a history", key)


def _of_register(players: QuerySet[Player], versions: QuerySet[Any]) -> Iterator[Finding]:
    # The last that was written: a clock that was put back dates it before the one before.
    written = versions.order_by().values("id").annotate(newest=Max("history_id")).values("newest")
    newest = versions.filter(pk__in=written).exclude(history_type="-").values_list("id", *_COLUMNS)
    recorded = {key: values for key, *values in newest}
    for key in sorted(recorded.keys() - set(players.values_list("pk", flat=True))):
        yield Finding("register", "he is on it by the newest version of his history, and is missing", key)
    for key, *values in players.order_by("pk").values_list("pk", *_COLUMNS):
        last = recorded.get(key)
        if last is None:
            yield Finding("register", "there is no history of him", key)
        elif last != values:
            cells = zip(_COLUMNS, values, last, strict=True)
            yield Finding("register", "; ".join(_differs(*cell) for cell in cells if cell[1] != cell[2]), key)


def file_findings() -> Iterator[Finding]:
    """Yield the files for download that are not those of their month's SHA256SUMS. One file is in memory at a time."""
    for run in RatingRun.objects.filter(downloads__isnull=False).distinct().select_related("period").order_by("pk"):
        place = f"files of {run.period}"
        yield from found_twice(place, partial(_of_files, place, run))


def sent_file_findings() -> Iterator[Finding]:
    """Yield the files that are not as they were sent in. One is in memory at a time.

    What took the place of a file (`SubmittedFile.replaced_at`) has no checksum of its own.
    """
    files = SubmittedFile.objects.filter(replaced_at=None).order_by("pk").values_list("pk", "sha256", "content")
    for key, digest, content in files.iterator(chunk_size=1):
        found = sha256_of(bytes(content))
        if found != digest:
            sent = Submission.objects.filter(file=key).select_related("section__event").order_by("pk").first()
            place = f"file sent in for {sent.section}" if sent else f"file {key}, not sent in yet"
            yield Finding(place, stands("SHA-256 of its content", found, digest, "as it was when it came"))


def brought_in_findings() -> Iterator[Finding]:
    """Yield the months that were brought in after this bureau began, or that have what only games give. Some queries each.

    An opening balance, and the list of a former bureau, have neither games nor what is made of them; only an opening balance
    may bring activity.
    """
    published = RatingRun.objects.filter(publication__isnull=False).select_related("period").order_by("period__month")
    first = published.exclude(kind=RatingRun.Kind.HISTORY).values_list("period__month", flat=True).first()
    for run in published.exclude(kind=RatingRun.Kind.CALCULATED):
        if first is not None and first < run.period.month:
            what = f"its lists were brought in ({run.get_kind_display()}), and yet {first:%Y-%m} before it is of this bureau"
            yield Finding(f"month {run.period}", what)
        of_games = {
            "sections to rate": run.period.sections.filter(event__state__in=ACCEPTED_OR_LATER),
            "adjustments": run.period.adjustments.all(),
            "performances": run.performances.all(),
            "activity": Activity.objects.filter(run=run.pk).exclude(run__kind=RatingRun.Kind.OPENING),
            "ratings of months before it": run.former_ratings.exclude(run__kind=RatingRun.Kind.OPENING),
        }
        if there := [name for name, rows in of_games.items() if rows.exists()]:
            what = f"its lists were brought in ({run.get_kind_display()}), and yet it has {' and '.join(there)}"
            yield Finding(f"month {run.period}", what)
        rated = run.ratings.exclude(published=None, list__system=System.CHESSA).values("player").distinct().count()
        if run.players != rated:
            yield Finding(f"month {run.period}", stands("players", str(run.players), str(rated), "by its lists"))


def _of_files(place: str, run: RatingRun) -> Iterator[Finding]:
    sums = run.downloads.filter(name=SUMS).first()
    if sums is None:
        if run.downloads.exists():  # else a worker makes all of them anew
            yield Finding(place, f"{SUMS} is missing")
        return
    yield from _of_file(place, sums, hashlib.sha256(sums.content).hexdigest(), "by its content")
    named = {name: digest for digest, name in (line.split("  ") for line in bytes(sums.content).decode().splitlines())}
    found = dict(run.downloads.exclude(name=SUMS).order_by("pk").values_list("name", "pk"))
    for name in sorted(named.keys() ^ found.keys()):
        yield Finding(place, f"{name} is missing" if name in named else f"{name} is not in {SUMS}")
    for name in sorted(named.keys() & found.keys()):
        yield from _of_file(place, Download.objects.get(pk=found[name]), named[name], f"by {SUMS}")


def _of_file(place: str, file: Download, digest: str, why: str) -> Iterator[Finding]:
    """Yield what is wrong with a file whose content should have a digest. `why`: from what that is known."""
    for found in dict.fromkeys((hashlib.sha256(file.content).hexdigest(), file.sha256)):
        if found != digest:
            yield Finding(place, f"{file.name}: {stands('its SHA-256', found, digest, why)}")
    if file.size != len(file.content):
        yield Finding(
            place, f"{file.name}: {stands('its size', str(file.size), str(len(file.content)), 'by its content')}"
        )


def _differs(column: str, now: object, then: object) -> str:
    if column in PRIVATE:  # who reads the finding, in a mail of cron perhaps, learns none of them
        return f"{column} is not that of the newest version of his history"
    return stands(column, _text(now), _text(then), "by the newest version of his history")


def _text(value: object) -> str:
    return "" if value is None else str(value)
