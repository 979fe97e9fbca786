"""How a published list is sealed: what is hashed, in which order and form, so that anybody can do it again. Pure.

A row is one line of text, its columns (`COLUMNS`) with commas between: figures as the shortest decimal number that gives the
double again, with a point (`1500.0`), counts without one, nothing where there is none. `key` and `region` are the register's
keys, which never change. An opening balance has further rows for what it brought of the months before it: `FORMER`.

- Row digest: SHA-256 of the row's salt, a line feed and the row, in UTF-8, as hexadecimal digits. The salt of a row is the
  HMAC-SHA-256 of the player's key under the seal's secret: the first 32 digits. So of a player who is hidden the digest alone
  can be shown, and nobody finds him by trial.
- Hash of the rows: SHA-256 of all row digests in ascending order, each with a line feed.
- Seal: SHA-256 of `statement`: the hash of the seal before, then number, list, month, revision, count and hash of the rows, and
  the hash of what the month was calculated from, each with a line feed. Seals of earlier releases, and of lists that were
  published before there were seals, are without the last one.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

FIGURES: Final = (
    "k", "change", "weighted_performance", "raw", "weighted", "published", "previous", "highest", "pending_penalty",
    "window_sum", "window_weighted",
)  # fmt: skip
COLUMNS: Final = ("key", "region", "rank", "position", "games", *FIGURES, "recent", "standing")
FORMER: Final = ("key", "month", "raw")  # a raw rating of a month before an opening balance (article 49)
SALT_DIGITS: Final = 32


def row_text(
    counts: Sequence[int | None], figures: Sequence[float | None], recent: bytes | None, standing: Any | None
) -> str:
    """Return a row of a list as it is hashed. `counts`: key, region, rank, position, games; `figures`: those of `FIGURES`;
    `recent`: the packed performances; `standing`: what another system keeps, as read from JSON."""
    return ",".join(
        (
            *("" if count is None else str(count) for count in counts),
            *(figure_text(figure) for figure in figures),
            "" if recent is None else recent.hex(),
            "" if standing is None else json.dumps(standing, sort_keys=True, separators=(",", ":")),
        )
    )


def former_text(key: int, month: str, raw: float) -> str:
    """Return a row of what an opening balance brought of a month before it, `2023-12`."""
    return f"{key},{month},{figure_text(raw)}"


def figure_text(figure: float | None) -> str:
    """Return a figure as it is hashed; "" for none. Zero has no sign: not every database keeps it."""
    return "" if figure is None else repr(figure + 0.0)


def row_key(row: str) -> int:
    """Return the player's key of a row."""
    return int(row.partition(",")[0])


def row_salt(secret: str, key: int) -> str:
    """Return the salt of a player's rows under the secret of a seal."""
    return hmac.new(secret.encode(), str(key).encode(), hashlib.sha256).hexdigest()[:SALT_DIGITS]


def row_digest(salt: str, row: str) -> str:
    """Return the digest of a row with its salt."""
    return _sha256(f"{salt}\n{row}")


def rows_hash(digests: Iterable[str]) -> str:
    """Return the hash over the digests of all rows of a list, given in any order."""
    return _sha256("".join(f"{digest}\n" for digest in sorted(digests)))


def rows_hash_of(secret: str, rows: Iterable[str]) -> str:
    """Return the hash over rows that are sealed with a secret."""
    return rows_hash(row_digest(row_salt(secret, row_key(row)), row) for row in rows)


def statement(
    previous: str, *, number: int, code: str, month: str, revision: int, rows: int, rows_hash: str, input_hash: str
) -> str:
    """Return the text whose SHA-256 is the hash of a seal. `month`: that of the games, `2024-03`; `input_hash`: "" for none."""
    parts = [previous, number, code, month, revision, rows, rows_hash, *([input_hash] if input_hash else [])]
    return "".join(f"{part}\n" for part in parts)


def seal_hash(statement: str) -> str:
    """Return the hash of a seal."""
    return _sha256(statement)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
