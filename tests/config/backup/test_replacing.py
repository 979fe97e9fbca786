"""A database is given up for a back-up: the key comes with the rows or both stay, and who was erased or hidden is not
forgotten."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults.bureau import KINDS, ROOT, Bureau
from tests.faults.month import EVERYTHING

PLAYERS = """
from tests.events.submission.world import known
known()
"""
# One is erased, one hidden, the erasure of one asked for: prints name, number, number and a line of the list about another.
SINCE = """
import json
from django.utils import timezone
from players.models import Player
from players.operations import hide_player
from ratings.personal_data.erasure.hindrances import hindrance
from ratings.personal_data.erasure.jobs import ask_for_erasure
from ratings.personal_data.erasure.operations import erase_player
erased, hidden, asked = [player for player in Player.objects.order_by("-pk") if not hindrance(player)][:3]
print(erased.last_name, hidden.number, asked.number)
hide_player(hidden, since=timezone.localdate(), at=timezone.now(), by=None, reason="His parents asked.")
erase_player(erased, at=timezone.now(), by=None, reason="He asked.")
ask_for_erasure(asked, at=timezone.now(), by=None, reason="He asked.")
print(json.dumps({"player": 7_000_001, "pseudonym": "Xylander", "at": timezone.now().isoformat(), "rows": {}}))
"""


@pytest.fixture(params=KINDS)
def bureau(request, tmp_path):
    """A bureau with some players, and a key."""
    made = Bureau(request.param, tmp_path / "bureau")
    made.python(PLAYERS)
    (made.folder / "secret_key").write_text("a key of fifty characters that nobody else could guess")
    yield made
    made.close()


def test_who_was_erased_or_hidden_since_the_back_up_is_so_again_and_an_erasure_that_waited_is_named(bureau, tmp_path):
    """Though the night's list was written before it; of a list that is there nothing is lost."""
    file, listed = tmp_path / "bureau.zip", tmp_path / "erasures.jsonl"
    bureau.command("backup", str(file))
    said, others = bureau.python(SINCE).splitlines()
    name, hidden, asked = said.split()
    listed.write_text(of_before := others + "\n")
    done = bureau.command("restore", "--replace", str(file))
    assert f"until now, is in {listed}: before the site is up, “erasures --again {listed}”" in done.stdout
    assert listed.read_text().startswith(of_before)
    has_name = f"SELECT count(*) FROM players_player WHERE last_name = '{name}' AND erased_at IS NULL"
    is_hidden = f"SELECT count(*) FROM players_player WHERE number = '{hidden}' AND hidden_since IS NOT NULL"
    assert (bureau.value(has_name), bureau.value(is_hidden)) == (1, 0)
    again = bureau.command("erasures", "--again", str(listed), check=False)
    assert (again.returncode, again.stdout) == (1, "1 player erased again\n1 player hidden again\n")
    assert f"the erasure of {asked} was asked for on" in again.stderr
    assert (bureau.value(has_name), bureau.value(is_hidden)) == (0, 1)


@pytest.mark.parametrize("bureau", [KINDS[0]], indirect=True)  # what it writes is not the database's
def test_where_nobody_is_erased_no_list_is_written_or_named(bureau, tmp_path):
    file = tmp_path / "bureau.zip"
    bureau.command("backup", str(file))
    assert "erasures" not in bureau.command("restore", "--replace", str(file)).stdout
    assert list(tmp_path.glob("*.jsonl")) == []


def test_if_the_list_cannot_be_written_nothing_is_changed(bureau, tmp_path):
    file = tmp_path / "bureau.zip"
    bureau.command("backup", str(file))
    bureau.python(SINCE)
    before = bureau.python(EVERYTHING)
    (tmp_path / "erasures.jsonl.part").mkdir()
    done = bureau.command("restore", "--replace", str(file), check=False)
    assert done.returncode == 1
    assert "erasures.jsonl cannot be written: Is a directory: it is to name" in done.stderr
    assert done.stderr.endswith("Nothing was changed\n")
    assert bureau.python(EVERYTHING) == before


def test_a_database_of_which_nobody_can_tell_is_replaced_all_the_same(bureau, tmp_path):
    """One that an upgrade has left halfway, for one; the operator is told."""
    file = tmp_path / "bureau.zip"
    bureau.command("backup", str(file))
    with closing(bureau.connect()) as connection:
        connection.execute("ALTER TABLE players_player RENAME COLUMN erased_at TO erased_when")
    done = bureau.command("restore", "--replace", str(file))
    assert "whose data is erased in the database that is given up cannot be read" in done.stderr
    assert bureau.value("SELECT count(*) FROM players_player WHERE erased_at IS NULL") > 0


