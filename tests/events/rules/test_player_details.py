"""Names and regions of the players in a file (articles 14.1, 14.5), each on both sides of its limit."""

import pytest

from events.rules.corrections import CODE_KEY, REGION, corrections_from
from events.rules.player_details import RegisterDetails, has_full_first_name, incomplete_names, regions
from events.rules.tournament import Entrant, Tournament

CODES = {"GAU": "Gauteng", "LCP": "Limpopo"}


def entrant(first="Naledi", last="Mokoena", **fields) -> Entrant:
    return Entrant(7, f"{last}, {first}", last, first, **fields)


@pytest.mark.rule("chessa 14.1")
@pytest.mark.parametrize(
    ("first", "last", "full"),
    [
        ("Naledi", "Mokoena", True),
        ("J. Pieter", "Mokoena", True),
        ("Bo", "Mokoena", True),
        ("BO", "MOKOENA", True),
        ("N", "Mokoena", False),
        ("J. P.", "Mokoena", False),
        ("J.P.", "Mokoena", False),
        ("JP", "Mokoena", False),
        ("", "Mokoena", False),
        ("明", "李", True),
    ],
)
def test_a_full_first_name_is_more_than_initials(first, last, full):
    assert has_full_first_name(first, last) is full
    found = list(incomplete_names([entrant(first, last)], known=()))
    assert [(one.severity, one.code, one.article) for one in found] == (
        [] if full else [("hold", "name-incomplete", "14.1")]
    )


@pytest.mark.rule("chessa 14.1")
def test_the_surname_is_asked_for_and_a_player_on_the_register_has_his_name_there():
    assert [one.code for one in incomplete_names([entrant("Naledi", "")], known=())] == ["name-incomplete"]
    assert list(incomplete_names([entrant("N", "Mokoena")], known={7})) == []


def found(region, registered, confirmed=(), **fields):
    known = {} if registered is None else {7: RegisterDetails(region=registered)}
    checked = regions([entrant(region=region, **fields)], CODES, known, confirmed)
    return [(one.severity.value, one.code, one.article) for one in checked]


@pytest.mark.rule("chessa 14.5")
@pytest.mark.parametrize(
    ("region", "registered", "expected"),
    [
        ("GAU", "GAU", []),
        ("gau", "GAU", []),
        ("GAU", "", [("note", "region-assigned", "14.5")]),
        ("", "", [("note", "region-assigned", "14.5")]),
        ("JHB", "", [("error", "region-unknown", "14.5"), ("note", "region-assigned", "14.5")]),
        ("", "GAU", []),
        ("GAU", None, []),
        ("LCP", "GAU", [("hold", "region-differs", "14.5")]),
        ("JHB", "GAU", [("error", "region-unknown", "14.5")]),
        ("JHB", None, [("error", "region-unknown", "14.5")]),
    ],
)
def test_an_unknown_region_is_an_error_and_another_than_the_registers_is_asked_about(region, registered, expected):
    assert found(region, registered) == expected


@pytest.mark.rule("chessa 14.5")
def test_what_the_uploader_confirms_still_waits_for_the_officer():
    assert found("LCP", "GAU", confirmed={7}) == [("hold", "region-changed", "14.5")]
    assert found("LCP", "GAU", national_federation="BOT") == []


@pytest.mark.rule("chessa 14.5")
def test_an_answer_about_a_code_is_for_all_its_lines_and_one_about_a_line_for_it_alone():
    lines = (entrant(region="jhb"), Entrant(8, "Cele, Bets", "Cele", "Bets", region="JHB"))
    file = Tournament(format="TRF16", encoding="utf-8", entrants=lines)
    answers = corrections_from([(REGION.code, f"{CODE_KEY}JHB", "GAU"), (REGION.code, "8", "LCP")])
    assert [line.region for line in answers.applied(file).entrants] == ["GAU", "LCP"]
    assert answers.regions == {8}


@pytest.mark.rule("chessa 14.5")
def test_a_region_is_shown_with_its_name():
    (asked,) = regions([entrant(region="LCP")], CODES, {7: RegisterDetails(region="GAU")})
    assert "LCP Limpopo in the file, GAU Gauteng on the register" in asked.message


@pytest.mark.rule("chessa 14.5")
@pytest.mark.parametrize(("region", "assigned"), [("LCP", "LCP Limpopo"), ("", "GAU Gauteng")])
def test_a_player_without_a_region_gets_the_files_or_else_the_hosts(region, assigned):
    (note,) = regions([entrant(region=region)], CODES, {7: RegisterDetails()}, host="GAU")
    assert note.message.endswith(f"Mokoena, Naledi (7): {assigned}.")
