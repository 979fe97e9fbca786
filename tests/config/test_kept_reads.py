"""Small reads are kept while their tables stay as they are, and no longer."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.kept_reads import kept, page_of
from config.table_versions import TablesRead, table_versions
from ratings.models import Notice

pytestmark = pytest.mark.django_db


def texts() -> list[str]:
    return list(Notice.objects.order_by("pk").values_list("text", flat=True))


def on_a_page() -> tuple[list[str], int, TablesRead]:
    """What a page gets, with how many queries, and the tables that it was made from."""
    tables, versions = TablesRead(), table_versions()
    with page_of(versions, tables), CaptureQueriesContext(connection) as asked:
        return kept(texts), len(asked), tables


def test_it_costs_a_query_only_after_a_change_of_its_table():
    Notice.objects.create(text="Closed")
    assert on_a_page() == (["Closed"], 1, {"ratings_notice"})
    assert on_a_page() == (["Closed"], 0, {"ratings_notice"})
    Notice.objects.update(text="Open")
    assert on_a_page() == (["Open"], 1, {"ratings_notice"})


def test_outside_of_pages_each_call_reads_anew():
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            kept(texts)
        assert len(asked) == 1
