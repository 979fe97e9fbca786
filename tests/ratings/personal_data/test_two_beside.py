"""Two players beside one another, whose words make the name of a third: Jan Nel, Piet Botha, and Piet Nel."""

import pytest

from accounts.models import Decision
from accounts.trail.operations import record
from events.archive import store_file
from events.models import Submission
from players.operations import NewPlayer, register_players
from ratings.personal_data.erasure.names import Names, spellings
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import CLOCK, submitted

# What others are called.
OTHERS = [frozenset({"nel", "jan"}), frozenset({"botha", "piet"})]


def erased_from(text: str, first: str, last: str) -> str:
    """What an erasure of a player leaves of a text about others."""
    return Names("Player 1234567", sure=spellings(first, last), others=OTHERS).replaced(text, tied=False)


@pytest.mark.parametrize(
    "text",
    [
        "Round 3: Jan Nel – Piet Botha 1-0 was entered the wrong way round",
        "Nel, Jan - Botha, Piet 1-0",
        "Round 3: Botha, Piet - Nel, Jan",
        "Jan Nel, Piet Botha and others",
        "The team: Mia Smit, Jan Nel, Piet Botha",
        "The team:\nJan Nel\nPiet Botha\nKoos Smit",
        "1,Jan Nel,Piet Botha,1-0",
        '1,"Jan Nel","Piet Botha",1-0',
        "1\tJan Nel\tPiet Botha\t1-0",
        "Jan Nel,Piet Retief Chess Club",
        "JAN NEL    PIET BOTHA",
        "Botha Piet   Nel Jan",
        "jan_nel-piet_botha.pdf",
        "https://example.org/jan-nel-piet-botha",
        "Jan Nel;Piet Botha",
        "Jan Nel; Piet Botha; Koos Smit",
        "1;Jan Nel;Piet Botha;1-0",
        "Nel, Jan; Botha, Piet",
        "Botha, Piet, Nel, Jan",
        "1,Nel,Jan,Botha,Piet,1-0",
        "1;Botha;Piet;Nel;Jan;1-0",
        "1;Jan;Nel;Piet;Botha;1-0",
        "Jan Nel/Piet Botha",
        "Jan Nel: Piet Botha 1-0",
        "Nel Jan, Botha Piet",
        "https://example.org/?names=Jan%20Nel%2CPiet%20Botha",
        "https://example.org/?names=Nel%2C%20Jan%2C%20Botha%2C%20Piet",
    ],
)
@pytest.mark.parametrize(("first", "last"), [("Piet", "Nel"), ("Jan", "Botha")])
def test_whose_words_stand_in_the_names_of_two_others_is_not_named(text, first, last):
    assert erased_from(text, first, last) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("12,Nel,Piet,1990", "12,Player 1234567,1990"),
        ("12\tNel\tPiet Botha\t1990", "12\tPlayer 1234567 Botha\t1990"),
        ("White Nel, Piet Black Botha, Jan", "White Player 1234567 Black Botha, Jan"),
        ("Botha, Jan Nel, Piet 1-0", "Botha, Jan Player 1234567 1-0"),
        ("Mia Smit, Piet Nel, Jan Botha", "Mia Smit, Player 1234567, Jan Botha"),
        ("Jan Nel, Piet Nel", "Jan Nel, Player 1234567"),
        ("jan-nel-piet-nel.pdf", "jan-nel-Player 1234567.pdf"),
        ("GAU Nel\tPiet\tM", "GAU Player 1234567\tM"),
        ("Piet Nel – Jan Botha", "Player 1234567 – Jan Botha"),
        ("1;Nel;Piet;Botha;Jan;1-0", "1;Player 1234567;Botha;Jan;1-0"),
        ("Botha, Jan; Nel, Piet", "Botha, Jan; Player 1234567"),
    ],
)
def test_he_is_named_beside_others(text, left):
    assert erased_from(text, "Piet", "Nel") == left


@pytest.mark.parametrize(
    "text",
    ["Jan Nel; Piet Retief", "Jan Nel/Piet", "Jan Nel (Piet)", "Retief, Piet, Nel, Koos"],
)
def test_beside_another_name_no_sign_but_a_comma_makes_his_of_two_whom_nobody_knows(text):
    assert Names("Player 1234567", sure=spellings("Piet", "Nel")).replaced(text, tied=False) == text


def test_whose_first_name_follows_another_in_a_list_is_not_named():
    """Nobody knows the second."""
    for text in ("Jan Nel, Piet Retief and others", "jan nel, piet retief"):
        assert erased_from(text, "Piet", "Nel") == text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "content",
    [
        "round,white,black,result\n1,Jan Nel,Piet Botha,1-0\n",
        "round;white;black;result\n1;Jan Nel;Piet Botha;1-0\n",
        "round\twhite\tblack\tresult\n1\tJan Nel\tPiet Botha\t1-0\n",
        "team,result\nJan Nel - Piet Botha,1-0\n",
        "name,club\nJan Nel,Piet Retief CC\n",
    ],
)
def test_a_file_of_two_others_stays_as_it_came_and_what_was_decided_of_them_is_as_it_was(content):
    his, other, _ = register_players(
        [NewPlayer("Nel", "Piet"), NewPlayer("Nel", "Jan"), NewPlayer("Botha", "Piet")], at=CLOCK
    )
    event = submitted()
    file = store_file(content.encode())
    Submission.objects.filter(section__event=event).update(file=file)
    event.state = "withdrawn"
    event.save()
    record("waived", other, at=CLOCK, by=None, reason="Jan Nel – Piet Botha was entered the wrong way round")
    erase_player(his, at=CLOCK, by=None, reason="his mother asks")
    file.refresh_from_db()
    assert (file.replaced_at, bytes(file.content)) == (None, content.encode())
    assert Decision.objects.get(action="waived").reason.startswith("Jan Nel – Piet Botha")
