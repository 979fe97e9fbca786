import pytest

from tests.faults.bureau import KINDS, Bureau
from tests.faults.month import at_stage


@pytest.fixture(scope="session", params=KINDS)
def kind(request):
    """The kind of storage."""
    return request.param


@pytest.fixture(scope="session")
def undisturbed(kind, tmp_path_factory):
    """The figures of the month, calculated and published without a disturbance."""
    bureau = Bureau(kind, tmp_path_factory.mktemp("undisturbed"), at_stage(kind, "published"))
    figures = bureau.figures()
    bureau.close()
    assert len(figures) > 1000
    return figures


@pytest.fixture
def month(kind, tmp_path):
    """A copy of the month at a stage, for one test to disturb."""
    copies = []

    def copy(stage):
        copies.append(Bureau(kind, tmp_path / "bureau", at_stage(kind, stage)))
        return copies[0]

    yield copy
    for bureau in copies:
        bureau.close()
