"""When two lines of text are one person: pairs with their verdicts, and what holds of every pair."""

import string
import time
import tracemalloc
import unicodedata
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.lib import keeping
from players.identity import (
    LONGEST_FOLDED,
    Person,
    Strength,
    birth_agreement,
    fold,
    folded_name,
    is_another_name,
    is_candidate,
    likelihood,
    name_similarity,
    parts_of,
    same_newcomers,
)
from tests.fuzz.readers import forget_all

BORN = date(2001, 5, 17)


def same_name(last, first, other_last, other_first):
    return name_similarity(Person(last, first), Person(other_last, other_first))


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("O'Brien, Zoë", "obrien zoe"),
        ("O’Brien", "obrien"),
        ("Muhammad \ufdfa", "muhammad"),  # a blessing, of eighteen letters
        ("O\u02bcBrien wa Thiong\u02bbo", "obrien wa thiongo"),
        ("Van der Merwe-Botha", "van der merwe botha"),
        ("  MOKOENA   N. ", "mokoena n"),
        ("Łukasz Żółw", "lukasz zolw"),
        ("Straße", "strasse"),
        ("Þór Æsir Øyvind Đặng", "thor aesir oyvind dang"),
        ("", ""),
        ("., -", ""),
        ("O`Brien\x00_\t(Jr)", "obrien jr"),
        ("Bo\u180btha Ja\U000e0100n", "botha jan"),
    ],
)
def test_fold(text, folded):
    assert fold(text) == folded


def test_a_name_is_searched_by_its_words():
    assert folded_name("Van Wyk", "Zoë") == " van wyk zoe"
    assert folded_name("Pelé", "") == " pele"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("Mokoena", "Naledi"), ("MOKOENA", "naledi")),
        (("Müller", "Zoë"), ("Muller", "Zoe")),
        (("O'Brien", "Sean"), ("OBrien", "Sean")),
        (("Mokoena", "Naledi"), ("Naledi", "Mokoena")),
        (("Van der Merwe", "Jan"), ("Merwe", "Jan van der")),
        (("Botha-Nel", "Ria"), ("Botha Nel", "Ria")),
    ],
)
def test_spellings_of_one_name_agree_wholly(first, second):
    assert same_name(*first, *second) == 1.0


@pytest.mark.parametrize(
    ("first", "second", "least", "most"),
    [
        (("Mokoena", "N"), ("Mokoena", "Naledi"), 0.9, 0.9),
        (("Mokoena", "N.P."), ("Mokoena", "Naledi Precious"), 0.85, 1),
        (("Mokoena", "Naledi"), ("Mokoena", "Nalédi P"), 0.85, 0.999),
        (("Botha", "Ria"), ("Botha-Nel", "Ria"), 0.7, 0.999),
        (("Mokoena", "T"), ("Mokoena", "Naledi"), 0, 0.85),
        # without a comma a file's name is all last name; initials may stand first, or without blanks between
        (("K Modise", ""), ("Modise", "Karabo"), 0.9, 0.9),
        (("K. Modise", ""), ("Modise", "Karabo Thabo"), 0.9, 0.9),
        (("Modise K T", ""), ("Modise", "Karabo Thabo"), 0.9, 0.9),
        (("Botha", "JP"), ("Botha", "Jan Pieter"), 0.9, 0.9),
        (("J van der Merwe", ""), ("Van der Merwe", "Johanna"), 0.9, 0.9),
        (("T Modise", ""), ("Modise", "Karabo"), 0, 0.849),
        (("K Mokoena", ""), ("Modise", "Karabo"), 0, 0.849),
        (("Karabo M", ""), ("Modise", "Karabo"), 0, 0.849),
        (("Botha", "PJ"), ("Botha", "Jan Pieter"), 0, 0.849),
        (("Mokoena", "Naledi"), ("Steyn", "Willem"), 0, 0.54),
        (("Player", "12"), ("Player", "13"), 0, 0),
    ],
)
def test_names_that_agree_in_part(first, second, least, most):
    assert least <= same_name(*first, *second) <= most


def person(last="Mokoena", first="Naledi", **fields):
    return Person(last, first, **fields)


