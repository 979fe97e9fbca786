"""A bureau of the first migrations comes to this release without loss.

`initial.zip` is a back-up of a small demonstration federation, made by the release that had the first migration of each app
(and `players.0002`, `ratings.0002`) and no other. Every person in it is invented.
"""

import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.faults.bureau import KINDS, Bureau

FILE = Path(__file__).parent / "initial.zip"
# Tables to which a migration since, or what follows migrations, adds rows.
_ADDED_TO = {"auth_permission", "django_content_type"}
_FIGURES = (
    "SELECT player_id, list_id, run_id, rank, position, CAST(published AS double precision),"
    " CAST(raw AS double precision), window_sum FROM ratings_rating ORDER BY run_id, list_id, player_id"
)
_SCHEMA = {
    "servers": (
        "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default, is_identity"
        " FROM information_schema.columns WHERE table_schema = 'public'",
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint",
        "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal",
    ),
    "embedded": ("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'",),
}
_NAMES = ("player_id", "list_id", "run_id", "rank", "position", "published", "raw", "window_sum")


def _schema(bureau: Bureau) -> set[tuple[object, ...]]:
    """The columns, constraints, indexes and triggers of a database, in no order."""
    found = {row for query in _SCHEMA[bureau.kind] for row in bureau.rows(query)}
    if bureau.kind == "servers":
        # A database that went through a dump writes its casts and brackets in other places.
        return {tuple(re.sub(r"::[a-z ]+(\[\])?|[()]", "", str(value)) for value in row) for row in found}
    return {(kind, name, *sorted(_parts(str(sql)))) for kind, name, sql in found}


def _parts(sql: str) -> list[str]:
    """The parts of CREATE TABLE: what is between commas, but for those in brackets or quotes."""
    inner = sql.partition("(")[2].rpartition(")")[0]
    return re.findall(r"(?:[^,()']|'(?:[^']|'')*'|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+", inner) or [sql]


@pytest.fixture(params=KINDS)
def bureau(request, tmp_path):
    """A bureau with a month of another federation, which is given up."""
    made = Bureau(request.param, tmp_path / "bureau")
    made.python("from accounts.models import User; User.objects.create_user('somebody@example.org')")
    yield made
    made.close()


def test_every_row_and_figure_of_the_first_release_is_there_and_calculated_again(bureau, tmp_path):
    assert "is not empty" in bureau.command("restore", str(FILE), check=False).stderr
    bureau.command("restore", "--replace", str(FILE))
    with zipfile.ZipFile(FILE) as archive:
        tables = json.loads(archive.read("manifest.json"))["tables"]

        def rows(table: str) -> list[dict[str, object]]:
            columns = [column for column, _ in tables[table]["columns"]]
            lines = archive.read(f"rows/{table}.jsonl").splitlines()
            return [dict(zip(columns, json.loads(line), strict=True)) for line in lines]

        assert len(tables) > 50
        for table in tables.keys() - _ADDED_TO:
            count = bureau.value(f"SELECT count(*) FROM {table}")
            assert (table, count) == (table, tables[table]["rows"])
        figures = sorted(tuple(row[name] for name in _NAMES) for row in rows("ratings_rating"))
        assert sorted(bureau.rows(_FIGURES)) == figures
        assert len(figures) > 400
        hashes = {(row["id"], row["input_hash"]) for row in rows("ratings_ratingrun")}
        assert set(bureau.rows("SELECT id, input_hash FROM ratings_ratingrun")) == hashes
        emails = {row["email"] for row in rows("accounts_user")}
        assert {row[0] for row in bureau.rows("SELECT email FROM accounts_user")} == emails
    # What later migrations made of the rows: revisions, activity, readings.
    assert bureau.value("SELECT count(*) FROM ratings_revision") == tables["ratings_publishedrun"]["rows"]
    assert bureau.value("SELECT count(*) FROM ratings_activity") > 100
    assert bureau.value("SELECT count(*) FROM events_readings") == 1
    proved = bureau.command("verify", "--begin", check=False)
    assert proved.returncode == 0, proved.stderr
    assert proved.stdout.count("is what was published") == tables["ratings_publishedrun"]["rows"]
    bureau.command("migrate", "--check")
    assert bureau.value("SELECT count(*) FROM accounts_user WHERE email = 'somebody@example.org'") == 0
    assert not list(bureau.folder.glob("*.restoring*"))
    # A new database is made by the squashed migrations, an older one by the steps that they replace.
    new = Bureau(bureau.kind, tmp_path / "new")
    try:
        assert _schema(bureau) ^ _schema(new) == set()
        for table in ("players_title", "events_readings", "accounts_retention"):
            assert set(bureau.rows(f"SELECT * FROM {table}")) == set(new.rows(f"SELECT * FROM {table}")), table
        applied = "SELECT app, name FROM django_migrations"
        assert set(bureau.rows(applied)) == set(new.rows(applied))
    finally:
        new.close()
