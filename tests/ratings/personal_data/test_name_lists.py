"""People beside one another in a text, on a register where nearly every first name goes with every surname."""

from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accounts.models import Decision
from accounts.trail.operations import record
from events.archive import store_file
from events.models import Submission
from players.identity import fold
from players.operations import NewPlayer, register_players
from ratings.personal_data.erasure.names import Names, spellings
from ratings.personal_data.erasure.operations import erase_player
from tests.builders import CLOCK, region, submitted
from tests.fuzz.readers import least_seconds, most_bytes

NAME = "Player 1234567"
REGISTER = list(
    product(
        ["Jan", "Piet", "Anna", "Zoë", "Thandi Grace"],
        ["Nel", "Botha", "Dube", "van Wyk", "van der Merwe", "O'Rourke", "Blackwood-Reid"],
    )
)
SEPARATORS = [" - ", " – ", "; ", ", ", "\n", "\t", " v ", " and ", "/", ". ", ",", ";", "   "]
AROUND = [("", ""), ("Round 3: ", " 1-0"), ("The fees of ", " are paid"), ("Board order:\n", "\n"), ("1\t", "\t1-0")]


def first_last(first, last):
    return f"{first} {last}"


def last_first(first, last):
    return f"{last}, {first}"


def two_cells(sign, quote):
    return lambda first, last: f"{quote}{last}{quote}{sign}{quote}{first}{quote}"


def quoted(written):
    return lambda first, last: f'"{written(first, last)}"'


LAYOUTS = [
    *((separator, written) for separator in SEPARATORS for written in (first_last, last_first)),
    *((sign, two_cells(sign, quote)) for sign in ",;\t" for quote in ("", '"')),
    *((sign, quoted(written)) for sign in ",;\t" for written in (first_last, last_first)),
    ("-", first_last), ("\n", two_cells(",", "")), ("\n", two_cells(";", "")),
]  # fmt: skip


@st.composite
def lists(draw):
    """Some people who are listed, who is erased, and all who are on the register."""
    listed = draw(st.lists(st.sampled_from(REGISTER), min_size=2, max_size=6, unique=True))
    his = draw(st.sampled_from(draw(st.sampled_from([listed, REGISTER]))))
    missing = draw(st.sets(st.sampled_from(REGISTER), max_size=20)) - {*listed, his}
    return listed, his, [person for person in REGISTER if person not in missing]


def erased_from(text, his, register):
    others = {frozenset(fold(f"{first} {last}").split()) for first, last in register if (first, last) != his}
    return Names(NAME, sure=spellings(*his), others=others).replaced(text, tied=False)


@given(lists(), st.sampled_from(LAYOUTS), st.sampled_from(AROUND))
@example(
    ([("Thandi Grace", "van Wyk"), ("Jan", "Nel")], ("Thandi Grace", "van Wyk"), REGISTER), ("/", last_first), ("", "")
)
def test_in_each_layout_he_is_taken_from_a_list_and_nobody_else(people, layout, around):
    (listed, his, register), (separator, written), (before, after) = people, layout, around
    text = before + separator.join(written(*person) for person in listed) + after
    names = [NAME if person == his else written(*person) for person in listed]
    got = erased_from(text, his, register)
    assert got.replace(f'"{NAME}"', NAME) == before + separator.join(names) + after


@given(lists(), st.data(), st.sampled_from([", ", "; ", "\n", " and ", " - ", "-", "/"]), st.sampled_from(AROUND))
def test_whose_first_name_stands_in_brackets_is_taken_from_a_list_of_people_known_or_not(
    people, data, separator, around
):
    (listed, his, register), (before, after) = people, around
    unknown = data.draw(st.sets(st.sampled_from(listed)))
    written = [f"{last} ({first})" for first, last in listed]
    names = [NAME if person == his else name for person, name in zip(listed, written, strict=True)]
    got = erased_from(before + separator.join(written) + after, his, [one for one in register if one not in unknown])
    assert got == before + separator.join(names) + after


@given(lists(), st.sampled_from("_-."))
def test_in_an_address_or_the_name_of_a_file_he_is_taken_from_a_list_and_nobody_else(people, sign):
    listed, his, register = people
    for swap in (False, True):
        written = (" ".join(reversed(person) if swap else person) for person in listed)
        names = [name.lower().replace(" ", sign) for name in written]
        text = "team" + sign + sign.join(names) + ".pdf"
        left = [NAME if person == his else name for person, name in zip(listed, names, strict=True)]
        assert erased_from(text, his, register) == "team" + sign + sign.join(left) + ".pdf"


SIBLINGS = [("Anna", "Nel"), ("Piet", "Nel"), ("Zoe", "Nel")]


