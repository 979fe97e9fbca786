"""Names and ids of players are found in texts however they are written, and those of others stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.identity import is_of_family, may_be_called
from players.names_in_texts import NamesInTexts

NAMES = NamesInTexts(
    [("Zoë Ann", "O'Brien-Müller"), ("Bongani", "Zungu")],
    stand_in="X",
    ids={"100000002", "14398866"},
    kept=[("Thulani Bongani", "Zungu")],
    others=[("Piet", "Zungu"), ("Bongani", "Botha"), ("Bongani", "Zungu-Nel"), ("Bongani", "Zungu")],
    spared={"100000005"},
    beside={"2014-05-06"},
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Zoë Ann O'Brien-Müller won.", "X won."),
        ("O’BRIEN MULLER, ZOE ANN (100000002) won.", "X won."),
        ("zoe obrien müller", "X"),
        ("Zoë Ann O'Brien-Müller's sheet", "X's sheet"),
        ("round 1: Bongani Zungu–Ann Cele", "round 1: X–Ann Cele"),
        ("It was Bongani Zungu. Bongani Zungu's sheet?", "It was X. X's sheet?"),
        ("Zungu, Bongani; Zungu, Bongani", "X; X"),
        ("Bongani Zungu (100000005) won", "Bongani Zungu (100000005) won"),  # a namesake
        ("Bongani Zungu (100000006) won", "X (100000006) won"),
        ("Thulani Bongani Zungu", "Thulani Bongani Zungu"),
        ("Piet Zungu, Bongani Botha lost", "Piet Zungu, Bongani Botha lost"),
        ("Piet Zungu - Bongani Botha", "Piet Zungu - Bongani Botha"),
        ("Piet Zungu/Bongani Botha", "Piet Zungu/Bongani Botha"),
        ("Piet Zungu\nBongani Botha", "Piet Zungu\nBongani Botha"),
        ("Zungu, Bongani lost to Nel, Jan", "X lost to Nel, Jan"),
        ("White Zungu, Bongani Black Nel, Piet", "White X Black Nel, Piet"),
        ("THE RESULT OF ZUNGU, BONGANI WAS WRONG", "THE RESULT OF X WAS WRONG"),
        ("Zungu\tBongani\t1-0", "X\t1-0"),
        ("Bongani\nZungu", "X"),
        ("Bongani (Zungu); Zungu; Bongani", "X); X"),
        ("Bongani Zungu-Jan Nel was 1-0", "X Nel was 1-0"),
        ("1.Bongani Zungu", "X"),
        ("Round 3: Zungu, Bongani (100000002)", "Round 3: X"),
        ("Bongani Zungu-Nel", "Bongani Zungu-Nel"),
        ("Bongani won against Zungu", "Bongani won against Zungu"),
        ("FIDE id 14398866, born 2014-05-06", "FIDE id, born –"),
        ("born 2014-05-06", "born 2014-05-06"),
        ("1143988661, 14398866.5", "1143988661, 14398866.5"),
        ("", ""),
    ],
)
def test_names_and_ids_in_a_text(text, left):
    assert NAMES.replaced(text) == left
    assert NAMES.are_in(text) is (left != text)


@given(st.text(alphabet="Zoë Ann-O'Brien,()Zungu 1", max_size=60))
def test_what_is_left_has_no_name(text):
    left = NAMES.replaced(text)
    assert NAMES.replaced(left) == left


def test_without_names_a_text_is_as_it_was():
    assert NamesInTexts([], stand_in="X").replaced("Bongani Zungu 14398866") == "Bongani Zungu 14398866"


GERT = [("Gert Pieter", "van Kasparr")]


@pytest.mark.parametrize(
    ("name", "is_his", "is_anothers"),
    [
        ("Gert van Kasparr", True, False),
        ("KASPARR, GERT P.", True, False),
        ("G. Kasparr", True, False),
        ("Kasparr G", True, False),
        ("Gertjie Kasparr", False, False),  # may be short for it, or he
        ("Pieter Kasparr", False, False),
        ("Gerrt Kasparr", False, False),
        ("Wanda Kasparr", False, True),
        ("Wanda G. Kasparr", False, False),
        ("Kasparr", False, False),
        ("Gert Nkosi", False, False),
        ("", False, False),
    ],
)
def test_whose_a_name_may_be(name, is_his, is_anothers):
    assert may_be_called(name, GERT) is is_his
    assert is_of_family(name, GERT) is is_anothers


@pytest.mark.parametrize("person", [("", ""), ("Gert", "")])
def test_every_name_is_not_that_of_who_has_none(person):
    assert not may_be_called("Wanda Kasparr", [person])
    assert not is_of_family("Wanda Kasparr", [person])
