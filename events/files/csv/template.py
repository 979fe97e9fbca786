"""Writes a table of results to fill in: details of the event, the heading, its rounds or two lines as examples. Pure."""

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import date

_DETAILS = ("name", "city", "federation", "starts", "ends", "chief_arbiter", "time_control")
_PLAYER = ("id", "name", "born", "sex")
TEMPLATE_COLUMNS = (
    "round",
    "date",
    *(f"white_{name}" for name in _PLAYER),
    *(f"black_{name}" for name in _PLAYER),
    "result",
    "colour_known",
)
_EXAMPLES = (
    {
        "round": "1",
        "date": "2024-03-02",
        "white_id": "999999991",
        "white_name": "Example, Anna",
        "white_born": "1990-05-17",
        "white_sex": "F",
        "black_id": "999999992",
        "black_name": "Sample, Ben",
        "black_born": "1985-11-30",
        "black_sex": "M",
        "result": "1-0",
        "colour_known": "yes",
    },
    {"round": "2", "date": "2024-03-03", "white_id": "999999991", "white_name": "Example, Anna", "result": "bye"},
)


def write_template(
    separator: str = ",", *, details: Mapping[str, str] | None = None, days: Sequence[date | None] = ()
) -> str:
    """Return the table as text with CRLF; `separator` is `,`, or `;` for spreadsheets with decimal commas.

    `details`: what is known of the event, by the names of the lines above the heading; `days`: of its rounds, None for one that
    is not known. With them the table has a line for each round, else two lines as examples.
    """
    known = details or {}
    rounds = [
        {"round": str(number), "date": day.isoformat() if day else ""} for number, day in enumerate(days, start=1)
    ]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator)
    writer.writerows((key, known.get(key, "")) for key in _DETAILS)
    writer.writerow(())
    writer.writerow(TEMPLATE_COLUMNS)
    writer.writerows([row.get(column, "") for column in TEMPLATE_COLUMNS] for row in rounds or _EXAMPLES)
    return out.getvalue()