CERTAIN, POSSIBLE, AGAINST = Strength.CERTAIN, Strength.POSSIBLE, Strength.AGAINST


@pytest.mark.parametrize(
    ("line", "known", "strength", "asked"),
    [
        # An id that agrees settles it, unless the person speaks against it.
        (person(national_id="100000007"), person(national_id="100000007"), CERTAIN, True),
        (person(fide_id="14300001"), person(fide_id="14300001"), CERTAIN, True),
        (person(fide_id="014300001"), person(fide_id="14300001"), CERTAIN, True),
        (person("Mokoena", "N", fide_id="1430"), person(fide_id="1430"), CERTAIN, True),
        (person("Steyn", "Willem", national_id="100000007"), person(national_id="100000007"), AGAINST, True),
        (person("Steyn", "Willem", fide_id="1430"), person(fide_id="1430"), AGAINST, True),
        (
            person("Mokwena", "Nal", fide_id="1430", birth_date=date(1950, 1, 1)),
            person(fide_id="1430", birth_date=BORN), AGAINST, True,
        ),
        (person(fide_id="1430", birth_date=date(2001, 5, 18)), person(fide_id="1430", birth_date=BORN), CERTAIN, True),
        # Siblings share a last name, not the first; a spelling, a short form or the birth date says otherwise.
        (person("Mokoena", "Thandi", national_id="100000007"), person(national_id="100000007"), AGAINST, True),
        (person("Mokoena", "Nal", national_id="100000007"), person(national_id="100000007"), CERTAIN, True),
        (person("Mokoena", "Nalade", national_id="100000007"), person(national_id="100000007"), CERTAIN, True),
        (person("Mokoena", "Norman", national_id="100000007"), person(national_id="100000007"), AGAINST, True),
        (
            person("Janse van Rensburg", "Jan", national_id="100000007", birth_date=date(2008, 1, 1)),
            person("Janse van Rensburg", "Eva", national_id="100000007", birth_date=date(2010, 5, 1)), AGAINST, True,
        ),
        (
            person("Mokoena", "Nalad", national_id="100000007", sex="M"),
            person(national_id="100000007", sex="F"), AGAINST, True,
        ),
        (person("Mokoena", "Thandi N", national_id="100000007"), person(national_id="100000007"), CERTAIN, True),
        (person("Botha", "JP", national_id="100000007"), person("Botha", "Jan Pieter", national_id="100000007"), CERTAIN, True),
        (person("Botha", "PJ", national_id="100000007"), person("Botha", "Jan Nel", national_id="100000007"), AGAINST, True),
        (
            person("Mokoena", "Thandi", national_id="100000007", birth_date=BORN),
            person(national_id="100000007", birth_date=BORN), CERTAIN, True,
        ),
        # A line without a name says nothing against its id; a birth date may.
        (person("", "", national_id="100000007"), person(national_id="100000007"), CERTAIN, True),
        (
            person("", "", national_id="100000007", birth_date=BORN),
            person(national_id="100000007", birth_date=BORN), CERTAIN, True,
        ),
        (
            person("", "", national_id="100000007", birth_date=date(2001, 5, 18)),
            person(national_id="100000007", birth_date=BORN), AGAINST, True,
        ),
        (person("", "", birth_date=BORN), person(birth_date=BORN), POSSIBLE, False),
        (person("", "", national_id="100000008"), person(national_id="100000007"), POSSIBLE, False),
        # One id agrees, the other differs: the one that agrees counts.
        (
            person(national_id="100000008", fide_id="1430"), person(national_id="100000007", fide_id="1430"), CERTAIN, True,
        ),
        # An id that differs is somebody else, unless name and birth say otherwise, or the birth is not known: a person decides.
        (person(fide_id="1431"), person(fide_id="1430"), POSSIBLE, True),
        (person(fide_id="1431"), person(fide_id="1430", birth_date=BORN), POSSIBLE, True),
        (person("Mokoena", "N", fide_id="1431"), person(fide_id="1430", birth_date=BORN), POSSIBLE, False),
        (person(fide_id="1431", birth_date=BORN), person(fide_id="1430", birth_date=BORN), POSSIBLE, True),
        # … nor may somebody of the same name and year of birth be passed over, whatever the ids say.
        (person(fide_id="1431", birth_year=2001), person(fide_id="1430", birth_date=BORN), POSSIBLE, True),
        (person(fide_id="1431", birth_date=date(2001, 7, 15)), person(fide_id="1430", birth_date=BORN), POSSIBLE, True),
        (person(fide_id="1431", birth_year=2002), person(fide_id="1430", birth_date=BORN), POSSIBLE, False),
        (person(national_id="100000008", birth_year=2001), person(national_id="100000007", birth_year=2001), POSSIBLE, True),
        (
            person("Mokoena", "Nalede", fide_id="1431", birth_year=2001), person(fide_id="1430", birth_date=BORN),
            POSSIBLE, False,
        ),
        # Lists that publish the year alone write 1 January.
        (person(fide_id="1430", birth_date=date(2001, 1, 1)), person(fide_id="1430", birth_date=BORN), CERTAIN, True),
        (person(birth_date=date(2001, 1, 1)), person(birth_date=BORN), POSSIBLE, True),
        # Without an id: the same name and the same day.
        (person(birth_date=BORN), person(birth_date=BORN), CERTAIN, True),
        (person("NALEDI", "mokoena", birth_date=BORN), person(birth_date=BORN), CERTAIN, True),
        (person(birth_date=BORN, sex="F"), person(birth_date=BORN, sex="M"), POSSIBLE, True),
        (person("Mokoena", "N", birth_date=BORN), person(birth_date=BORN), POSSIBLE, True),
        (person(birth_year=2001), person(birth_date=BORN), POSSIBLE, True),
        (person(), person(birth_date=BORN), POSSIBLE, True),
        (person(), person(), POSSIBLE, True),
        (person(birth_date=date(2001, 7, 15)), person(birth_date=BORN), POSSIBLE, True),
        (person(birth_date=date(1980, 5, 17)), person(birth_date=BORN), POSSIBLE, False),
        (person(birth_year=1980), person(birth_date=BORN), POSSIBLE, False),
        (person("Steyn", "Willem", birth_date=BORN), person(birth_date=BORN), POSSIBLE, False),
    ],
)  # fmt: skip
def test_verdicts(line, known, strength, asked):
    found = likelihood(line, known)
    assert found.strength is strength
    assert is_candidate(line, known, found) is asked


