"""A finding in words."""

import pytest

from events.rules.findings import Finding, Severity


@pytest.mark.parametrize(
    ("place", "line", "sentence"),
    [
        ({}, "No rounds.", "No rounds."),
        ({"line": 3}, "Line 3: No rounds.", "No rounds."),
        ({"line": 3, "column": 7}, "Line 3, column 7: No rounds.", "No rounds."),
        ({"line": 3, "column": 2, "heading": "Born"}, "Line 3, column “Born”: No rounds.", "No rounds."),
        ({"article": "13.3"}, "No rounds. (article 13.3)", "No rounds (article 13.3)."),
    ],
)
def test_a_finding_on_a_line_and_at_a_field(place, line, sentence):
    finding = Finding(Severity.ERROR, "no-rounds", "No rounds.", **place)
    assert (finding.as_line, finding.as_sentence) == (line, sentence)
