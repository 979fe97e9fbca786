"""The database's disk is full while a worker works: nothing is given up, and all goes on once there is room."""

import pytest

from tests.faults.bureau import Bureau

WORKS = (
    "month_is_calculated",
    "months_are_rated_again",
    "list_is_read",
    "list_is_filled",
    "file_is_checked",
    "personal_data_are_erased",
)


@pytest.mark.servers
@pytest.mark.parametrize("work", WORKS)
def test_it_goes_on_when_there_is_room(work, tmp_path):
    bureau = Bureau("servers", tmp_path / "bureau")
    try:
        bureau.python(f"from tests.faults import full_disk; full_disk.{work}()")
    finally:
        bureau.close()
