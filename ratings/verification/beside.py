"""Checks what stands beside the sealed lists: whose the rows are, and the files for download."""

import hashlib
from collections.abc import Iterator

from django.db.models import Max

from players.models import Player
from ratings.models import Download
from ratings.verification.findings import Finding, stands

_IDENTITY = ("number", "last_name", "first_name")
_BY_HISTORY = "by the newest version of his history"


def register_findings() -> Iterator[Finding]:
    """Yield the players whose id or name is not what their history says last. Two queries.

    A seal knows players by the register's keys. Whoever gives a key to somebody else gives him the ratings, too.
    """
    # The last that was written: a clock that was put back dates it before the one before.
    written = Player.history.order_by().values("id").annotate(newest=Max("history_id")).values("newest")
    newest = Player.history.filter(pk__in=written).values_list("id", *_IDENTITY)
    recorded = {key: identity for key, *identity in newest}
    for key, *identity in Player.objects.order_by("pk").values_list("pk", *_IDENTITY):
        last = recorded.get(key)
        if last is not None and last != identity:
            cells = zip(_IDENTITY, identity, last, strict=True)
            wrong = [stands(name, now, then, _BY_HISTORY) for name, now, then in cells if now != then]
            yield Finding("register", "; ".join(wrong), key)


def file_findings() -> Iterator[Finding]:
    """Yield the files for download that do not have the checksum that was kept of them. One file is in memory at a time."""
    files = Download.objects.select_related("run__period").order_by("run__period__month", "pk").defer("content")
    for file in files:
        found = hashlib.sha256(file.content).hexdigest()
        if found != file.sha256:
            place = f"file {file.name} of {file.run.period}"
            yield Finding(place, stands("its SHA-256", found, file.sha256, "as it was when the file was made"))