def test_a_verdict_names_its_evidence():
    line = person("Mokoena", "N", national_id="100000008", fide_id="1430", birth_year=2001, sex="M")
    known = person(national_id="100000007", fide_id="1430", birth_date=BORN, sex="F")
    assert likelihood(line, known).reason == (
        "Chess SA id differs: 100000008 in the file, 100000007 here; same FIDE id 1430; names agree by 90%;"
        " same year of birth; sex differs"
    )


words = st.text(string.ascii_letters + "äéíõüñçøłß'-. ", max_size=14)
persons = st.builds(
    Person,
    last_name=words,
    first_name=words,
    national_id=st.sampled_from(["", "100000001", "100000002"]),
    fide_id=st.sampled_from(["", "14300001", "14300002"]),
    birth_date=st.none() | st.dates(date(1930, 1, 1), date(2020, 1, 1)),
    sex=st.sampled_from(["", "M", "F"]),
)


def is_no_phrase(char: str) -> bool:
    """Whether a character stands for four letters at most; those that stand for a phrase are none of a name."""
    return len(unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())) <= 4


ANY_LETTERS = (st.characters(exclude_categories=["Cs"]) | st.sampled_from("ßİﬁŉ가㍇ᾳa\u0345\u0301\u0316")).filter(
    is_no_phrase
)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@given(st.text(ANY_LETTERS, max_size=40))
def test_in_whatever_form_a_text_stands_it_folds_alike(form, text):
    """The order of marks, and whether they are one with their letters, do not matter."""
    assert fold(unicodedata.normalize(form, text)) == fold(text)


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(persons, persons)
def test_a_verdict_does_not_depend_on_the_side(first, second):
    here, there = likelihood(first, second), likelihood(second, first)
    assert here.strength is there.strength
    assert here.score == there.score
    assert 0 <= here.score <= 1


