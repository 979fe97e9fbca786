"""A back-up holds everything of one moment; a bureau made from it goes on to the same bits, on either database."""

import fcntl
import hashlib
import json
import os
import sqlite3
import zipfile
from contextlib import ExitStack, closing
from datetime import datetime, timedelta, timezone
from pathlib import Path

import psycopg
import pytest

from config.backup.archive import BackupError, Manifest, Table, reading, writing
from config.backup.making import backed_up_models, kind_of
from config.backup.restoring import files_beside, keep_files, restore_backup
from config.backup.values import KINDS, from_json, to_json
from tests.faults.bureau import Bureau
from tests.faults.month import EVERYTHING, at_stage, backed_up, everything


@pytest.fixture
def bureau(tmp_path):
    """Make bureaus of a kind, at a stage of the month or empty."""
    made = []

    def make(kind: str, stage: str = "") -> Bureau:
        made.append(Bureau(kind, tmp_path / f"bureau{len(made)}", at_stage(kind, stage)))
        return made[-1]

    yield make
    for each in made:
        each.close()


def refusal(bureau: Bureau, *words: str) -> str:
    done = bureau.command(*words, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("embedded", "embedded"),
        pytest.param("embedded", "servers", marks=pytest.mark.servers),
        pytest.param("servers", "embedded", marks=pytest.mark.servers),
    ],
)
def test_a_restored_bureau_has_every_row_and_publishes_the_same_bits(bureau, tmp_path, source, target):
    first, second, file = bureau(source, "calculated"), bureau(target), tmp_path / "bureau.zip"
    (first.folder / "secret_key").write_text("a key of fifty characters that nobody else could guess")
    first.command("backup", str(file))
    second.command("restore", str(file))
    assert second.python(EVERYTHING) == everything(source, "calculated")
    assert (second.folder / "secret_key").read_bytes() == (first.folder / "secret_key").read_bytes()
    for each in (first, second):
        each.command("publish", "2024-03")
    assert second.figures() == first.figures()
    assert len(first.figures()) > 1000
    assert second.command("verify").returncode == 0
    # Keys go on after those that were given out, and the database's own triggers are there.
    count = "SELECT count(*) FROM accounts_decision"
    assert second.value(count) == first.value(count)
    with pytest.raises((sqlite3.DatabaseError, psycopg.DatabaseError), match="only added"):
        second.rows("DELETE FROM accounts_decision")


