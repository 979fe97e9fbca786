"""What the site does not start with, who may read its files, and what it writes about requests that it refuses."""

import contextlib
import io
import logging
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from string import ascii_letters

import pytest
from django.contrib.auth.hashers import check_password, identify_hasher, make_password
from django.test import Client

from accounts.models import User
from accounts.sessions import IDLE_SECONDS
from tests.builders import officer
from tests.conftest import ROOT

PUBLIC = {
    "HTTPS": "1",
    "ALLOWED_HOSTS": "ratings.example.org",
    "SITE_URL": "https://ratings.example.org",
    "EMAIL_URL": "smtp+tls://bureau:secret@mail.example.org:587",
    "PROXIES": "1",
}


def manage(var, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], "VAR_DIR": str(var), **env},
    )  # fmt: skip


def test_a_public_site_passes_djangos_own_check(tmp_path):
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **PUBLIC)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "key", ["secret", "x" * 80, "abcdefghij" * 4 + "abcdefghi", "abcde" * 11, "django-insecure-" + ascii_letters]
)
def test_a_key_that_can_be_guessed_is_refused_and_not_quoted(tmp_path, key):
    done = manage(tmp_path, "check", SECRET_KEY=key)
    assert done.returncode == 1
    assert done.stderr.startswith("SECRET_KEY can be guessed: give at least 50 characters")
    assert key not in done.stderr


def test_database_and_queue_are_their_owners(tmp_path):
    """Also those that were made before, or under a generous umask."""
    var = tmp_path / "var"
    assert manage(var, "showmigrations").returncode == 0
    assert var.stat().st_mode & 0o777 == 0o700
    var.chmod(0o755)
    for name, mode in (("queue", 0o755), ("bureau.sqlite3", 0o644)):
        assert (var / name).stat().st_mode & 0o077 == 0
        (var / name).chmod(mode)
    assert manage(var, "migrate", "--plan").returncode == 0
    assert (var / "queue").stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in var.glob("bureau.sqlite3*")} == {0o600}


def test_passwords_are_kept_by_argon2_and_older_ones_still_open(settings):
    settings.PASSWORD_HASHERS = ["accounts.hashers.Argon2", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    kept = make_password("Kings-and-pawns-64")
    assert kept.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert check_password("Kings-and-pawns-64", kept)
    older = make_password("Kings-and-pawns-64", hasher="pbkdf2_sha256")
    assert identify_hasher(older).algorithm == "pbkdf2_sha256"
    assert check_password("Kings-and-pawns-64", older)


def idle_officer(client, seconds: int) -> int:
    """Log an officer in who has asked for nothing since so many seconds; return when that was."""
    client.force_login(officer())
    session = client.session
    session["seen"] = seen = int(time.time()) - seconds
    session.save()
    return seen


@pytest.mark.parametrize(
    ("idle", "status"), [(IDLE_SECONDS - 60, 200), (IDLE_SECONDS + 60, 302), (-IDLE_SECONDS - 60, 302)]
)
@pytest.mark.django_db
def test_an_officers_session_ends_after_twelve_idle_hours(client, idle, status):
    idle_officer(client, idle)
    assert client.get("/admin/").status_code == status
    if status == 200:
        assert client.session["seen"] > time.time() - 60
    else:
        assert "Nothing was done for 12 hours" in client.get("/account/log-in/").content.decode()


@pytest.mark.django_db
def test_what_an_officer_sends_ends_with_no_write_of_his_session(client):
    """With the database gone between the two, what was kept would be answered as if it might not be."""
    seen = idle_officer(client, IDLE_SECONDS - 60)
    client.post("/admin/events/event/", {})
    assert client.session["seen"] == seen
    client.get("/admin/")
    assert client.session["seen"] > time.time() - 60


@pytest.mark.django_db
def test_a_page_that_asks_again_by_itself_keeps_no_session_open(client):
    seen = idle_officer(client, IDLE_SECONDS - 60)
    assert client.get("/admin/", headers={"X-Poll": "1"}).status_code == 200
    assert client.get("/account/?poll=1").status_code == 200
    assert client.session["seen"] == seen


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/brand/colours.css", "/brand/logo", "/favicon.ico", "/downloads/SHA256SUMS", "/health/"]
)
def test_what_a_page_fetches_keeps_no_session_open_and_takes_no_cookie_along(client, address):
    seen = idle_officer(client, IDLE_SECONDS - 60)
    assert "sessionid" not in client.get(address).cookies
    assert client.session["seen"] == seen