@pytest.mark.parametrize(
    "text",
    [
        "The fees of Nel, Anna; Nel, Piet; Nel, Zoe are paid",
        "The fees of Nel, Anna, Nel, Piet, Nel, Zoe are paid",
        "Anna Nel - Piet Nel - Zoe Nel",
        "Nel Anna - Nel Piet - Nel Zoe",
        "Anna Nel. Piet Nel. Zoe Nel.",
        "anna_nel_piet_nel_zoe_nel.pdf",
        "https://example.org/nel-anna-nel-piet-nel-zoe",
        "Nel,Anna,Nel,Piet,Nel,Zoe",
        "Nel;Anna;Nel;Piet;Nel;Zoe",
        "Anna Nel   Piet Nel   Zoe Nel",
    ],
)
def test_of_brothers_and_sisters_in_a_list_one_goes(text):
    left = erased_from(text, ("Piet", "Nel"), SIBLINGS)
    assert "piet" not in left.lower()
    assert [left.lower().count(word) for word in ("anna", "zoe", "nel")] == [1, 1, 2]


@pytest.mark.parametrize(
    ("text", "his", "others", "left"),
    [
        (
            "Board order: Karel van Wyk - Jan Nel - Anna Nel",
            ("Jan", "Nel"),
            [("Karel", "van Wyk"), ("Jan", "van Wyk"), ("Anna", "Nel")],
            f"Board order: Karel van Wyk - {NAME} - Anna Nel",
        ),
        # Of those beside him nobody is on the register.
        (
            "Karel Smit - Jan Nel - Anna Cele",
            ("Jan", "Nel"),
            [("Jan", "Smit"), ("Anna", "Nel")],
            f"Karel Smit - {NAME} - Anna Cele",
        ),
        (
            "Smit, Karel; Nel, Jan; Cele, Anna",
            ("Jan", "Nel"),
            [("Karel", "Nel"), ("Jan", "Cele")],
            f"Smit, Karel; {NAME}; Cele, Anna",
        ),
        ("1,Jan,Botha,RSA,1990", ("Jan", "Botha"), [], f"1,{NAME},RSA,1990"),
        ("1;BOTHA;JAN;RSA;M", ("Jan", "Botha"), [], f"1;{NAME};RSA;M"),
        ("12;botha;jan;1990", ("Jan", "Botha"), [], f"12;{NAME};1990"),
        ("asked by Coach Jan\nBotha for", ("Jan", "Botha"), [], f"asked by Coach {NAME} for"),
        ("Late was nel, piet again", ("Piet", "Nel"), [], f"Late was {NAME} again"),
        ("Of White, Will and others", ("Will", "White"), [], f"Of {NAME} and others"),
        ("white, will", ("Will", "White"), [], NAME),
        ("Of Le, Van", ("Van", "Le"), [], f"Of {NAME}"),
        ("So Jan Nel's game and Jan Nel", ("Jan", "Nel"), [("Anna", "Nel")], f"So {NAME}'s game and {NAME}"),
    ],
)  # fmt: skip
def test_in_a_list_he_is_found(text, his, others, left):
    assert erased_from(text, his, [his, *others]) == left


@pytest.mark.parametrize(
    ("text", "his", "others"),
    [
        (
            "Dube, Jan\nvan der Merwe, Anna\nBotha, Xoli",
            ("Anna", "Botha"),
            [("Jan", "Dube"), ("Anna", "van der Merwe")],
        ),
        ("1\tNel, Jan\tBotha, Piet", ("Jan", "Botha"), [("Jan", "Nel"), ("Piet", "Botha")]),
        ("1\tKoen, Jan\tBotha, Xavi", ("Jan", "Botha"), []),  # neither on the register
        ("Koen, Jan\nBotha, Xavi", ("Jan", "Botha"), []),
        ("Jan Nel Botha won", ("Jan", "Nel"), [("Jan", "Nel Botha")]),
        ("Black: will be forfeited", ("Will", "Black"), []),
        ("Black: Will be", ("Will", "Black"), []),
        ("black: will", ("Will", "Black"), []),
        ("King: Grace period", ("Grace", "King"), []),
        ("May/April", ("April", "May"), []),
        ("Feb/Jan", ("Jan", "Feb"), []),
        ("Dube played with white, will be entered", ("Will", "White"), []),
        ("Black, will be forfeited", ("Will", "Black"), []),
    ],
)
def test_words_of_others_and_of_sentences_are_no_name_of_his(text, his, others):
    assert erased_from(text, his, [his, *others]) == text


def test_of_him_and_of_her_with_his_first_name_in_lines_one_goes():
    others = [("Jan", "Dube"), ("Anna", "van der Merwe")]
    left = erased_from("Dube, Jan\nvan der Merwe, Anna\nBotha, Anna\n", ("Anna", "Botha"), others)
    assert left == f"Dube, Jan\nvan der Merwe, Anna\n{NAME}\n"


@pytest.mark.parametrize(
    "text",
    [
        "-{}", "1-{}", "{}-0", "{}_1", "1_{}", "report_{}", "{}- he was late", "{}-Jan Botha 1-0", "Jan Botha-{}",
        "Botha, Jan-{}", "{}-Botha, Jan", "Jan Botha-{}-Zoë Dube",
    ],
)  # fmt: skip
@pytest.mark.parametrize("written", ["Piet Nel", "Nel, Piet", "Nel,Piet", "Nel (Piet)", "Nel;Piet", "Nel/Piet"])
def test_a_hyphen_joins_him_to_figures_and_others(text, written):
    assert erased_from(text.format(written), ("Piet", "Nel"), REGISTER) == text.format(NAME)