@pytest.mark.parametrize("bureau", [KINDS[0]], indirect=True)
def test_a_file_of_sqlite_that_cannot_be_read_is_replaced(bureau, tmp_path):
    """Of a later version of SQLite, as far as its head tells; so is one that the disk cannot read."""
    file, place = tmp_path / "bureau.zip", bureau.folder / "bureau.sqlite3"
    bureau.command("backup", str(file))
    before, content = bureau.python(EVERYTHING), place.read_bytes()
    place.write_bytes(content[:44] + bytes([0, 0, 0, 9]) + content[48:])
    done = bureau.command("restore", "--replace", str(file))
    assert "cannot be read (unsupported file format)" in done.stderr
    assert bureau.python(EVERYTHING) == before


@pytest.mark.parametrize("bureau", [KINDS[0]], indirect=True)
def test_a_back_up_of_a_damaged_file_of_sqlite_says_so(bureau, tmp_path):
    place = bureau.folder / "bureau.sqlite3"
    with closing(bureau.connect()) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'players_player'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = place.read_bytes()
    place.write_bytes(content[: (root - 1) * size] + b"\xff" * size + content[root * size :])
    refused = bureau.command("backup", str(tmp_path / "bureau.zip"), check=False)
    assert "The database is damaged (" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (tmp_path / "bureau.zip").exists()


@pytest.mark.parametrize("damage", ["all", "head", "middle", "end"])
@pytest.mark.parametrize("bureau", [KINDS[0]], indirect=True)
def test_a_damaged_file_of_sqlite_is_replaced(bureau, tmp_path, damage):
    file, place = tmp_path / "bureau.zip", bureau.folder / "bureau.sqlite3"
    bureau.command("backup", str(file))
    before, content = bureau.python(EVERYTHING), place.read_bytes()
    middle = len(content) // 2
    place.write_bytes(
        {
            "all": b"no database",
            "head": b"x" * 4096 + content[4096:],
            "middle": content[:8192] + b"\xff" * (middle - 8192) + content[middle:],
            "end": content[:middle],
        }[damage]
    )
    refused = bureau.command("restore", str(file), check=False)
    assert "The database is damaged (" in refused.stderr
    assert "restore --replace" in refused.stderr
    done = bureau.command("restore", "--replace", str(file))
    assert "whose data is erased in the database that is given up cannot be read" in done.stderr
    assert bureau.python(EVERYTHING) == before


# The folder is on a full disk, as far as the key's few bytes can tell.
NO_ROOM = """
import resource, signal
from django.core.management import CommandError, call_command
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
try:
    call_command("restore", {file!r}, replace=True)
except CommandError as error:
    print(error)
"""


def without_room(bureau, file: Path) -> str:
    """What is said to a restore without room on the disk."""
    line = [sys.executable, "-c", "import django; django.setup()\n" + NO_ROOM.format(file=str(file))]
    return subprocess.run(line, cwd=ROOT, env=bureau.env, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("bureau", [KINDS[1]], indirect=True)
def test_without_room_for_the_list_nothing_is_changed_and_no_half_of_it_stays(bureau, tmp_path):
    file = tmp_path / "bureau.zip"
    bureau.command("backup", str(file))
    bureau.python(SINCE)
    before = bureau.python(EVERYTHING)
    assert "erasures.jsonl cannot be written: File too large" in without_room(bureau, file)
    assert bureau.python(EVERYTHING) == before
    assert list(tmp_path.glob("erasures.jsonl*")) == []


@pytest.mark.parametrize("bureau", [KINDS[1]], indirect=True)  # elsewhere the database is on the same disk
def test_without_room_for_the_key_nothing_is_changed(bureau, tmp_path):
    file = tmp_path / "bureau.zip"
    bureau.command("backup", str(file))
    bureau.python("from players.models import Player; Player.objects.update(club='Soweto')")
    (bureau.folder / "secret_key").write_text("the key of since then, with more than fifty characters")
    before = bureau.python(EVERYTHING)
    kept = {path.name for path in bureau.folder.glob("secret_key*")}
    said = without_room(bureau, file)
    assert said.splitlines()[-1].startswith(f"{bureau.folder}/secret_key")
    assert said.endswith("cannot be written: File too large. Nothing was changed\n")
    assert bureau.python(EVERYTHING) == before
    assert (bureau.folder / "secret_key").read_text() == "the key of since then, with more than fifty characters"
    assert {path.name for path in bureau.folder.glob("secret_key*")} == kept
