"""A bureau of the first migrations comes to this release without loss.

`initial.zip` is a back-up of a small demonstration federation, made by the release that had the first migration of each app
(and `players.0002`, `ratings.0002`) and no other. Every person in it is invented.
"""

import json
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
_NAMES = ("player_id", "list_id", "run_id", "rank", "position", "published", "raw", "window_sum")


@pytest.fixture(params=KINDS)
def bureau(request, tmp_path):
    """A bureau with a month of another federation, which is given up."""
    made = Bureau(request.param, tmp_path / "bureau")
    made.python("from accounts.models import User; User.objects.create_user('somebody@example.org')")
    yield made
    made.close()


def test_every_row_and_figure_of_the_first_release_is_there_and_calculated_again(bureau):
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
