"""The contracts of imports in `pyproject.toml`: each refuses a wrong import that is put into a copy of the house."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]

# Contract → where a wrong import is put, and what it imports.
WRONG = {
    "One direction: accounts, players, events, ratings": ("events/operations.py", "ratings.models"),
    "The ground knows no app": ("config/lib/site.py", "accounts.models"),
    "Rules, files and rating systems are pure": ("events/rules/states.py", "django.db"),
    "Rating systems know no files and no cases": ("ratings/systems/base.py", "ratings.cases.fields"),
    "Models know nothing above them": ("players/models.py", "players.operations"),
    "Reads and writes know no pages": ("players/operations.py", "players.admin"),
    "No two rooms need each other": ("ratings/lists/definitions.py", "ratings.runs.review"),
    "Rooms of events, top to bottom": ("events/penalties/operations.py", "events.submission.uploads"),
}


def lint(folder: Path) -> str:
    program = Path(sys.executable).parent / "lint-imports"
    ended = subprocess.run([program, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the code with every wrong import in it, and what the contracts say of it."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for package in PYPROJECT["root_packages"]:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for place, imported in WRONG.values():
        with (folder / place).open("a", encoding="utf-8") as file:
            file.write(f"\nimport {imported}  # wrong\n")
    return lint(folder)


def test_every_contract_is_tried():
    assert {contract["name"] for contract in PYPROJECT["contracts"]} == set(WRONG)


@pytest.mark.parametrize("contract", WRONG)
def test_a_wrong_import_is_refused(house, contract):
    place, imported = WRONG[contract]
    importer = place.removesuffix(".py").replace("/", ".")
    refused = f"{importer} -> {imported.removesuffix('.db')}"  # of other people's packages only the first part is told
    if contract == "No two rooms need each other":
        refused = ".lists -> .runs (1 import)"
    _, _, after = house.partition("Broken contracts")[2].partition(f"\n{contract}\n")
    for other in WRONG:
        after = after.partition(f"\n{other}\n")[0]
    assert refused in after, house
