"""Checks what stands beside the sealed lists: whose the rows are, and the files for download."""

import hashlib
from collections.abc import Iterator

from django.db.models import Max

from players.models import Player
from ratings.downloads.operations import SUMS
from ratings.models import Download, RatingRun
from ratings.verification.findings import Finding, stands

# What the public sees of a player, beside his birth.
_COLUMNS = (
    "number", "last_name", "first_name", "fide_id", "hidden_since", "died_on", "sex", "title_id", "region_id", "federation",
    "club", "merged_into_id",
)  # fmt: skip
_BY_HISTORY = "by the newest version of his history"


def register_findings() -> Iterator[Finding]:
    """Yield the players who are not what their history says last. Two queries.

    A seal knows players by the register's keys. Whoever gives a key to somebody else gives him the ratings, too.
    """
    # The last that was written: a clock that was put back dates it before the one before.
    written = Player.history.order_by().values("id").annotate(newest=Max("history_id")).values("newest")
    newest = Player.history.filter(pk__in=written).values_list("id", *_COLUMNS)
    recorded = {key: values for key, *values in newest}
    for key, *values in Player.objects.order_by("pk").values_list("pk", *_COLUMNS):
        last = recorded.get(key)
        if last is None:
            yield Finding("register", "there is no history of him", key)
        elif last != values:
            cells = zip(_COLUMNS, values, last, strict=True)
            wrong = [stands(name, _text(now), _text(then), _BY_HISTORY) for name, now, then in cells if now != then]
            yield Finding("register", "; ".join(wrong), key)


def file_findings() -> Iterator[Finding]:
    """Yield the files for download that are not those of their month's SHA256SUMS. One file is in memory at a time."""
    for run in RatingRun.objects.filter(downloads__isnull=False).distinct().select_related("period").order_by("pk"):
        place = f"files of {run.period}"
        sums = run.downloads.filter(name=SUMS).values_list("content", flat=True).first()
        if sums is None:
            yield Finding(place, f"{SUMS} is missing")
            continue
        named = {name: digest for digest, name in (line.split("  ") for line in bytes(sums).decode().splitlines())}
        found = dict(run.downloads.exclude(name=SUMS).order_by("pk").values_list("name", "pk"))
        for name in sorted(named.keys() ^ found.keys()):
            yield Finding(place, f"{name} is missing" if name in named else f"{name} is not in {SUMS}")
        for name in sorted(named.keys() & found.keys()):
            file = Download.objects.get(pk=found[name])
            digest = hashlib.sha256(file.content).hexdigest()
            if not digest == file.sha256 == named[name]:
                yield Finding(place, f"{name}: {stands('its SHA-256', digest, named[name], f'by {SUMS}')}")


def _text(value: object) -> str:
    return "" if value is None else str(value)
