"""CSV as a stream of lines."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any


class _Line:
    def write(self, line: str) -> str:
        return line


def csv_lines(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Yield each row as a line of CSV that ends with CRLF; None is empty, a float is written with every digit."""
    writer = csv.writer(_Line())
    for row in rows:
        yield writer.writerow(row)
