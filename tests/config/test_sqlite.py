"""What the embedded database takes PostgreSQL takes, too; and it is not asked what it can do: another may hold it for long."""

import os
import subprocess
import sys

from tests.prepared import ROOT

PROGRAM = """
import sqlite3
import django
django.setup()
from django.db import connection
from django.db.backends.base.features import BaseDatabaseFeatures

connection.ensure_connection()
connection.connection.execute("PRAGMA busy_timeout=0")  # as one who has waited for long
other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print(connection.features.supports_json_field, connection.features.can_introspect_json_field)
connection.close()
for name in dir(BaseDatabaseFeatures):
    getattr(connection.features, name)
print(connection.connection)
"""


def test_json_is_there_while_another_process_writes(tmp_path):
    """Django's own asks the database, and kept "no": the thread answered every page with lists of rows with an error."""
    env = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["True True", "None"], done.stderr  # and no feature opened the database


RANGES = """
import django
django.setup()
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.models import IntegerField

for model in apps.get_models():
    for field in model._meta.concrete_fields:
        if isinstance(field, IntegerField):
            greatest = BaseDatabaseOperations.integer_field_ranges[field.get_internal_type()][1]
            try:
                field.run_validators(greatest + 1)
            except ValidationError:
                continue
            print(field)
print("done")
"""


def test_no_field_takes_a_number_that_postgresql_does_not_hold(tmp_path):
    """A back-up with one could not be restored there."""
    env = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", RANGES]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", done.stderr
