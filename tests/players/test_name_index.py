"""The index of names finds whom a comparison of each line with each person finds, if a word of both sounds alike."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players import name_index
from players.identity import Person, fold, names_agree, parts_of
from players.name_index import NameIndex, sound, sounds


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("mokoena", "mokena"),
        ("mokoena", "mokwena"),
        ("naledi", "naledy"),
        ("philip", "filip"),
        ("nkosi", "nkhosi"),
        ("viljoen", "filyoen"),
        ("jacobs", "jakobs"),
        ("cassim", "kasim"),
        ("zondo", "sondo"),
        ("alexander", "aleksander"),
        ("nick", "nic"),
    ],
)
def test_usual_spellings_sound_alike(word, other):
    assert sound(word) == sound(other)


@pytest.mark.parametrize(
    ("word", "other"), [("botha", "boshoff"), ("lee", "li"), ("neo", "nea"), ("player12", "player13"), ("ли", "ле")]
)
def test_other_words_and_the_shortest_do_not(word, other):
    assert sound(word) != sound(other)


def test_initials_have_no_sound():
    assert sounds(fold("Mokoena, N P")) == {sound("mokoena")}
    assert sounds("") == set()


words = st.sampled_from(
    [
        "Mokoena",
        "Mokena",
        "Mokwena",
        "Naledi",
        "Naledy",
        "Nel",
        "Neo",
        "Li",
        "Lee",
        "van",
        "der",
        "Merwe",
        "N",
        "NP",
        "P",
        "12",
        "13",
    ]
)
names = st.lists(words, max_size=3).map(" ".join)
persons = st.builds(Person, last_name=names, first_name=names)


def heard(person):
    return sounds(fold(f"{person.last_name} {person.first_name}"))


def found(known, lines):
    """Whom the index finds for each line."""
    index = NameIndex({key: parts_of(person) for key, person in known.items()})
    return index.agreeing([parts_of(line) for line in lines])


@pytest.mark.parametrize("few", [-1, 200])
@given(st.lists(persons, max_size=6), st.lists(persons, max_size=12))
def test_it_finds_whom_comparing_each_with_each_finds(few, lines, known):
    people = dict(enumerate(known))
    expected = [
        {key for key, person in people.items() if heard(line) & heard(person) and names_agree(line, person)}
        for line in lines
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(name_index, "_FEW", few)  # with -1 all pairs are told apart at a glance, as those of a large file
        assert found(people, lines) == expected


@pytest.mark.parametrize("few", [-1, 200])
def test_it_finds_a_name_of_one_word_with_its_own_initial(few, monkeypatch):
    monkeypatch.setattr(name_index, "_FEW", few)
    assert found({0: Person("", "N Nel")}, [Person("", "Nel")]) == [{0}]
    assert found({0: Person("", "Nel")}, [Person("", "N Nel")]) == [{0}]


@pytest.mark.parametrize("given_names", ["Dlamini Khumalo Thabo", "Dlamini K", "N G P D K S"])
def test_of_names_of_many_words_few_are_compared_one_by_one(given_names):
    """Such a file of 2,900 lines kept a worker busy for 104 seconds: each line was compared with all who share a sound."""
    surnames = ["Naidoo", "Govender", "Pillay", "Dlamini", "Khumalo"]
    known = [parts_of(Person(surnames[number % 5], f"{'TNASZ'[number % 5]}habo")) for number in range(1_000)]
    lines = [parts_of(Person("Naidoo Govender Pillay", given_names))] * 50
    assert len(list(name_index._near(lines, known))) < 50


def test_of_names_with_initials_those_of_other_letters_are_not_compared_one_by_one():
    """Such a file of 3,300 lines took 14 seconds in a register where a quarter of the people have one last name."""
    known = [
        parts_of(Person("Naidoo", f"{letter}habo {letter}usi{tail}"))
        for letter in "BCDFGHJKLM"
        for tail in "abcdefghij"
    ]
    lines = [parts_of(Person("Naidoo", f"{letter} T")) for letter in "BCDFGHJKLM"]
    assert len(list(name_index._near(lines, known))) == len(known)


def test_lines_of_one_name_cost_little_more_than_one_of_them():
    """Such a file of 3,300 lines took 27 seconds in that register."""
    known = {number: Person("Naidoo", f"Thabo{chr(97 + number % 26) * (number // 26)}") for number in range(1_000)}
    index = NameIndex({number: parts_of(person) for number, person in known.items()})

    def seconds(lines):
        begun = time.process_time()
        index.agreeing([parts_of(Person("Naidoo", "T"))] * lines)
        return time.process_time() - begun

    one = min(seconds(1) for _ in range(3))
    assert min(seconds(3_300) for _ in range(3)) < 20 * one


def test_a_name_of_more_words_than_usual_is_looked_for_by_its_rarest():
    """Each of its words may be that of hundreds: 10,000 names of a surname and ten frequent words took 14 seconds."""
    frequent = ["Dlamini", "Khumalo", "Thabo", "Naidoo", "Sipho", "Nel", "Botha", "Pillay"]
    known = {number: Person(word, f"Ayanda{chr(97 + number % 26)}") for number, word in enumerate(frequent * 50)}
    rare = Person("Xaba", " ".join(frequent))
    known[1_000] = rare
    compared = []
    with pytest.MonkeyPatch.context() as patch:
        near = name_index._near
        patch.setattr(name_index, "_near", lambda names, others: compared.append(len(others)) or near(names, others))
        misspelt = Person("Xabba", " ".join(frequent))
        assert found(known, [rare, misspelt]) == [{1_000}, {1_000}]
    assert len(compared) <= 4


def test_a_name_of_more_words_than_usual_is_found_by_its_initials():
    known = {number: Person("Janse van Rensburg", initials) for number, initials in enumerate(["C K D E", "CKDE", "C"])}
    known |= {number: Person("Christiaan", f"Karien{number} Dewald Elsabe") for number in range(3, 40)}
    line = Person("Janse van Rensburg", "Christiaan Karien Dewald Elsabe")
    expected = {key for key, person in known.items() if names_agree(line, person)}
    assert {0, 1} <= expected
    without_comma = Person("Christiaan Karien Dewald Elsabe Janse van Rensburg", "")
    assert found(known, [line, without_comma]) == [
        expected, {key for key, person in known.items() if names_agree(without_comma, person)},
    ]  # fmt: skip


@given(st.lists(words, min_size=7, max_size=10), st.integers(0, 9), st.lists(persons, max_size=12))
def test_of_names_of_more_words_than_usual_it_finds_whom_comparing_each_with_each_finds(given, comma, known):
    line = Person(" ".join(given[:comma]), " ".join(given[comma:]))
    people = dict(enumerate([*known, Person(line.last_name, " ".join(word[:1] for word in given[comma:]))]))
    assert found(people, [line]) == [
        {key for key, person in people.items() if heard(line) & heard(person) and names_agree(line, person)}
    ]


def test_a_name_of_many_words_is_compared_with_nobody():
    """A file of 10,000 names of 37 words, each that of a thousand people, kept a worker busy for two minutes."""
    words = ["Dlamini", "Khumalo", "Thabo", "Naidoo", "Sipho", "Nel", "Botha", "Pillay", "Venter", "Mokoena", "Zulu"]
    of_twelve, of_thirteen = [*words, "Cele"], [*words, "Cele", "Nkosi"]
    known = {0: Person(" ".join(of_twelve), ""), 1: Person(" ".join(of_thirteen), "")}
    assert found(known, [known[1], Person(" ".join([*words, "Cele", "Nkosy"]), "")]) == [{1}, set()]
    assert 0 in found(known, [Person(" ".join([*words, "Cela"]), "")])[0]


def test_more_lines_than_are_compared_at_once():
    people = {number: Person("Mokoena", f"Naledi{number}") for number in range(600)}
    lines = [Person("Mokoena", f"Naledi{number}") for number in range(600)]
    assert found(people, lines) == [{number} for number in range(600)]
