"""The tests that `script/test --quick` leaves out are named one by one, and are there."""

from tests.conftest import ROOT
from tests.long_tests import is_noted, name_of, noted


def test_every_name_is_a_folder_a_file_or_a_test():
    gone = []
    for name in noted():
        path, _, function = name.partition("::")
        place = ROOT / "tests" / path
        if not place.exists() or (function and f"def {function}(" not in place.read_text()):
            gone.append(name)
    assert gone == []


def test_a_test_is_named_by_itself_its_file_or_a_folder_of_it():
    test = name_of("tests/events/abroad/test_pages.py::test_a_page[en-1]")
    assert test == "events/abroad/test_pages.py::test_a_page"
    for name in (test, "events/abroad/test_pages.py", "events/abroad", "events"):
        assert is_noted(test, frozenset({name}))
    assert not is_noted(test, frozenset({"events/abroad/test_page", "event", "events/abroad2"}))
