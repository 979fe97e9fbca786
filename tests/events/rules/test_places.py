"""Where in a file a finding stands, in words."""

import pytest

from events.rules.findings import Finding, Severity, several, spans


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((10,), "10"),
        (range(10, 50), "10–49"),
        ((12, 10, 11, 20), "10–12, 20"),
        ((1, 3, 5, 7, 9), "1, 3, 5, 7, 9"),
        ((1, 3, 5, 7, 9, 11), "1, 3, 5, 7, 9, …"),
    ],
)
def test_spans(numbers, words):
    assert spans(numbers) == words


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ({}, ""),
        ({"line": 3}, "Line 3"),
        ({"line": 3, "column": 5}, "Line 3, column 5"),
        ({"line": 10, "lines": several([10])}, "Line 10"),
        ({"line": 10, "lines": several([10, None, 11, 12])}, "Lines 10–12"),
    ],
)
def test_the_place_of_a_finding(place, words):
    assert Finding(Severity.HOLD, "sex-missing", "Found.", **place).place == words
