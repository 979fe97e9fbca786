"""With the settings that an operator gives it, PostgreSQL's own log has no statements with what is in them."""

import re
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
import yaml

from script.with_services import start_postgres
from tests.conftest import ROOT

SETTINGS = {"log_min_error_statement": "panic", "log_error_verbosity": "terse"}
COMES_WITH = {"log_min_error_statement": "error", "log_error_verbosity": "default"}
FAILING = (
    "INSERT INTO person VALUES ('secretive@example.org')",
    "INSERT INTO person VALUES ('secretive@example.org') RETURNING pg_terminate_backend(pg_backend_pid())",
    "UPDATE person SET address = 'secretive@example.org' WHERE address = 'other@example.org'",
)


def test_the_set_up_has_the_settings():
    lines = (ROOT / "docs/operations.md").read_text()
    assert dict(re.findall(r'-c "ALTER ROLE bureau SET (\w+) = (\w+)"', lines)) == SETTINGS
    composed = yaml.safe_load((ROOT / "docs/compose.yaml").read_text())["services"]["database"]["command"]
    assert composed == ["postgres", *(word for name in SETTINGS for word in ("-c", f"{name}={SETTINGS[name]}"))]


@pytest.mark.servers
def test_no_statement_that_fails_is_in_the_log():
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        folder.chmod(0o755)  # the server runs as another user than root
        server, log = start_postgres(stack, folder), folder / "postgres.log"

        def fail():
            for statement in FAILING:
                with suppress(psycopg.Error), psycopg.connect(server, autocommit=True) as connection:
                    connection.execute(statement)
            return log.read_text()

        with psycopg.connect(server, autocommit=True) as connection:
            for name in SETTINGS:  # as PostgreSQL comes
                connection.execute(f"ALTER ROLE bureau SET {name} = '{COMES_WITH[name]}'")
            connection.execute("CREATE TABLE person (address text PRIMARY KEY)")
            connection.execute("INSERT INTO person VALUES ('secretive@example.org'), ('other@example.org')")
        with_statements = fail()
        assert with_statements.count("secretive@example.org") > len(FAILING)
        with psycopg.connect(server, autocommit=True) as connection:
            for name, value in SETTINGS.items():
                connection.execute(f"ALTER ROLE bureau SET {name} = {value}")
        since = fail().removeprefix(with_statements)
        assert "duplicate key" in since
        assert "example.org" not in since