def test_a_damaged_back_up_or_one_of_a_later_release_is_refused_and_changes_nothing(bureau, tmp_path):
    file, target = backed_up("embedded", "accepted"), bureau("embedded", "calculated")
    before = (target.folder / "bureau.sqlite3").read_bytes()
    content = file.read_bytes()

    cut, flipped, other, later = (tmp_path / f"{name}.zip" for name in ("cut", "flipped", "other", "later"))
    cut.write_bytes(content[: len(content) // 2])
    flipped.write_bytes(
        content[: len(content) // 3] + bytes([content[len(content) // 3] ^ 1]) + content[len(content) // 3 + 1 :]
    )
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("a.txt", "a text")
    _with_manifest(file, of_another_format := tmp_path / "format.zip", lambda manifest: manifest.update(format=2))
    _with_manifest(file, later, lambda manifest: manifest["migrations"].append(["ratings", "9999_later"]))
    fewer = tmp_path / "fewer.zip"
    _with_manifest(file, fewer, lambda manifest: manifest["tables"]["events_game"].update(rows=7))
    empty = bureau("embedded")
    said = refusal(empty, "restore", str(fewer))
    assert "events_game has" in said
    assert "Nothing was changed" in said
    assert "Traceback" not in said
    assert empty.value("SELECT count(*) FROM players_player") == 0
    reasons = {
        cut: "is not a back-up of a bureau, or is damaged",
        flipped: "damaged",
        other: "it has no manifest",
        of_another_format: "has format 2",
        later: "ratings.9999_later",
        tmp_path / "none.zip": "there is no file",
    }
    refusals = target.python(f"""
from io import StringIO
from django.core.management import CommandError, call_command
for path in {list(map(str, reasons))}:
    try:
        call_command("restore", path, replace=True, stdout=StringIO())
    except CommandError as error:
        print(error)
""").splitlines()
    for said, why in zip(refusals, reasons.values(), strict=True):
        assert why in said
        assert "Nothing was changed" in said
    assert "is not empty" in refusal(target, "restore", str(file))
    assert (target.folder / "bureau.sqlite3").read_bytes() == before
    assert "is there already" in refusal(target, "backup", str(file))


def test_a_back_up_of_a_release_before_the_migrations_were_squashed_is_restored(bureau, tmp_path):
    file, earlier = backed_up("embedded", "accepted"), tmp_path / "earlier.zip"

    def without_squashed(manifest):
        manifest["migrations"] = [row for row in manifest["migrations"] if "_squashed_" not in row[1]]

    _with_manifest(file, earlier, without_squashed)
    target = bureau("embedded")
    target.command("restore", str(earlier))
    assert target.python(EVERYTHING) == everything("embedded", "accepted")
    applied = "SELECT app, name FROM django_migrations"
    assert set(target.rows(applied)) == set(bureau("embedded").rows(applied))


def test_of_two_back_ups_of_one_name_that_are_made_at_once_the_first_is_there_whole(tmp_path):
    file, manifest = tmp_path / "bureau.zip", Manifest("2024-03-01T08:00:00+00:00", "sqlite", [])
    with ExitStack() as late:
        late.enter_context(writing(file, manifest)).add_file("secret_key", b"begun first")
        with writing(file, Manifest("2024-03-01T08:00:01+00:00", "sqlite", [])) as early:
            early.add_file("secret_key", b"made first")
        with pytest.raises(BackupError, match="is there already"):
            late.close()
    with reading(file) as backup:
        assert backup.file("secret_key") == b"made first"
    assert list(tmp_path.iterdir()) == [file]


def test_whichever_bit_of_a_back_up_is_damaged_it_is_refused_or_read_as_it_was(tmp_path):
    """Every bit of the directory and end of the zip, and some of its contents."""
    file, damaged = tmp_path / "bureau.zip", tmp_path / "damaged.zip"
    rows = [[number, f"Naledi {number}"] for number in range(20)]
    with writing(file, Manifest("2024-03-01T08:00:00+00:00", "sqlite", [["ratings", "0001_initial"]])) as backup:
        backup.add_table("players_player", Table([["id", "number"], ["name", "text"]]), rows)
        backup.add_file("secret_key", b"a key")
    content = bytearray(file.read_bytes())
    directory = content.find(b"PK\x01\x02")
    places = [(place, place % 8) for place in range(0, directory, 3)]
    places += [(place, bit) for place in range(directory, len(content)) for bit in range(8)]
    refusals = []
    for place, bit in places:
        content[place] ^= 1 << bit
        damaged.write_bytes(content)
        content[place] ^= 1 << bit
        try:
            with reading(damaged) as backup:
                assert list(backup.rows("players_player")) == rows
                assert backup.file("secret_key") == b"a key"
        except BackupError as error:
            refusals.append(str(error))
    assert len(refusals) > len(places) / 2
    assert all(text.endswith("Nothing was changed") for text in refusals)


@pytest.mark.parametrize(("stage", "pages"), [("", 520), ("accepted", 300), ("accepted", 540)])
def test_without_room_for_a_back_up_it_is_said_and_nothing_is_changed(bureau, tmp_path, stage, pages):
    """SQLite has room for so many pages: for the tables, or a part of the rows."""
    file, target = backed_up("embedded", "calculated"), bureau("embedded", stage)
    before = everything("embedded", stage)
    said = target.python(f"""
from django.core.management import CommandError, call_command
from django.db.backends.signals import connection_created
def limit(connection, **_):
    connection.connection.execute("PRAGMA max_page_count = {pages}")
connection_created.connect(limit)
try:
    call_command("restore", {str(file)!r}, replace=True)
except CommandError as error:
    print(error)
""")
    assert said.splitlines()[-1] == "the disk of the database is full: make room. Nothing was changed"
    assert target.python(EVERYTHING) == before


@pytest.mark.servers
def test_without_room_on_postgresql_it_is_said_and_nothing_is_changed(bureau, tmp_path):
    file, target = backed_up("embedded", "calculated"), bureau("servers", "accepted")
    with closing(target.connect()) as connection:
        connection.execute(
            "CREATE FUNCTION no_room() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION"
            " 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$"
        )
        connection.execute(
            "CREATE EVENT TRIGGER no_room ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION no_room()"
        )
    said = refusal(target, "restore", "--replace", str(file))
    assert said.endswith("CommandError: the disk of the database is full: make room. Nothing was changed\n"), said
    assert target.python(EVERYTHING) == everything("servers", "accepted")


@pytest.mark.django_db
def test_the_folder_of_the_site_is_made_if_there_is_none(settings, tmp_path):
    """As where a back-up is rehearsed: with PostgreSQL, Redis and a SECRET_KEY nothing else makes it."""
    file, settings.VAR_DIR = tmp_path / "bureau.zip", tmp_path / "elsewhere" / "bureau"
    with writing(file, Manifest("2024-03-01T08:00:00+00:00", "sqlite", [["ratings", "9999_later"]])) as backup:
        backup.add_file("secret_key", b"a key")
    with pytest.raises(BackupError, match="a later release"):
        restore_backup(file, replace=False, say=print)
    assert not settings.VAR_DIR.exists()
    with reading(file) as backup, files_beside(backup) as halves:
        keep_files(halves)
    kept = settings.VAR_DIR / "secret_key"
    assert kept.read_bytes() == b"a key"
    assert [path.stat().st_mode & 0o777 for path in (settings.VAR_DIR, kept)] == [0o700, 0o600]


@pytest.mark.django_db
def test_a_folder_of_the_site_that_cannot_be_used_is_named_and_nothing_is_changed(settings, tmp_path):
    file, settings.VAR_DIR = tmp_path / "bureau.zip", tmp_path / "bureau.zip" / "inside"
    with writing(file, Manifest("2024-03-01T08:00:00+00:00", "sqlite", [])):
        pass
    with pytest.raises(BackupError, match=r"inside cannot be used .* Nothing was changed"):
        restore_backup(file, replace=False, say=print)


def test_while_the_site_is_connected_nothing_is_restored(bureau, tmp_path):
    file, target = backed_up("embedded", "accepted"), bureau("embedded")
    with closing(sqlite3.connect(target.folder / "bureau.sqlite3")) as other:
        other.execute("SELECT count(*) FROM players_player").fetchone()
        said = refusal(target, "restore", str(file))
    assert "the site is running" in said
    assert "Nothing was changed" in said
    target.command("restore", str(file))
    assert target.python(EVERYTHING) == everything("embedded", "accepted")


def test_while_another_one_is_restored_nothing_is_restored(bureau, tmp_path):
    """Both would make the new database, and the files that are kept, in one place."""
    file, target = backed_up("embedded", "accepted"), bureau("embedded", "accepted")
    half = target.folder / "secret_key.restoring"
    half.write_text("of the other one")
    lock = os.open(target.folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    said = refusal(target, "restore", "--replace", str(file))
    os.close(lock)
    assert "another restore is under way: wait for its end. Nothing was changed" in said
    assert half.read_text() == "of the other one"
    target.command("restore", "--replace", str(file))


@pytest.mark.servers
def test_a_restore_never_leaves_the_server_so_that_one_from_another_folder_could_begin(bureau):
    """It would drop the half of the first, which puts in the place of the database what is there by then."""
    file, target = backed_up("embedded", "accepted"), bureau("servers", "calculated")
    code = f"""
from pathlib import Path
from django.db import connection
from config.backup import restoring
held = []
def say(line):
    if not held and connection.connection is not None:
        held.append(connection.connection)
def keep_files(halves):
    print(connection.connection is held[0] and not held[0].closed)
restoring.keep_files = keep_files
restoring.restore_backup(Path({str(file)!r}), replace=True, say=say, before_replacing=lambda: say(""))
"""
    assert target.python(code) == "True\n"


def test_a_value_that_the_database_does_not_hold_is_told_with_its_table(bureau, tmp_path):
    file, wrong = backed_up("embedded", "accepted"), tmp_path / "wrong.zip"
    _with_manifest(file, wrong, lambda manifest: manifest["tables"]["events_section"]["columns"].pop())
    said = refusal(bureau("embedded"), "restore", str(wrong))
    assert "the back-up does not fit its release, in events_section: " in said
    assert "Nothing was changed" in said


@pytest.mark.parametrize("kind", ["embedded", pytest.param("servers", marks=pytest.mark.servers)])
def test_a_site_that_is_started_while_a_back_up_is_restored_keeps_its_database(bureau, tmp_path, kind):
    file, target = backed_up("embedded", "accepted"), bureau(kind, "calculated")
    code = f"""
from pathlib import Path
from django.db import connection
from config.backup.archive import BackupError
from config.backup.restoring import restore_backup
place, others = connection.settings_dict.copy(), []
def say(line):
    if line.startswith("players_player:") and not others:
        other = connection.copy()
        other.settings_dict.update(NAME=place["NAME"], OPTIONS=place["OPTIONS"])
        other.cursor().execute("SELECT count(*) FROM players_player")
        others.append(other)
try:
    restore_backup(Path({str(file)!r}), replace=True, say=say)
except BackupError as error:
    print(error)
print(len(others))
"""
    said = target.python(code)
    assert said.startswith("the site is running")
    assert said.endswith("Nothing was changed\n1\n")
    assert target.python(EVERYTHING) == everything(kind, "calculated")


@pytest.mark.parametrize("kind", ["embedded", pytest.param("servers", marks=pytest.mark.servers)])
@pytest.mark.parametrize("stage", ["", "calculated"])  # into its tables, and beside them
def test_a_restore_that_is_killed_leaves_no_database_without_its_triggers(bureau, tmp_path, kind, stage):
    source, target = bureau("embedded", "accepted"), bureau(kind, stage)
    file = backed_up("embedded", "accepted")
    code = f"""
import os
from pathlib import Path
from config.backup import restoring
restoring.keep_files = lambda halves: os._exit(0)  # as a SIGKILL at this moment
restoring.restore_backup(Path({str(file)!r}), replace=True, say=lambda line: None)
"""
    assert target.python(code) == ""
    assert target.value("SELECT count(*) FROM events_game") == source.value("SELECT count(*) FROM events_game")
    kept = """
from django.db import DatabaseError
from django.utils import timezone
from accounts.models import Decision
from accounts.trail.operations import record
from config.models import TableVersion
from players.models import Player
before = TableVersion.objects.get(table_name="players_player").version
Player.objects.update(club="x")
print(TableVersion.objects.get(table_name="players_player").version != before)
record("changed", Player.objects.first(), at=timezone.now(), by=None)
try:
    Decision.objects.update(reason="x")
except DatabaseError as error:
    print(error)
"""
    assert target.python(kept).splitlines() == ["True", "decisions are only added, never changed or deleted"]


def test_what_is_written_meanwhile_is_not_half_in_it(bureau, tmp_path):
    """A writer is not held up, and what he writes after the moment of the back-up is not in it."""
    source, file = bureau("embedded", "accepted"), tmp_path / "bureau.zip"
    code = f"""
import sqlite3
from pathlib import Path
from django.utils import timezone
from config.backup.making import make_backup
def say(line):
    if line.startswith("accounts_user:"):
        other = sqlite3.connect(Path({str(source.folder)!r}) / "bureau.sqlite3", timeout=1)
        other.execute("DELETE FROM events_game WHERE id % 2 = 0")
        other.commit()
print(make_backup(Path({str(file)!r}), at=timezone.now(), say=say).tables["events_game"].rows)
"""
    games = source.value("SELECT count(*) FROM events_game")
    assert int(source.python(code)) == games
    assert source.value("SELECT count(*) FROM events_game") < games


FILES = """
from django.utils import timezone
from ratings.models import ImportJob
from ratings.moving_in.jobs.operations import create_job
create_job(ImportJob.Kind.FIDE, filename="a", chunks=[bytes(1_000_000)] * 120, at=timezone.now(), by=None)
"""
MEMORY = """
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from django.utils import timezone
from config.backup.making import make_backup
used = getrusage(RUSAGE_SELF).ru_maxrss
make_backup(Path("{path}"), at=timezone.now(), say=str)
print((getrusage(RUSAGE_SELF).ru_maxrss - used) // 1000)
"""


@pytest.mark.parametrize("kind", ["embedded", pytest.param("servers", marks=pytest.mark.servers)])
def test_few_of_the_files_are_in_memory_at_once(bureau, tmp_path, kind):
    """Those for download of some years would take gigabytes."""
    full = bureau(kind)
    full.python(FILES)
    assert int(full.python(MEMORY.format(path=tmp_path / "b.zip"))) < 80  # megabytes


def test_every_field_has_a_kind_that_back_ups_know():
    kinds = {
        kind_of(field) for model in backed_up_models() for field in model._meta.local_concrete_fields if field.column
    }
    assert kinds <= set(KINDS.values())


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("float", 1.1e-7),
        ("float", float("inf")),
        ("bytes", b"\x00\xff"),
        ("flag", True),
        ("decimal", 1500.0000000000002),
    ],
)
def test_a_value_comes_back_as_it_was(vendor, kind, value):
    write, read = to_json(kind), from_json(kind, vendor)
    kept = json.loads(json.dumps(write(value)))
    back = read(kept) if read else kept
    assert float(back) == value if kind == "decimal" else back == value


@pytest.mark.parametrize(
    "value",
    [
        datetime(2024, 4, 1, 10, 0, 0, 500000, tzinfo=timezone(timedelta(hours=2))),
        "2024-04-01 08:00:00.500000",
        "2024-04-01 08:00:00.500000+00:00",
    ],
)
def test_a_moment_is_in_utc_whatever_the_database_has(value):
    assert to_json("time")(value) == "2024-04-01 08:00:00.500000"


def _with_manifest(source: Path, target: Path, change) -> None:
    """A back-up whose manifest says something else, with checksums that are right."""
    with zipfile.ZipFile(source) as read, zipfile.ZipFile(target, "w") as write:
        manifest = json.loads(read.read("manifest.json"))
        change(manifest)
        text = json.dumps(manifest)
        for name in read.namelist():
            content = {
                "manifest.json": text.encode(),
                "manifest.sha256": hashlib.sha256(text.encode()).hexdigest().encode(),
            }
            write.writestr(name, content.get(name, read.read(name)))
