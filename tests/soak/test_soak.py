"""The bureau under use by all, for half a minute: no answer of 500, no error in the log. For longer: `script/soak`."""

import pytest

from tests.faults.bureau import KINDS
from tests.soak.run import soak
from tests.soak.watch import grown


@pytest.mark.parametrize("kind", KINDS)
def test_all_use_the_bureau_at_once(kind, tmp_path):
    found = soak(kind, tmp_path / "bureau", seconds=10, months=3, every=6, until=["published", "sent in"])
    assert found.wrong == []
    assert found.done.get("published"), found.figures
    assert found.done.get("sent in"), found.figures


@pytest.mark.parametrize(
    ("name", "late", "wrong"),
    [
        ("MB of web", 219.9, False),
        ("MB of web", 220.1, True),
        ("open files of web", 221, True),
        ("connections to Redis", 64, False),
        ("connections to Redis", 65, True),
    ],
)
def test_what_counts_as_growth(name, late, wrong):
    early = 200.0
    values = [50.0] * 10 + [early] * 10 + [early] * 20 + [late] * 10
    if name.startswith("connections"):
        values = [late]
    assert bool(grown(name, values)) == wrong


def test_little_is_no_growth_though_it_is_a_tenth():
    assert not grown("MB of beat", [0.0] * 10 + [60.0] * 30 + [79.0] * 10)
    assert grown("MB of beat", [0.0] * 10 + [60.0] * 30 + [81.0] * 10)
