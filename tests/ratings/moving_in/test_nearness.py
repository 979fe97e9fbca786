"""Near names are looked for without comparing each with each."""

from random import Random

import pytest

from players.identity import Person
from ratings.moving_in.register.nearness import NearNames
from tests.fuzz.readers import least_seconds


@pytest.mark.parametrize(
    ("last_name", "first_name"),
    [
        ("Mokoena", "Naledi"),
        ("Mokwenna", "Nalede"),
        ("Naledi", "Mokoenna"),
        ("Mokuhena", "Nallede"),
    ],
)
def test_a_near_name_is_found(last_name, first_name):
    known = {1: Person("Mokoena", "Naledi"), 2: Person("Cele", "Bets"), 3: Person("Naledi", "Thabo")}
    assert list(NearNames(known).near([Person(last_name, first_name)])) == [{1}]


def test_a_slip_in_each_name_is_found_among_a_year_s_players():
    known = {key: Person(f"Nel{key}", "Ann") for key in range(2, 300)} | {1: Person("Pietersenx", "Christiaan")}
    assert list(NearNames(known).near([Person("Pietersesx", "Chritsiaan")])) == [{1}]


def test_many_of_one_birth_date_are_looked_for_in_the_time_of_many_lines():
    """A register of 15,600 and a list of 1,000, all born on 1 January: no line takes more than 0.3 ms."""
    random = Random(1)

    def person():
        return Person(*("".join(random.choices("abcdefghiklmnoprstuvz", k=count)).capitalize() for count in (8, 6)))

    known = NearNames(dict(enumerate(person() for _ in range(15_600))))
    lines = [person() for _ in range(1_000)]
    assert least_seconds(lambda: list(known.near(lines)), 0.3) <= 0.3