def test_each_page_that_asks_again_by_itself_says_so():
    pages = {path: path.read_text() for path in (ROOT / "templates").rglob("*.html")}
    asking = [part for page in pages.values() for part in re.findall(r"<div\b[^<]*?every \d+m?s[^<]*?>", page)]
    assert len(asking) == 3
    assert all("""hx-headers='{"X-Poll": "1"}'""" in part for part in asking)
    refreshed = [part for page in pages.values() for part in re.findall(r"<meta\b[^>]*refresh[^>]*>", page)]
    assert len(refreshed) == 3
    assert all(re.search(r'\?poll=1"\s*>$', part) for part in refreshed)
    scripts = {path.name: path.read_text() for path in (ROOT / "static/js").glob("*.js")}
    # To load the page again after what the reader did is as good as that; `runs` does it when his session has ended.
    assert {name for name, text in scripts.items() if re.search(r"location\.(reload|assign|replace)|location.* = ", text)} == {
        "autocomplete.js", "players-table.js", "runs.js", "upload.js",
    }  # fmt: skip
    assert not any(re.search(r"set(Timeout|Interval)\([^\n]*location|history\.go", text) for text in scripts.values())
    fetching = {name: text for name, text in scripts.items() if re.search(r"fetch\((window\.)?location", text)}
    assert list(fetching) == ["runs.js"]
    assert all('"X-Poll": "1"' in text for text in fetching.values())


@pytest.mark.django_db
def test_who_may_enter_the_desk_from_now_on_logs_in_again(client):
    """The session that he has was not watched, and would open the desk for two weeks."""
    user = User.objects.create_user("new@example.org")
    client.force_login(user)
    assert client.get("/account/").status_code == 200
    user.is_staff = user.is_officer = True
    user.save()
    assert client.get("/admin/").status_code == 302
    assert "Log in again" in client.get("/account/log-in/").content.decode()
    client.force_login(user)
    assert client.get("/admin/").status_code == 200


@pytest.mark.django_db
def test_a_session_in_use_goes_on_and_others_are_not_watched(client):
    client.force_login(officer())
    for _ in range(3):
        session = client.session
        session["seen"] -= IDLE_SECONDS - 60
        session.save()
        assert client.get("/admin/").status_code == 200
    client.force_login(User.objects.create_user("region@example.org"))
    assert "seen" not in client.session


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/admin/", "/nothing-here/"])
def test_browsers_are_told_what_no_page_uses(client, address):
    policy = client.get(address).headers["Permissions-Policy"]
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(policy.split(", "))


@contextlib.contextmanager
def logged() -> Iterator[list[str]]:
    """The lines that are written to the console."""
    console = next(handler for handler in logging.getLogger().handlers if type(handler) is logging.StreamHandler)
    lines: list[str] = []
    before = console.setStream(io.StringIO())
    try:
        yield lines
        lines += console.stream.getvalue().splitlines()
    finally:
        console.setStream(before)


@pytest.mark.django_db
def test_a_wrong_host_writes_one_line():
    with logged() as lines:
        assert Client().get("/", headers={"host": "evil.example.org"}).status_code == 400
    assert len(lines) == 1
    assert "Invalid HTTP_HOST header: 'evil.example.org'" in lines[0]


@pytest.mark.django_db
def test_what_a_user_may_not_do_writes_one_line(client):
    client.force_login(officer())
    with logged() as lines:
        assert client.get("/admin/accounts/user/add/").status_code == 403
    assert len(lines) == 1
    assert "Forbidden" in lines[0]


@pytest.mark.django_db
def test_the_link_of_a_reset_mail_is_the_sites_own(client, settings):
    from django.core import mail

    settings.ALLOWED_HOSTS = ["*"]
    User.objects.create_user("thandi.nkosi@example.org", "Kings-and-pawns-64")
    headers = {"host": "evil.example.org", "x-forwarded-host": "evil.example.org"}
    assert client.post("/account/reset/", {"email": "thandi.nkosi@example.org"}, headers=headers).status_code == 302
    sent = mail.outbox[0].body
    assert f"{settings.SITE_URL}/account/" in sent
    assert "evil" not in sent
