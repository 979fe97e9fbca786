"""Names in capitals alone, as they are written."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.lib.names import normalized, recased, shown, wrong_in_list, wrong_letters
from tests.fuzz.readers import least_seconds


@pytest.mark.parametrize(
    ("listed", "written"),
    [
        (("VAN DER MERWE", "JAN"), ("van der Merwe", "Jan")),
        (("VAN DER MERWE", "Jan"), ("van der Merwe", "Jan")),
        (("van der merwe", "jan hendrik"), ("van der Merwe", "Jan Hendrik")),
        (("JANSE VAN RENSBURG", "ANNA-MARIÉ"), ("Janse van Rensburg", "Anna-Marié")),
        (("DU PLESSIS", "J.P."), ("du Plessis", "J.P.")),
        (("BOTHA", "AJ"), ("Botha", "AJ")),
        (("BOTHA-SMITH III", "CHRISTO"), ("Botha-Smith III", "Christo")),
        (("MCDONALD", "SEÁN"), ("McDonald", "Seán")),
        (("O'BRIEN", "D’ARCY"), ("O'Brien", "D’Arcy")),
        (("NG'ANG'A", "WANJIRU"), ("Ng'ang'a", "Wanjiru")),
        (("NG", "WEI"), ("Ng", "Wei")),
        (("LE", "QUANG"), ("Le", "Quang")),
        (("MÜLLER", ""), ("Müller", "")),
        (("İNAN", "ALİ"), ("İnan", "Ali")),
        # What has capitals and small letters, or initials alone, is somebody's own spelling.
        (("Van der Merwe", "Jan"), ("Van der Merwe", "Jan")),
        (("Botha", "JP"), ("Botha", "JP")),
        (("de Klerk", "CJM"), ("de Klerk", "CJM")),
        (("MacDonald", "van Zyl"), ("MacDonald", "van Zyl")),
    ],
)
def test_capitals_become_small_letters_where_they_are_no_beginning(listed, written):
    assert recased(*listed) == written


NAMES = st.text(alphabet="aABcdDeEéÉmMorvV'’ -.", max_size=16)


@given(last_name=NAMES, first_name=NAMES)
def test_no_letter_becomes_another_one(last_name, first_name):
    assert [name.lower() for name in recased(last_name, first_name)] == [last_name.lower(), first_name.lower()]


@pytest.mark.parametrize("joined", [" ", "-"])
@pytest.mark.parametrize(("count", "written"), [(9, "Ab"), (10, "AB")])
def test_what_has_more_words_than_a_name_is_left_alone(joined, count, written):
    assert recased(joined.join(["AB"] * count), "JAN")[0].split(joined)[0] == written


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Mokoena, Naledi", "Mokoena, Naledi"),
        ("Café “½” 😀", "Café “½” 😀"),
        ("Moko\u202eena", "Moko‹U+202E›ena"),
        ("a\u200bb\x00c\ud800d\u3164e\U000e0041", "a‹U+200B›b‹U+0000›c‹U+D800›d‹U+3164›e‹U+E0041›"),
        ("a\u2d7fb\ufffcc\U0001107fd\U00016fe4e\U0001d159", "a‹U+2D7F›b‹U+FFFC›c‹U+1107F›d‹U+16FE4›e‹U+1D159›"),
        ("one\ntwo\tthree", "one\ntwo\tthree"),
        ("Thoe\u0301hoyandou", "Tho\u00e9hoyandou"),
    ],
)
def test_what_cannot_be_seen_is_shown(text, said):
    assert shown(text) == said


@pytest.mark.parametrize("name", ["’", "–", ". .", "'", "…", "1", "2026"])
def test_a_name_without_a_letter_is_refused(name):
    """An erasure would look for an apostrophe, which may be left out, in each text."""
    assert wrong_letters(name) == f"{name} has no letter. Write the name, or leave it blank."


@pytest.mark.parametrize("name", ["", " ", "X", "王", "O'", "3a", "ا"])
def test_one_letter_in_any_script_is_a_name(name):
    assert wrong_letters(name) == ""


@pytest.mark.parametrize(
    ("name", "alphabets"),
    [
        ("Mok\u043eena", "Cyrillic and Latin"),
        ("Naled\u03b9 Mokoena", "Greek and Latin"),
        ("C\u13a0pe", "Cherokee and Latin"),
        ("N\u0430l\u03bfdi", "Cyrillic and Greek and Latin"),
    ],
)
def test_letters_of_two_alphabets_in_a_word_are_named(name, alphabets):
    assert wrong_letters(name).endswith(
        f" has letters of two alphabets that look alike ({alphabets}). Write it in one."
    )


@pytest.mark.parametrize("name", ["Jack \u041c\u043e\u0443\u043e", "\u039c\u03bf\u03c5\u03bf, Jack"])
def test_words_of_two_alphabets_in_a_name_are_named(name):
    alphabets = "Cyrillic and Latin" if "\u043e" in name else "Greek and Latin"
    said = f"{name} has words of two alphabets that look alike ({alphabets}). Write all of it in one."
    assert wrong_letters(name) == said


@pytest.mark.parametrize("name", ["=HYPERLINK(A1) Bongi", "Bongi @SUM(1+1)", "+27 Bongi", "-1 Bongi", "- 1+A1"])
def test_a_name_that_spreadsheets_take_for_a_formula_is_refused(name):
    assert "by which spreadsheets know a formula. Remove the sign." in wrong_in_list(name)


def test_no_script_that_is_left_out_has_an_alphabet_of_those_that_look_alike():
    """By which mixed words are found (`wrong_letters`): each of its letters is told beside one of another alphabet."""
    for letter in map(chr, range(0x110000)):
        alphabet = unicodedata.name(letter, "").partition(" ")[0]
        if letter.isalpha() and alphabet in ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"):
            assert "two alphabets" in wrong_letters(f"{letter}{'я' if alphabet != 'CYRILLIC' else 'a'}"), letter


@pytest.mark.parametrize(
    "name",
    [
        "Zo\u00eb Du Pr\u00e9ez",
        "\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432",
        "O\u2019Brien-M\u00fcller",
        "Ngũgĩ wa Thiong\u02bco",
        "\u738b W\u00e0ng",
        "Botha - Smith, Anna-Mari",
        "",
    ],
)
def test_a_name_in_one_alphabet_is_a_name(name):
    assert wrong_in_list(name) == ""


def test_the_micro_sign_is_a_greek_letter():
    """Its capital is one that looks like M."""
    assert "two alphabets" in wrong_letters("\u00b5arais")
    assert wrong_letters("\u00b5") == ""


def test_a_name_whose_words_are_of_three_alphabets_is_not_looked_through_word_by_word():
    """50,000 of them in a list of players took five seconds."""
    names = [" ".join("бαé"[(place + number) % 3] for place in range(16)) for number in range(20_000)]
    assert least_seconds(lambda: [wrong_letters(name) for name in names], 0.4) < 0.4


MARKS = "\u0301\u0323"  # an accent above and a dot below: in this order they are exchanged by each normal form


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@given(st.text(st.sampled_from("aé Ωﬁ\u0344\u0f73\uff9e" + MARKS), max_size=30))
def test_texts_of_any_language_are_normalised_as_unicode_says(form, text):
    for letters in (text, f"{text} {text}"):
        assert normalized(form, letters) == unicodedata.normalize(form, letters)


@pytest.mark.parametrize("form", ["NFC", "NFKD"])
@pytest.mark.parametrize("marks", [MARKS, "\u0f73\u0301", "\uff9e\u0323"])
def test_of_marks_that_no_language_has_the_rest_is_left_out(form, marks):
    """40,000 such pairs, which a form of the site takes, kept a web server busy for 5 seconds each time they were ordered."""
    begun = time.process_time()
    assert len(normalized(form, "o" + marks * 40_000)) <= 62
    assert time.process_time() - begun < 1
    assert normalized(form, "o" + marks * 15) == unicodedata.normalize(form, "o" + marks * 15)
    assert normalized(form, ("o" + marks * 16 + " ") * 2) == unicodedata.normalize(form, ("o" + marks * 15 + " ") * 2)


FEW_LETTERS = st.lists(
    st.tuples(
        st.sampled_from("aé\uac00ﷺ— 1"), st.sampled_from("\u0301\u0e47\u0903\uff9e\U0001e8d0"), st.integers(0, 70)
    ),
    max_size=8,
)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@given(FEW_LETTERS, st.integers(0, 40))
def test_of_each_letter_thirty_marks_are_kept_wherever_it_stands(form, letters, before):
    """`letters`: each with a mark, and how often it has it."""
    text = "x" * before + "".join(letter + mark * times for letter, mark, times in letters)
    few = "x" * before + "".join(letter + mark * min(times, 30) for letter, mark, times in letters)
    assert normalized(form, text) == unicodedata.normalize(form, few)


def test_a_name_of_many_words_of_two_alphabets_is_looked_through_once():
    """With a character at its end that cannot be seen, each word was asked for it anew: 12,000 letters took seven seconds."""
    name = "\u0430a " * 100_000 + "\u200b"
    begun = time.process_time()
    assert wrong_letters(name).startswith("There is a character that cannot be seen, U+200B")
    assert time.process_time() - begun < 1
