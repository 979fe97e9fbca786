"""A database that could not keep every name is refused, and one whose log keeps names is warned of."""

import os
import subprocess
import sys
import uuid

import psycopg
import pytest

from tests.prepared import ROOT, SERVER

pytestmark = pytest.mark.servers


@pytest.fixture
def database(request):
    """The address of a new database in an encoding."""
    name = f"encoding_{uuid.uuid4().hex}"
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING '{request.param}' LOCALE 'C' TEMPLATE template0")
    yield f"{SERVER.rsplit('/', 1)[0]}/{name}"
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def manage(database, var, *words):
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": database, "VAR_DIR": str(var)}
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("database", ["SQL_ASCII", "LATIN1"], indirect=True)
def test_a_database_in_another_encoding_is_refused_with_what_to_do(database, tmp_path):
    done = manage(database, tmp_path, "migrate", "contenttypes")
    assert done.returncode == 1
    assert "The database has the encoding " in done.stderr
    assert "createdb -E UTF8 -T template0" in done.stderr
    assert "Traceback" not in done.stderr
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


@pytest.mark.parametrize("database", ["UTF8"], indirect=True)
def test_a_database_in_utf8_is_taken(database, tmp_path):
    done = manage(database, tmp_path, "migrate", "contenttypes")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize("database", ["UTF8"], indirect=True)
def test_a_server_that_logs_what_fails_is_warned_of_with_the_lines_that_end_it(database, tmp_path):
    name = database.rpartition("/")[2]
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET log_min_error_statement = error")
    done = manage(database, tmp_path, "check", "--database", "default")
    assert done.returncode == 0
    assert "PostgreSQL's own log has each statement that fails" in done.stderr
    assert 'ALTER ROLE "bureau" SET log_min_error_statement = panic.' in done.stderr
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET log_error_verbosity = verbose")
        connection.execute(f"ALTER DATABASE {name} RESET log_min_error_statement")
    done = manage(database, tmp_path, "check", "--database", "default")
    assert 'ALTER ROLE "bureau" SET log_error_verbosity = terse.' in done.stderr
    assert "log_min_error_statement" not in done.stderr
