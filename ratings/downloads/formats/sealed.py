"""The rows of a list as they are sealed, by which anybody can compute its hash again. Pure."""

from collections.abc import Iterable, Mapping
from typing import Final

from ratings.seals.hashes import row_digest, row_key, row_salt

HEADING: Final = ("digest", "salt", "row", "number")


def sealed_rows(secret: str, rows: Iterable[str], numbers: Mapping[int, str]) -> bytes:
    """Return a line for each row, in the order of the digests, with tabs between: digest, salt, row and Chess SA id.

    `secret`: of the seal; `numbers`: the ids by key of the players, of all who are not hidden. Of the others the digest
    stands alone: without its salt it tells nothing.
    """
    lines = []
    for row in rows:
        key = row_key(row)
        salt = row_salt(secret, key)
        told = (salt, row, numbers[key]) if key in numbers else ("", "", "")
        lines.append("\t".join((row_digest(salt, row), *told)))
    return "".join(f"{line}\n" for line in ("\t".join(HEADING), *sorted(lines))).encode()
