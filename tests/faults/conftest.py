import pytest

from tests.faults.bureau import KINDS, Bureau

LOAD = """
from django.db import transaction
from tests.federation import load
with transaction.atomic():
    load(players=6000, games=8000, sections=80)
"""


@pytest.fixture(scope="session", params=KINDS)
def accepted(request, tmp_path_factory):
    """A bureau with a month of accepted events, nothing calculated."""
    bureau = Bureau(request.param, tmp_path_factory.mktemp(request.param))
    bureau.python(LOAD)
    yield bureau
    bureau.close()


@pytest.fixture(scope="session")
def undisturbed(accepted, tmp_path_factory):
    """The same month, calculated and published without a disturbance."""
    bureau = Bureau(accepted.kind, tmp_path_factory.mktemp("undisturbed"), copy_of=accepted)
    bureau.command("calculate", "2024-03")
    bureau.command("publish", "2024-03")
    figures = bureau.figures()
    bureau.close()
    assert len(figures) > 2000
    return figures


@pytest.fixture
def bureau(accepted, tmp_path):
    """A copy of the accepted month for one test to disturb."""
    copy = Bureau(accepted.kind, tmp_path / "bureau", copy_of=accepted)
    yield copy
    copy.close()
