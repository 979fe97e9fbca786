"""Small reads that nearly every page repeats, kept in the process while the versions of their tables stay what they are.

A public page (`config.http_cache`) asks for the versions anyway; while it is made, a read that was kept under these versions
costs no query. Elsewhere each call reads anew.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from django.db import connection
from django.utils.translation import get_language

from config.table_versions import TablesRead

Result = TypeVar("Result")
Versions = Mapping[str, Sequence[str]]


class _Kept(NamedTuple):
    tables: frozenset[str]
    versions: list[Sequence[str] | None]
    result: Any


_page: ContextVar[tuple[Versions, TablesRead] | None] = ContextVar("page", default=None)
_kept: dict[tuple[Callable[[], Any], str | None], _Kept] = {}  # by language too: a read may have texts


@contextmanager
def page_of(versions: Versions, tables: TablesRead) -> Iterator[None]:
    """Make a page of these versions of the tables, which were read before it; `tables` collects those that it is made from."""
    before = _page.set((versions, tables))
    try:
        with connection.execute_wrapper(tables):
            yield
    finally:
        _page.reset(before)


def kept(read: Callable[[], Result]) -> Result:
    """Return what a read gives: a module's function without arguments, whose result nobody changes."""
    page = _page.get()
    if page is None:
        return read()
    versions, tables = page
    key = read, get_language()
    known = _kept.get(key)
    if known is None or known.versions != [versions.get(table) for table in sorted(known.tables)]:
        own = TablesRead()
        with connection.execute_wrapper(own):
            result = read()
        known = _Kept(frozenset(own), [versions.get(table) for table in sorted(own)], result)
        _kept[key] = known
    tables.update(known.tables)
    given: Result = known.result
    return given


def forget() -> None:
    """Forget what is kept."""
    _kept.clear()
