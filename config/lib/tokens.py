"""Rows in the addresses of mailed links: signed, by key and moment.

A key alone would not do: after an older back-up is restored, the keys given out since are given to other rows.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from django.core import signing
from django.db.models import Model, QuerySet
from django.utils.crypto import salted_hmac

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Row = TypeVar("Row", bound=Model)


def signed_row(signer: signing.Signer, row: Model, *, address: str = "") -> str:
    """Return the token of a row, which has the moment at which it was made as `at`. `address`: the mail address with which the
    link ends, if it ends with one."""
    return signer.sign(f"{row.pk}-{_facts(row, address)}")


def row_of(
    signer: signing.Signer, token: str, rows: QuerySet[Row], *, address: Callable[[Row], str] = lambda row: ""
) -> Row | None:
    """Return the row of a token; None if it was not signed by this signer, if the row is no longer there, or if the present
    `address` is another than the token's."""
    try:
        key, _, facts = signer.unsign(token).partition("-")
        row = rows.filter(pk=int(key)).first()
    except (signing.BadSignature, ValueError):
        return None
    # Links that earlier releases mailed have the key alone.
    return row if row is not None and facts in ("", _facts(row, address(row))) else None


def _facts(row: Any, address: str) -> str:
    moment = str((row.at - _EPOCH) // timedelta(microseconds=1))
    return f"{moment}-{salted_hmac('config.lib.tokens', address).hexdigest()[:16]}" if address else moment
