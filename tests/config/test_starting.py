"""What stands in the way of a command is said in one line with what to do, never as a traceback."""

import contextlib
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from tests import forked, prepared
from tests.faults.bureau import free_port, is_open

ROOT = Path(__file__).resolve().parent.parent.parent


def start(*words, var, **env):
    return subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=_surroundings(var, env),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def refused(*words, var, **env):
    """The one line on standard error of a command that ends with status 1."""
    done = forked.run(["manage.py", *words], _surroundings(var, env))
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    (line,) = done.stderr.strip().splitlines()
    return line


def _surroundings(var, env):
    return {"PATH": os.environ["PATH"], "VAR_DIR": str(var), **env}


def answers(port: int) -> None:
    for _ in range(3000):
        if is_open(port):
            return
        time.sleep(0.1)
    pytest.fail("it does not answer")


@pytest.mark.parametrize(
    ("env", "line"),
    [
        (
            {"RUN_LEASE_SECONDS": "abc"},
            "RUN_LEASE_SECONDS=abc is no whole number: give one, as RUN_LEASE_SECONDS=120",
        ),
        ({"RESCUE_SECONDS": "0"}, "RESCUE_SECONDS=0 is no whole number: give one, as RESCUE_SECONDS=30"),
        (
            {"DATABASE_URL": "nonsense"},
            "DATABASE_URL cannot be read: write it as postgres://user:password@localhost:5432/bureau",
        ),
        (
            {"DATABASE_URL": "postgres://bureau:secret@localhost:port/x"},
            "DATABASE_URL cannot be read: write it as postgres://user:password@localhost:5432/bureau",
        ),
        ({"REDIS_URL": "localhost"}, "REDIS_URL cannot be read: write it as redis://localhost:6379/0"),
        (
            {"EMAIL_URL": "mail.example.org"},
            "EMAIL_URL cannot be read: write it as smtp+tls://user:password@mail.example.org:587",
        ),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL=LOUD is none: choose one of "),
    ],
)
def test_a_variable_that_cannot_be_meant(tmp_path, env, line):
    assert refused("serve", var=tmp_path, **env).startswith(line)
    assert not (tmp_path / "bureau.sqlite3").exists()


@pytest.mark.parametrize("words", [("check", "--list-tags"), ("help",), ("restore", "--help"), ("migrate", "--plan")])
def test_a_command_whose_reader_has_gone_ends_quietly(tmp_path, words):
    """As with `| head`, which closes its end when it has read enough."""
    with start(*words, var=tmp_path) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_a_word_that_a_command_does_not_take(tmp_path):
    assert refused("correct", "abc", "--help-me", var=tmp_path) == (
        "manage.py correct: argument section: invalid int value: 'abc'. “manage.py correct --help” says what it takes."
    )
    assert refused("rerate", var=tmp_path).startswith(
        "manage.py rerate: the following arguments are required: month, --reason."
    )


def test_a_port_that_is_left_empty_is_not_given(tmp_path):
    with socket.socket() as listener:
        with contextlib.suppress(OSError):  # somebody else has it: the answer is the same
            listener.bind(("127.0.0.1", 8000))
        listener.listen()
        assert "port 8000 cannot be had" in refused("serve", var=tmp_path, PORT="")


def test_a_folder_that_cannot_be_had(tmp_path):
    (tmp_path / "file").touch()
    for var in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/bureau")):
        line = refused("serve", var=var)
        assert line.startswith(f"The folder {var} cannot be used (")
        assert line.endswith("): choose another, as VAR_DIR=/tmp/bureau")


@pytest.mark.parametrize("words", [("periods",), ("calculate", "2024-03"), ("export_period", "2024-03")])
def test_a_database_without_tables(tmp_path, words):
    line = refused(*words, var=tmp_path)
    assert line == "The database lacks tables or columns of this program: run “manage.py migrate” first"


def test_a_word_that_is_not_utf_8(tmp_path):
    process = subprocess.run(
        [sys.executable, "manage.py", "merge", b"a\xff", "100000001"],
        cwd=ROOT, env=_surroundings(tmp_path, {}), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == "'a\\udcff' is not written in UTF-8. Write it so.\n"


def test_a_database_with_tables_of_no_release(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "bureau.sqlite3")) as database:
        database.execute("CREATE TABLE players_player (name text)")
    line = refused("migrate", "-v0", var=tmp_path)
    assert line.startswith("The tables are those of no release, or changed by hand (")
    assert line.endswith('"players_player" already exists). Restore a back-up into a new database')


@pytest.mark.parametrize("command", ["periods", "migrate", "serve"])
def test_a_database_that_is_damaged(tmp_path, command):
    (tmp_path / "bureau.sqlite3").write_bytes(b"no database" * 1000)
    line = refused(command, var=tmp_path, PORT=str(free_port()))
    assert line == (
        "The database is damaged (file is not a database). Restore a back-up of it: “restore --replace FILE”"
    )


