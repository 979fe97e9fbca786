"""The rows of one query as a list in a column of another: what hangs on a row comes with it, without a query of its own."""

from datetime import UTC, datetime
from typing import Any

from django.db.models import JSONField, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.utils.dateparse import parse_datetime


class RowList(Subquery):
    """The rows of a query, each as a mapping of some fields. Hazard: moments come as text; `moment` reads them.

    Their order is that of the query.
    """

    template = "(SELECT COALESCE(JSONB_AGG(listed.listed_row), '[]') FROM (%(subquery)s) listed)"

    def __init__(self, rows: QuerySet[Any], **fields: str) -> None:
        """Take the query and its fields by the names that they get."""
        super().__init__(rows.annotate(listed_row=JSONObject(**fields)).values("listed_row"), output_field=JSONField())

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Return the SQL for SQLite."""
        template = "(SELECT JSON_GROUP_ARRAY(JSON(listed.listed_row)) FROM (%(subquery)s) listed)"
        return self.as_sql(compiler, connection, template=template, **extra)


def moment(text: str) -> datetime:
    """Return a moment that a `RowList` gives: PostgreSQL writes its zone, SQLite none, since all of it is in UTC."""
    at = parse_datetime(text)
    if at is None:
        raise ValueError(f"{text!r} is no moment.")
    return at if at.tzinfo else at.replace(tzinfo=UTC)