@given(persons)
def test_everybody_is_himself(one):
    assert name_similarity(one, one) == 1.0
    sure = bool(one.national_id or one.fide_id or one.birth_date)
    assert (likelihood(one, one).strength is CERTAIN) is sure


@given(persons, persons)
def test_no_match_is_certain_on_a_name_alone(line, known):
    found = likelihood(line, known)
    if found.strength is CERTAIN:
        shared = [
            (line.national_id, known.national_id), (line.fide_id, known.fide_id), (line.birth_date, known.birth_date),
        ]  # fmt: skip
        assert any(ours and ours == theirs for ours, theirs in shared)
        nameless = not fold(f"{line.last_name}{line.first_name}") or not fold(f"{known.last_name}{known.first_name}")
        assert nameless or name_similarity(line, known) >= 0.55


def test_newcomers_of_two_lists_are_the_same_only_one_to_one():
    one, twin = person(birth_date=BORN), person(birth_date=date(2012, 2, 2))
    assert same_newcomers([person()], [one]) == [person()]
    assert same_newcomers([person()], [one, twin]) == []
    assert same_newcomers([person(), person("Steyn", "Willem")], [person("Steyn", "Willem")]) == [
        person("Steyn", "Willem")
    ]
    assert same_newcomers([one], [twin]) == []


@pytest.mark.parametrize(
    ("line", "known", "agreement"),
    [
        ({"birth_date": BORN}, {"birth_date": BORN}, "date"),
        ({"birth_date": date(2001, 5, 18)}, {"birth_date": BORN}, "other day"),
        ({"birth_date": date(2001, 1, 1)}, {"birth_date": BORN}, "year"),
        ({"birth_date": BORN}, {"birth_date": date(2001, 1, 1)}, "year"),
        ({"birth_date": date(2001, 1, 2)}, {"birth_date": BORN}, "other day"),
        ({"birth_year": 2001}, {"birth_date": BORN}, "year"),
        ({"birth_date": date(2002, 5, 17)}, {"birth_date": BORN}, "other year"),
        ({"birth_year": 2000}, {"birth_year": 2001}, "other year"),
        ({}, {"birth_date": BORN}, "unknown"),
    ],
)
def test_how_two_births_agree(line, known, agreement):
    assert birth_agreement(person(**line), person(**known)) == agreement


@pytest.mark.parametrize(
    ("name", "other", "another"),
    [
        ("Thandi Nkosi", "Nkosi Thandi", False),
        ("T. Nkosi", "Thandi Nkosi", False),
        ("Thandi Nkosy", "Thandi Nkosi", False),
        ("Thandi Grace Nkosi", "Thandi Nkosi", False),
        ("Sipho Nkosi", "Thandi Nkosi", True),
        ("Willem Steyn", "Thandi Nkosi", True),
        ("Thandi Steyn", "Thandi Nkosi", True),
    ],
)
def test_two_names_beside_one_id(name, other, another):
    assert is_another_name(name, other) is another


def test_letters_that_stand_for_several_make_no_name_too_long_to_be_kept():
    """A syllable of Korean is three letters."""
    assert len(folded_name("\uac01" * 100, "Ann")) <= LONGEST_FOLDED


@pytest.mark.parametrize(
    "name", [" ".join("абвгдежзиклмнопрстуфхцчшщ" * 2), "\uac01" * 900], ids=["many words", "many letters"]
)
def test_names_of_which_much_is_made_fill_no_memory(name, monkeypatch):
    """10 kB each: kept are the folded names, and the parts, of which each has its room; a twentieth of it here."""
    room = keeping.MOST_BYTES // 20
    monkeypatch.setattr(keeping, "MOST_BYTES", room)
    forget_all()
    tracemalloc.start()
    for number in range(600):
        parts_of(Person(f"{name} {number}", ""))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 2.2 * room
    assert parts_of(Person(f"{name} 599", "")) is parts_of(Person(f"{name} 599", ""))


def test_twins_without_end_are_compared_in_no_time():
    """Two sections of thousands of new players of one name, each born on another day."""
    days = [date(1990, 1, 1) + timedelta(days=number) for number in range(4_000)]
    people = [[person(birth_date=day) for day in days] for _ in range(2)]
    begun = time.process_time()
    assert same_newcomers(*people) == []
    assert time.process_time() - begun < 1
