"""Django's backend for PostgreSQL; its errors tell what was the matter and quote no row, wherever they are written to."""

from types import TracebackType

from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property
from psycopg import Error


class _WithoutRows(DatabaseErrorWrapper):
    """Raises the driver's errors as Django's, without their lines DETAIL and LINE: these hold names, addresses, birth dates."""

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(exc_value, Error) and exc_value.diag.message_primary is not None:  # the server answered
            message = exc_value.diag.message_primary
            # Of what is no number or no day, the value stands there in quotation marks.
            exc_value.args = (message.partition(': "')[0] if (exc_value.sqlstate or "").startswith("22") else message,)
        super().__exit__(exc_type, exc_value, traceback)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL."""

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        """Return what turns the driver's errors into Django's."""
        return _WithoutRows(self)
