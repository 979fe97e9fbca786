"""From file to published list with nothing but files: the commands on SQLite, with their exit status and their messages."""

import pytest

from tests.builders import open_file
from tests.faults.bureau import Bureau

TABLES = """
    SELECT (SELECT count(*) FROM players_player), (SELECT count(*) FROM events_event), (SELECT count(*) FROM events_game),
           (SELECT count(*) FROM events_submittedfile), (SELECT count(*) FROM ratings_ratingrun),
           (SELECT count(*) FROM ratings_rating), (SELECT count(*) FROM events_ratingperiod)
"""


@pytest.fixture(scope="module")
def bureau(tmp_path_factory):
    found = Bureau("embedded", tmp_path_factory.mktemp("embedded"))
    yield found
    found.close()


def refused(bureau, *words):
    """What a refused command says: one line on standard error, status 1, nothing changed."""
    before = bureau.rows(TABLES)
    done = bureau.command(*words, check=False)
    assert done.returncode == 1
    assert bureau.rows(TABLES) == before
    (line,) = done.stderr.splitlines()
    assert line.startswith("CommandError: ")
    return line


def test_from_file_to_published_list(bureau, tmp_path):
    path = tmp_path / "open.txt"
    path.write_bytes(open_file())
    submit = ("submit", str(path), "--region", "GAU", "--base", "90", "--increment", "30")
    assert "1 error to correct, nothing was saved; first: Lines 10–15: 6 players are not on the register" in refused(
        bureau, *submit
    )
    assert "there is nothing to calculate in 2024-03" in refused(bureau, "calculate", "2024-03")
    assert (
        "accepted for 2024-03"
        in bureau.command(
            *submit, "--create-players", "--accept", "--late-reason", "a test", "--reason", "a test"
        ).stdout
    )
    assert bureau.rows(TABLES) == [(6, 1, 15, 1, 0, 0, 1)]
    assert "This very file was submitted before" in refused(bureau, *submit, "--create-players")
    assert "2024-03 has not been calculated" in refused(bureau, "publish", "2024-03")
    assert bureau.command("calculate", "2024-03").stdout == "2024-03 calculated: 1 section, 15 games, 6 rated players\n"
    assert bureau.command("publish", "2024-03").stdout == "2024-03 published\n"
    assert bureau.rows(TABLES) == [(6, 1, 15, 1, 1, 12, 2)]
    assert bureau.rows("SELECT state FROM events_event") == [("published",)]