@pytest.mark.parametrize(
    "text",
    ["Piet Nel-Smit", "Jan-Piet Nel", "Smit-Nel, Piet", "Smit-Nel (Piet)", "Nel, Piet-Jan", "Nel-Smit Piet"],
)
def test_a_hyphen_makes_his_words_those_of_another(text):
    assert erased_from(text, ("Piet", "Nel"), REGISTER) == text


@pytest.mark.parametrize("text", ["Nel: {} was late", "Nel; {} was late", "Nel/{} was late"])
def test_his_own_words_around_a_sign_are_no_sentence(text):
    assert erased_from(text.format("Piet"), ("Piet", "Nel"), REGISTER) == f"{NAME} was late"


@pytest.mark.parametrize("line", ["Nel, Piet ", "{} Jan Nel, Piet Botha; ", "{}\tNel\tPiet\n", "Nel Piet Nel Jan "])
def test_a_file_full_of_his_words_is_read_in_linear_time(line):
    text = "".join(map(line.format, range(100_000 // len(line))))
    others = {frozenset(fold(f"{first} {last}").split()) for first, last in REGISTER}
    names = Names(NAME, sure=spellings("Piet", "Nel"), others=others - {frozenset({"piet", "nel"})})
    assert least_seconds(lambda: names.replaced(text, tied=False), 2) <= 2


def test_a_file_full_of_a_surname_of_thousands_is_read_in_its_time():
    """At each of its words all of them were looked through: 0.4 MB took three seconds of a request."""
    others = [frozenset(f"van der surname{number} first{number}".split()) for number in range(4_000)]
    others += [frozenset({"jan", "van", "der", "merwe"}), frozenset({"piet", "van", "der", "walt"})]
    names = Names(NAME, sure=spellings("Piet", "van der Merwe"), others=others)
    text = "Jan van der Merwe, Piet van der Walt; " * 10_000
    assert least_seconds(lambda: names.replaced(text, tied=False), 1.5) <= 1.5


@pytest.mark.django_db
@pytest.mark.parametrize("content", ["Anna Nel - Piet Nel - Zoe Nel\n", "The team: Nel, Anna; Nel, Piet; Nel, Zoe\n"])
def test_a_file_that_lists_him_among_brothers_and_sisters_is_replaced(content):
    _, his, _ = register_players([NewPlayer(last, first) for first, last in SIBLINGS], at=CLOCK)
    event = submitted()
    file = store_file(content.encode())
    Submission.objects.filter(section__event=event).update(file=file, name="team_anna_nel_piet_nel_zoe_nel.csv")
    event.state = "withdrawn"
    event.save()
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="his mother asks").pseudonym
    file.refresh_from_db()
    assert b"Piet" not in bytes(file.content)
    assert file.replaced_at == CLOCK
    assert Submission.objects.get(section__event=event).name == f"team_anna_nel_{pseudonym}_zoe_nel.csv"


@pytest.mark.django_db
def test_who_shares_no_word_with_him_is_known_in_a_list_too():
    """All beside him are on the register, and so are those whom their names seem to make with his."""
    others = [("Anna", "Dube"), ("Sipho", "Cele"), ("Anna", "Nel"), ("Jan", "Cele")]
    his, *_ = register_players([NewPlayer(last, first) for first, last in [("Jan", "Nel"), *others]], at=CLOCK)
    text = "Late were {}, {}, {} in round 3"
    record("waived", region(), at=CLOCK, by=None, reason=text.format("Dube, Anna", "Nel, Jan", "Cele, Sipho"))
    pseudonym = erase_player(his, at=CLOCK, by=None, reason="his mother asks").pseudonym
    assert Decision.objects.get(action="waived").reason == text.format("Dube, Anna", pseudonym, "Cele, Sipho")


def test_names_of_dozens_of_words_fill_no_memory():
    """New players may be registered with 80 letters each of first and last names; each pair of words was kept."""
    others = [frozenset(f"{number}x{word}" for word in range(52)) for number in range(200)]

    def replace():
        Names(NAME, sure=spellings("Jan", "Botha"), others=others).replaced("Jan Botha and Piet Nel", tied=False)

    assert most_bytes(replace) < 10_000_000


@pytest.mark.parametrize(
    ("first", "last"), [("’", "’"), ("–", "Nel"), ("’", "Nel"), (".", "Nel"), ("1", "0"), ("10", "2026")]
)
def test_what_has_no_letter_is_no_part_of_a_name(first, last):
    """Each blank of each text would be his name, or a dash before a surname."""
    names = Names(NAME, sure=spellings(first, last))
    for text in ("Hello world, this is - a test", "Jan Botha - Nel 1-0", "A. Nel", "/lists/main/2026-10/"):
        assert names.replaced(text, tied=True) == text
