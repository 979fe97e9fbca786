"""The list with every figure unrounded, for analysis: CSV and JSON. Pure."""

import csv
import io
import json
from dataclasses import asdict

from config.lib import spreadsheets
from ratings.downloads.formats.listed import PublishedList

COLUMNS = (
    "rank", "number", "fide_id", "last_name", "first_name", "sex", "birth_year", "title", "federation", "region", "club",
    "published", "raw", "weighted", "highest", "previous", "k", "games", "activity",
)  # fmt: skip


def full_csv(listing: PublishedList) -> bytes:
    """Return the list as CSV: UTF-8 with its mark, comma, CRLF; figures as the shortest text that gives the number again."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in _rows(listing):
        writer.writerow([_safe(row[name]) for name in COLUMNS])
    return text.getvalue().encode("utf-8-sig")


def full_json(listing: PublishedList) -> bytes:
    """Return the list as JSON: what it is, then its players; what is missing is null."""
    document = {
        "list": listing.code,
        "name": listing.name,
        "rules": listing.rules,
        "period": f"{listing.month:%Y-%m}",
        "list_date": listing.day.isoformat(),
        "published_on": listing.published_on.isoformat(),
        "players": _rows(listing),
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1).encode()


def _rows(listing: PublishedList) -> list[dict[str, object]]:
    rows = []
    for player in listing.players:
        row = asdict(player)
        row["birth_year"] = player.born.year if player.born else None
        rows.append({name: row[name] for name in COLUMNS})
    return rows


def _safe(value: object) -> object:
    return spreadsheets.cell(value) if isinstance(value, str) else "" if value is None else value
