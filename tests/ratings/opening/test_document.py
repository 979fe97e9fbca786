"""Standings as rating cases: what is wrong is named by its place in the JSON."""

import json
from datetime import date

import pytest

from ratings.cases.document import DocumentError, parse_document
from ratings.opening import document as reader
from ratings.opening.document import MAX_BYTES, is_document, read_document
from tests.fuzz.readers import least_seconds

FEBRUARY = date(2024, 2, 1)
LISTS = {"main": ("Main", "chessa"), "irish": ("Irish", "icu"), "first": ("First", "cfc"), "second": ("Second", "cfc")}


def case(**fields: object) -> dict[str, object]:
    given = {"system": "chessa", "calculated_on": "2024-04-01", "players": [player()], "events": []}
    return {**given, **fields}


def player(**main: object) -> dict[str, object]:
    return {"id": "100000123", "lists": {"main": {"raw": 1400.5, **main}}}


def read(document: object, chosen: str = ""):
    return read_document(json.dumps(document).encode(), month=FEBRUARY, lists=LISTS, chosen=chosen)


def test_a_standing_of_the_four_lists():
    recent = [{"performance": 1500, "type": "blitz", "ended": "2024-02-29"}]
    found = read(case(players=[player(highest=1450, raw_history=[1400.5, 1390], last_performances=recent)]))
    (entry,) = found.entries
    assert (entry.raw, entry.highest, entry.history) == (1400.5, 1450.0, (1400.5, 1390.0))
    assert entry.performances == ((1500.0, date(2024, 2, 29).toordinal(), 2),)
    assert found.findings == ()


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (case(calculated_on="2024-05-01"), "calculated_on: standings after 2024-02 are those of 2024-03-01 or before"),
        (case(calculated_on="2024-02-01"), "calculated_on: standings after 2024-02"),
        (case(players=[player(), player()]), "players[1].id: player '100000123' stands twice"),
        ([case(), case()], "cases[1].players[0].lists.main: 100000123 stands at cases[0].players[0].lists.main, too"),
        (case(players=[player(raw_history=[1400.5, 1, 2, 3, None, 5])]), "raw_history[4]: a number was expected"),
        (case(players=[player(raw_history=[1400, 1390])]), "raw_history: the first rating must be raw, 1400.5"),
        (case(players=[player(raw_history=[1400.5] * 25)]), "raw_history: at most 24 ratings were expected, found 25"),
        (case(players=[player(highest=4001)]), "highest: at most 4000 was expected, found 4001"),
        (
            case(players=[player(last_performances=[{"performance": 1, "type": "rapid", "ended": "2024-03-01"}])]),
            "last_performances[0].ended: the tournament ended after 2024-02, of which this is the standing",
        ),
        (
            case(players=[player(last_performances=[{"performance": 1, "type": "rapid", "ended": "1 Feb 2024"}])]),
            "last_performances[0].ended: a date YYYY-MM-DD was expected",
        ),
        (case(players=[player(rating=1400)]), "players[0].lists.main.rating: unknown field"),
        (case(system="fide"), "system: one of chessa, icu, uscf, cfc was expected"),
        ({"system": "uscf", "players": []}, "the bureau has no list of the system uscf"),
        ({"system": "cfc", "players": []}, "one of first, second was expected: there are several lists"),
        (case(players=[]), "The case has no player with a standing."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_at_its_place(document, message):
    found = read(document)
    assert message in found.errors[0].as_line


@pytest.mark.parametrize("name", ["rating", "published", "highest", "k"])
def test_figures_on_a_list_of_another_system_have_limits(name):
    """Two of 1e308 add up to infinity, which no database keeps."""
    standing = {"type": "rated", "rating": 1500, "k": 24, "on_list": {"rating": 1500, name: 1e308}}
    found = read({"system": "icu", "players": [{"id": "100000123", **standing}]})
    assert f"on_list.{name}: at most 4000 was expected" in found.errors[0].as_line


@pytest.mark.parametrize("figure", [4001, -4001])
def test_standings_are_what_a_rating_can_be(figure):
    """What a month adds to more is held by none of the columns."""
    rated = {"id": "100000123", "type": "rated", "rating": figure, "k": 24}
    for document in ({"system": "icu", "players": [rated]}, case(players=[player(raw=figure)])):
        assert "4000 was expected" in read(document).errors[0].as_line


def test_what_is_wrong_with_several_players_is_told_at_once():
    """Mending one mistake does not bring the next to light."""
    two = {**player(highest=4001), "id": "100000124"}
    found = read(case(calculated_on="2024-05-01", players=[player(rating=1), two, {**player(), "id": "100000125"}]))
    assert [finding.message.partition(": ")[0] for finding in found.errors] == [
        "calculated_on", "players[0].lists.main.rating", "players[1].lists.main.highest",
    ]  # fmt: skip


def test_a_former_rating_that_is_missing_is_said_to_be_given():
    found = read(case(players=[player(raw_history=[1400.5, 1, 2, 3, None, 5])]))
    assert "A former rating is missing: give it" in found.errors[0].message
    assert found.errors[0].code == "history-gap"


@pytest.mark.parametrize("day", ["2024-03-01", "2024-04-01"])
def test_the_day_of_the_balance_or_of_the_first_calculation(day):
    assert read(case(calculated_on=day)).entries


def test_events_of_a_case_are_not_taken_and_that_is_said():
    found = read(case(events=[{"id": "e"}]))
    assert found.entries
    assert (
        found.findings[0].message
        == "events: the events of the case are of the month after the balance, and are not taken."
    )


def test_json_that_breaks_off():
    found = read_document(b'{"system": "chessa",', month=FEBRUARY, lists=LISTS)
    assert found.errors[0].as_line.startswith("Line 1, column 21: The JSON cannot be read")
    assert is_document(b"\xef\xbb\xbf [")
    assert not is_document(b"id,raw")


@pytest.mark.parametrize(
    "content",
    [
        b"[" + b"1," * 2_499_998 + b"1]",
        b"[" + b"{}        ," * 450_000 + b"{}]",
        json.dumps(
            case(players=[{"id": str(number), "lists": {"main": {"raw": "x"}}} for number in range(100_000)])
        ).encode(),
    ],
    ids=["numbers", "objects", "players"],
)
def test_a_document_is_read_no_further_than_its_errors(content):
    def reads() -> list[str]:
        return [finding.message for finding in read_document(content, month=FEBRUARY, lists=LISTS).findings]

    assert "After 10,000 errors the file was read no further." in reads()
    assert least_seconds(reads, 2) < 2


@pytest.mark.parametrize("content", [b"[" + b"{}," * 100_000 + b"{}]", b"[" * 100_000])
def test_a_document_of_lists_and_objects_alone_is_refused(content):
    (finding,) = read_document(content, month=FEBRUARY, lists=LISTS).findings
    assert finding.message == "The JSON opens more lists and objects than cases have. Export it again."
    with pytest.raises(DocumentError, match="more lists and objects than cases have"):
        parse_document(content)


def test_a_document_that_is_too_large_to_be_held_is_refused():
    content = b"[" + b" " * MAX_BYTES
    found = read_document(content, month=FEBRUARY, lists=LISTS)
    assert [(finding.code, finding.message.partition(".")[0]) for finding in found.findings] == [
        ("file-too-large", "The file has more than 100 MB of JSON")
    ]


@pytest.mark.parametrize("system", ["chessa", "icu"])
def test_a_document_is_read_no_further_than_it_may_have_standings(monkeypatch, system):
    monkeypatch.setattr(reader, "MOST_LINES", 3)
    standing = {"lists": {"main": {"raw": 1400}}} if system == "chessa" else {"type": "rated", "rating": 1500, "k": 24}
    for count, codes in ((3, []), (9, ["too-many-lines"])):
        players = [{"id": f"10000012{number}", **standing} for number in range(count)]
        found = read(case(system=system, players=players))
        assert ([finding.code for finding in found.findings], len(found.entries)) == (codes, min(count, 4))
