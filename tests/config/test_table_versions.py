"""A table has a new version after each statement that wrote to it, whoever wrote and how; writers do not wait for it."""

import contextlib

import pytest
from django.db import connection, transaction

from config.models import TableVersion
from config.table_versions import create_triggers, model_tables, table_versions
from players.models import Title
from ratings.models import Performance
from ratings.runs.bulk_insert import insert_columns
from tests.faults.bureau import Bureau

TITLES = "players_title"


def sql(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture
def title(db):
    return Title.objects.create(code="A", name="A title", position=100)


@pytest.mark.parametrize(
    "write",
    [
        lambda title: title.save(),
        lambda title: Title.objects.update(name="Another"),
        lambda title: title.delete(),
        lambda title: Title.objects.create(code="B", name="B", position=101),
        lambda title: Title.objects.bulk_create([Title(code="B", name="B", position=101)], ignore_conflicts=True),
        lambda title: sql("UPDATE players_title SET name = 'By hand'"),
    ],
    ids=["save", "update", "delete", "create", "bulk", "sql"],
)
def test_every_way_of_writing_makes_a_new_version_of_the_table_alone(title, write):
    before = table_versions()
    write(title)
    after = table_versions()
    assert after.pop(TITLES) != before.pop(TITLES)
    assert after == before


def test_a_whole_column_at_once_makes_a_new_version(db):
    before = table_versions()["ratings_performance"]
    names = ("run_id", "list_id", "section_id", "player_id", "games", "score", "change")
    assert insert_columns(Performance, {name: [1, 2] for name in names}) == 2
    after = table_versions()["ratings_performance"]
    assert after != before
    for write in (lambda: Performance.objects.update(games=2), Performance.objects.all().delete):
        write()
        assert table_versions()["ratings_performance"] != after
        after = table_versions()["ratings_performance"]


def test_reading_and_what_is_rolled_back_make_none(title):
    before = table_versions()
    with transaction.atomic():
        Title.objects.update(name="Another")
        transaction.set_rollback(True)
    assert Title.objects.get(code="A").name == "A title"
    assert table_versions() == before
    Title.objects.update(name="Another")
    assert table_versions() != before


def test_every_table_of_a_model_has_a_version(db):
    assert sorted(table_versions()) == model_tables()


def test_a_table_that_lost_its_triggers_gets_them_back_with_a_new_version(title):
    if connection.vendor == "postgresql":
        sql("DROP TRIGGER new_table_version ON players_title")
    else:
        for event in ("INSERT", "UPDATE", "DELETE"):
            sql(f"DROP TRIGGER new_table_version_players_title_{event}")
    before = table_versions()
    Title.objects.update(name="Unseen")
    assert table_versions() == before
    create_triggers("default")
    renewed = table_versions()
    assert [table for table in before if renewed[table] != before[table]] == [TITLES]
    Title.objects.update(name="Seen")
    assert table_versions()[TITLES] != renewed[TITLES]


def test_a_table_without_a_version_gets_one(db):
    TableVersion.objects.filter(table_name=TITLES).delete()
    assert TITLES not in table_versions()
    create_triggers("default")
    assert sorted(table_versions()) == model_tables()


@pytest.mark.servers
def test_writers_side_by_side_neither_wait_nor_hide_each_other(tmp_path):
    versions = f"SELECT version FROM config_tableversion WHERE table_name = '{TITLES}' ORDER BY id"
    insert = "INSERT INTO players_title (code, name, position) VALUES ('{0}', '{0}', {0})"
    bureau = Bureau("servers", tmp_path)
    with contextlib.closing(bureau), contextlib.ExitStack() as stack:
        writers = [stack.enter_context(contextlib.closing(bureau.connect())) for _ in range(3)]
        seen = [bureau.rows(versions)]
        for number, writer in enumerate(writers, start=100):
            writer.execute("SET lock_timeout = '2s'")
            writer.execute("BEGIN")
            writer.execute(insert.format(number))
        for writer in reversed(writers):  # the first comes in last
            assert bureau.rows(versions) == seen[-1]
            writer.execute("COMMIT")
            seen.append(bureau.rows(versions))
            assert seen[-1] not in seen[:-1]
        assert len(seen[-1]) == 3
        writers[0].execute(insert.format(200))
        assert len(bureau.rows(versions)) == 3
