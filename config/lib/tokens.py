"""Rows in the addresses of mailed links: signed, by key and moment.

A key alone would not do: after an older back-up is restored, the keys given out since are given to other rows.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from django.core import signing
from django.db.models import Model, QuerySet

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Row = TypeVar("Row", bound=Model)


def signed_row(signer: signing.Signer, row: Model) -> str:
    """Return the token of a row, which has the moment at which it was made as `at`."""
    return signer.sign(f"{row.pk}-{_moment(row)}")


def row_of(signer: signing.Signer, token: str, rows: QuerySet[Row]) -> Row | None:
    """Return the row of a token; None if it was not signed by this signer or the row is no longer there."""
    try:
        key, _, moment = signer.unsign(token).partition("-")
        row = rows.filter(pk=int(key)).first()
    except (signing.BadSignature, ValueError):
        return None
    # Links that earlier releases mailed have no moment.
    return row if row is not None and moment in ("", _moment(row)) else None


def _moment(row: Any) -> str:
    return str((row.at - _EPOCH) // timedelta(microseconds=1))