@pytest.mark.parametrize("command", ["periods", "serve"])
def test_a_database_server_that_does_not_run(tmp_path, command):
    line = refused(
        command, var=tmp_path, DATABASE_URL=f"postgres://bureau@127.0.0.1:{free_port()}/bureau", PORT=str(free_port())
    )
    assert line.startswith("The database cannot be opened (connection failed")
    assert line.endswith("). Start its server, or correct DATABASE_URL (without it: VAR_DIR)")


def test_an_error_of_the_program_keeps_its_traceback(tmp_path):
    process = start("periods", "--traceback", var=tmp_path)
    assert "Traceback" in process.communicate(timeout=300)[1]


@pytest.mark.parametrize(
    ("made", "seconds"), [("secret_key", 0), ("bureau.sqlite3", 0.5), ("static", 0), ("static", 3)]
)
def test_ctrl_c_in_the_first_start_is_quiet(tmp_path, made, seconds):
    """While settings are read, tables are made, style sheets are copied, the demonstration is loaded."""
    if made == "static":
        shutil.copy(prepared.sqlite(), tmp_path)  # all tables, which take longest, and no rows
    process = start("serve", "--demo", var=tmp_path, PORT=str(free_port()))
    while not (tmp_path / made).exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=300)[1]
    assert process.returncode == 130
    assert said.strip() == "Stopped."


def test_two_first_starts_in_one_folder_wait_for_one_another(tmp_path):
    """Of the tables one is to be made by the first that comes; all of them would take longer than the rest of this."""
    shutil.copy(prepared.sqlite(), tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "bureau.sqlite3", isolation_level=None)) as database:
        database.execute("DROP TABLE django_session")
        database.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    ports = [free_port(), free_port()]
    starts = [start("serve", var=tmp_path, PORT=str(port)) for port in ports]
    try:
        for port in ports:
            answers(port)
    finally:
        for process in starts:
            process.send_signal(signal.SIGTERM)
        said = [process.communicate(timeout=300) for process in starts]
    assert "Traceback" not in said[0][1] + said[1][1]
    assert any(f"Another start is preparing {tmp_path}; waiting" in out for out, _ in said)
    with contextlib.closing(sqlite3.connect(tmp_path / "bureau.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM django_session").fetchone() == (0,)


COLLECTED = (
    "import django; django.setup(); from config.management.commands.serve import collect_static; collect_static()"
)


def test_a_further_start_leaves_the_static_files_that_another_reads(tmp_path):
    """They are collected again where one differs, and where a start was killed before it had all."""
    static = shutil.copytree(prepared.static(), tmp_path / "static")

    def files():
        return {path: path.stat().st_mtime_ns for path in static.rglob("*") if path.is_file()}

    def collected():
        surroundings = _surroundings(tmp_path, {"DJANGO_SETTINGS_MODULE": "config.settings"})
        done = forked.run(["-c", COLLECTED], surroundings)
        assert done.returncode == 0, done.stderr
        return files()

    first = files()
    assert collected() == first

    (static / "staticfiles.json").unlink()
    assert collected().keys() == first.keys()

    changed = min(static.glob("**/*.css"), key=lambda path: len(str(path)))
    whole = changed.read_bytes()
    changed.write_text("half")
    os.utime(changed, (0, 0))
    collected()
    assert changed.read_bytes() == whole


def test_mails_link_to_the_address_that_is_served_and_not_to_the_host_that_a_request_names(tmp_path):
    port = free_port()
    site, mails = f"http://127.0.0.1:{port}", tmp_path / "mails"
    shutil.copy(prepared.sqlite(), tmp_path)
    process = start("serve", var=tmp_path, PORT=str(port), EMAIL_URL=f"filemail://{mails}")
    try:
        lines = iter(process.stdout.readline, "")
        assert any("is open at" in line for line in lines)
        account = start("createsuperuser", "--noinput", "--email", "thandi@example.org", var=tmp_path)
        account.communicate(timeout=300)
        assert account.returncode == 0
        browser = build_opener(HTTPCookieProcessor())
        page = browser.open(f"{site}/account/reset/").read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        fields = urlencode({"csrfmiddlewaretoken": token, "email": "thandi@example.org"}).encode()
        browser.open(Request(f"{site}/account/reset/", fields, {"Host": "localhost"}))
        deadline = time.monotonic() + 60
        while not (found := list(mails.glob("*"))):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        time.sleep(0.5)
        assert f"\n{site}/account/reset/" in found[0].read_text()
        assert "localhost" not in found[0].read_text().partition("\n\n")[2]
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=300)


def test_workers_and_commands_begin_without_the_pages(tmp_path):
    """They load in half the time: a command of a second is not kept waiting for forms that it never shows."""
    program = "import django, sys; django.setup(); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name for name in done.stdout.split() if name.startswith(("accounts.", "players.", "events.", "ratings."))}
    assert "ratings.models" in loaded
    assert {name for name in loaded if name.endswith((".admin", ".views"))} == set()
