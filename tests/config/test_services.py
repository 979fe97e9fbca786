"""Where the database and the broker are: servers when their addresses are given, files otherwise."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from string import ascii_letters

import environ
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.services import broker, database, mail, site_url

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def env(monkeypatch):
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    return environ.Env()


def test_without_addresses_everything_lies_in_one_folder(env, tmp_path):
    var = tmp_path / "new" / "var"
    found = database(env, var)
    assert (found["ENGINE"], found["NAME"]) == ("config.sqlite", var / "bureau.sqlite3")
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    for setting in ("journal_mode=WAL", "foreign_keys=ON"):
        assert setting in found["OPTIONS"]["init_command"]
    queue = broker(env, var)
    assert queue["CELERY_BROKER_URL"].startswith("folder://")
    assert Path(queue["CELERY_BROKER_TRANSPORT_OPTIONS"]["data_folder_in"]).is_dir()
    assert Path(queue["CELERY_BROKER_TRANSPORT_OPTIONS"]["data_folder_out"]).is_relative_to(var)


def test_with_addresses_the_servers_are_used(env, tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://bureau:secret@db.example.org:5433/ratings")
    monkeypatch.setenv("REDIS_URL", "redis://queue.example.org:6379/3")
    found = database(env, tmp_path / "var")
    assert (found["ENGINE"], found["NAME"], found["HOST"], found["PORT"], found["USER"], found["PASSWORD"]) == (
        "config.postgresql", "ratings", "db.example.org", 5433, "bureau", "secret",
    )  # fmt: skip
    assert broker(env, tmp_path / "var")["CELERY_BROKER_URL"] == "redis://queue.example.org:6379/3"
    assert not (tmp_path / "var").exists()


@pytest.mark.servers
def test_each_end_finds_that_the_other_is_gone_before_a_lease_ends(db, settings):
    """A machine without power closes no connection: its locks would stay, or who waits for it would wait, for two hours."""
    names = ("keepalives_idle", "keepalives_interval", "keepalives_count", "user_timeout")
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings")
        found = dict(cursor.fetchall())
    server = [int(found[f"tcp_{name}"]) for name in names]
    options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
    with socket.socket(fileno=os.dup(connection.connection.fileno())) as own:
        client = [own.getsockopt(socket.IPPROTO_TCP, option) for option in options]
    assert client == server
    assert int(found["client_connection_check_interval"]) == 10_000  # milliseconds, while a statement is at work
    # Milliseconds: a process that hangs amid a transaction.
    assert int(found["idle_in_transaction_session_timeout"]) <= settings.RUN_LEASE_SECONDS * 1000
    idle, interval, count, unanswered = client
    assert max(idle + interval * count, unanswered / 1000 + interval) < settings.RUN_LEASE_SECONDS


def test_what_the_address_says_of_a_connection_holds(env, monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", "postgres://bureau@db.example.org/ratings?connect_timeout=9&sslmode=require")
    options = database(env, tmp_path)["OPTIONS"]
    assert (options["connect_timeout"], options["sslmode"], options["keepalives_idle"]) == (9, "require", 30)


def test_a_message_comes_back_later_than_a_runs_lease_ends(env, monkeypatch, settings, tmp_path):
    monkeypatch.setenv("REDIS_URL", "redis://queue.example.org/0")
    options = broker(env, tmp_path)["CELERY_BROKER_TRANSPORT_OPTIONS"]
    assert options["visibility_timeout"] > settings.RUN_LEASE_SECONDS


def test_an_sqlite_of_ones_own_has_the_same_settings(env, tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/mine.sqlite3")
    found = database(env, tmp_path)
    assert (found["ENGINE"], found["OPTIONS"]["transaction_mode"]) == ("config.sqlite", "IMMEDIATE")


def settings_of(var, **given):
    """What a process prints that starts with this environment and nothing else."""
    program = (
        "from django.conf import settings as s;"
        "print(s.DATABASES['default']['ENGINE'], s.DEBUG, s.SECURE_HSTS_SECONDS, len(s.SECRET_KEY), s.SECRET_KEY)"
    )
    env = {"PATH": os.environ["PATH"], "VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings", **given}
    return subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)


def test_the_site_starts_with_no_variable_set_and_keeps_one_secret(tmp_path):
    """Processes that start together agree on the secret."""
    said = [process.communicate()[0].split() for process in [settings_of(tmp_path / "var") for _ in range(4)]]
    assert said[0][:2] == ["config.sqlite", "False"]
    assert len({one[-1] for one in said}) == 1
    assert int(said[0][-2]) >= 50
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"abc", bytes(50), b"\xff" * 60])
def test_a_damaged_file_of_the_secret_is_named(tmp_path, content):
    file = tmp_path / "secret_key"
    file.write_bytes(content)
    env = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "check"]
    refused = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert refused.returncode == 1
    assert f"{file} is damaged" in refused.stderr
    assert "Traceback" not in refused.stderr
    file.unlink()
    assert subprocess.run(command, cwd=ROOT, env=env, capture_output=True).returncode == 0


@pytest.mark.parametrize("public", [{"HTTPS": "1"}, {"ALLOWED_HOSTS": "ratings.example.org"}])
def test_a_public_site_without_its_address_does_not_start(tmp_path, public):
    env = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), **public}
    command = [sys.executable, "manage.py", "check"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("SITE_URL is not set")
    assert "SITE_URL=https://ratings.example.org" in done.stderr
    env["SITE_URL"] = "https://ratings.example.org/"
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("EMAIL_URL is not set")  # its mails would stand in the log
    env["EMAIL_URL"] = "smtp+tls://bureau:secret@mail.example.org:587"
    assert subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", "http://127.0.0.1:8000"),
        ("https://ratings.example.org/", "https://ratings.example.org"),
        ("http://[::1]:8123", "http://[::1]:8123"),
    ],
)
def test_the_address_of_the_site(monkeypatch, text, address):
    monkeypatch.setenv("SITE_URL", text)
    assert site_url(environ.Env(), public=False) == address


@pytest.mark.parametrize(
    "text",
    [
        "ratings.example.org", "ftp://ratings.example.org", "https://", "https://ratings.example.org/bureau",
        "https://a b.example.org", "https://example.org:99999", "https://me@example.org", "https://example.org?x=1",
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_site_is_refused(monkeypatch, text):
    monkeypatch.setenv("SITE_URL", text)
    with pytest.raises(ImproperlyConfigured, match="is not the address of a site: write it as SITE_URL=https://"):
        site_url(environ.Env(), public=False)


def test_a_secret_that_is_given_is_used(tmp_path):
    said = (
        settings_of(
            tmp_path, SECRET_KEY=ascii_letters, HTTPS="1", SITE_URL="https://x.example.org", EMAIL_URL="dummymail://"
        )
        .communicate()[0]
        .split()
    )
    assert (said[-1], said[-3]) == (ascii_letters, "31536000")
    assert not (tmp_path / "secret_key").exists()


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (None, {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}),
        ("filemail:///srv/mail", {"EMAIL_FILE_PATH": "/srv/mail"}),
        ("filemail://", {"EMAIL_FILE_PATH": "/var/bureau/mail"}),
        (
            "smtp+tls://me:secret@mail.example.org:587",
            {
                "EMAIL_HOST": "mail.example.org",
                "EMAIL_PORT": 587,
                "EMAIL_USE_TLS": True,
                "EMAIL_HOST_PASSWORD": "secret",
            },
        ),
    ],
)
def test_mail_goes_where_the_variable_says_and_to_the_console_without_one(monkeypatch, url, wanted):
    monkeypatch.delenv("EMAIL_URL", raising=False)
    if url:
        monkeypatch.setenv("EMAIL_URL", url)
    found = mail(environ.Env(), Path("/var/bureau"), public=bool(url))
    assert found | wanted == found
    assert None not in found.values()
