"""Whatever somebody sends and answers, he learns of two lines of a file at most whether a birth date is the register's."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import permutations, product

import pytest

from events.archive import read_tournament
from events.rules.corrections import BIRTH_DATE, ENCODING, FIDE_ID, FIRST_NAME, Corrections
from events.rules.tournament import Entrant, Tournament
from events.submission.code_pages import unsure_lines
from events.submission.match_findings import match_findings
from events.submission.matching import match_entrants
from players.models import Player
from tests.builders import Line, lines, player, region, round_robin, trf
from tests.events.submission.world import played, table, taken

pytestmark = [pytest.mark.django_db, pytest.mark.rule("chessa 16")]
BORN = date(2014, 8, 17)
NAME = ("van der Berg", "Naledi Anne")
ORDERS = [" ".join(words) for words in permutations(["Berg", "Naledi", "Anne", "van der"])]


@pytest.fixture
def naledi() -> Player:
    return player(*NAME, national_id="180012345", fide_id=14300001, birth_date=BORN)


def entrant(number: int, name: str, **fields: str) -> Entrant:
    last, _, first = name.partition(", ")
    return Entrant(number=number, name=name, last_name=last, first_name=first, **fields)


def file_of(names_and_ids: list[tuple[str, dict[str, str]]]) -> Tournament:
    entrants = tuple(entrant(number, name, **ids) for number, (name, ids) in enumerate(names_and_ids, start=1))
    return Tournament(format="trf", encoding="utf-8", entrants=entrants)


def told(file: Tournament, corrections: Corrections, content: bytes = b"") -> list[str]:
    """What the sender of a file learns of its players, with his answers."""
    matches = match_entrants(
        corrections.applied(file),
        corrections.players,
        new=corrections.new,
        as_sent=file.entrants,
        unsure=unsure_lines(content, file, answered=bool(corrections.encoding)),
    )
    found = match_findings(matches, create=False, new=corrections.new)
    reasons = [
        reason for match in matches for reason in (match.reason, *(one.likelihood.reason for one in match.candidates))
    ]
    return [*(str(match.player) for match in matches), *reasons, *(one.message for one in found)]


def lines_that_tell(file: Tournament, answers: list[Corrections], content: bytes = b"") -> set[int]:
    """The lines of which the sender learns, by one of the answers, whether their day of birth is the player's."""
    wrong = [replace(one, birth_date=BORN + timedelta(days=30 + one.number)) for one in file.entrants]
    without = [told(replace(file, entrants=tuple(wrong)), given, content) for given in answers]
    found = set()
    for place, one in enumerate(wrong):
        guessed = [*wrong[:place], replace(one, birth_date=BORN), *wrong[place + 1 :]]
        if any(
            told(replace(file, entrants=tuple(guessed)), given, content) != former
            for given, former in zip(answers, without, strict=True)
        ):
            found.add(one.number)
    return found


def about(kind: str, answer: str, numbers: list[int]) -> Corrections:
    return Corrections({kind: {str(number): answer for number in numbers}})


WAYS = {
    "words in another order": [(name, {}) for name in ORDERS[:8]],
    "misspelt": [(f"van der Berg{letter}, Naledi Anne", {}) for letter in "abcdef"],
    "his ids": [
        ("van der Berg, Naledi Anne", {key: value})
        for key, value in product(("national_id", "fide_id"), ("180012345", "14300001"))
    ],
    "initials": [(f"Berg, {initials}", {}) for initials in ("N", "NA", "N A", "Na", "Nal", "A")],
    "all together": [
        ("van der Berg, Naledi Anne", {}),
        ("Naledi Anne van der Berg", {}),
        ("Naledi van der Berg, Anne", {}),
        ("van der Bergh, Naledi Anne", {}),
        ("van der Berg, Naledi", {"national_id": "180012345"}),
        ("van der Berg, Nalede Anne", {"fide_id": "14300001"}),
        ("Xaba, Ayanda", {"national_id": "180012345"}),
    ],
    "others": [("van der Berg, Aa", {}), ("van der Berg, Bb", {}), ("van der Berg, Cc", {}), ("Xaba, Ayanda", {})],
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_of_two_lines_at_most_the_sender_learns_whether_the_day_of_birth_agrees(naledi, way):
    file = file_of(WAYS[way])
    numbers = [one.number for one in file.entrants]
    chosen = [about("player", naledi.number, [number]) for number in numbers]
    named = [about(FIRST_NAME.code, "Naledi Anne", some) for some in (numbers, numbers[:1], numbers[1:], numbers[:2])]
    otherwise = [about(FIRST_NAME.code, "Zed", some) for some in (numbers[:2], numbers[:-1])]
    known = [about(FIDE_ID.code, "14300001", some) for some in (numbers[:1], numbers[-1:])]
    new = [about("player", "new", some) for some in (numbers, numbers[:2], numbers[1:])]
    both = [Corrections({**one.answers, **other.answers}) for one, other in product(new, [*named, *otherwise])]
    answers = [Corrections(), about("player", naledi.number, numbers), *chosen, *named, *otherwise, *known, *new, *both]
    assert len(lines_that_tell(file, answers)) <= 2


IN_ONE_PAGE = {
    "letters": [("N@ledi Anne", letter) for letter in (0x84, 0x83, 0xE4, 0xE2)],
    "blanks": [("Naledi Ann@", letter) for letter in (0xA0, 0xFF, 0xCA)],
}


@pytest.mark.parametrize("kind", IN_ONE_PAGE)
@pytest.mark.parametrize("plain", [0, 1])
def test_a_file_that_is_read_in_one_code_page_after_the_other_tells_no_more(naledi, kind, plain):
    """Each of its letters may be an a, or a blank, in one of them alone."""
    names = [(f"{first} {number}", letter) for first, letter in IN_ONE_PAGE[kind] for number in (1, 2)]
    people = [Line("van der Berg, Naledi Anne")] * plain + [Line(f"van der Berg, {name}") for name, _ in names]
    content = trf([*people, Line("Decoy, Z@é")], round_robin(len(people) + 1)).replace("Z@é".encode(), b"Zo\xeb ")
    for name, letter in names:
        written = name.encode()
        content = content.replace(written, written[:-2].replace(b"@", bytes([letter])).ljust(len(written)), 1)
    found = set()
    for code_page in ("", "cp437", "cp850", "cp1252", "iso-8859-15", "mac-roman"):
        answer = Corrections({ENCODING.code: {"": code_page}} if code_page else {})
        file = read_tournament(content, "open.trf", answer)
        assert file.sample_names or code_page
        found |= lines_that_tell(file, [answer], content)
    assert found == set(range(1, plain + 1))


def test_of_a_table_whose_code_page_is_guessed_nothing_is_compared(naledi):
    """A player stands on several of its lines."""
    content = "round,white_name,black_name,result\n1,van der Berg Naledi Anne,Zoë Decoy,1-0\n".encode("cp1252")
    file = read_tournament(content, "open.csv", Corrections())
    assert lines_that_tell(file, [Corrections()], content) == set()
    plain = content.replace(b"\xeb", b"e")
    assert lines_that_tell(read_tournament(plain, "open.csv", Corrections()), [Corrections()], plain) == {1}


def test_what_the_file_itself_says_is_compared(naledi):
    """Else nothing would be learnt above, for another reason."""
    assert lines_that_tell(file_of([("van der Berg, Naledi Anne", {})]), [Corrections()]) == {1}
    assert lines_that_tell(file_of(WAYS["misspelt"]), [Corrections()]) == {1, 2}


def test_a_birth_date_that_is_typed_is_compared_with_nobody(naledi):
    """It can be typed again and again."""
    file = file_of([("van der Berg, Naledi Anne", {})])
    right, wrong = (
        told(file, Corrections({"player": {"1": "new"}, BIRTH_DATE.code: {"1": day.isoformat()}}))
        for day in (BORN, BORN + timedelta(days=9))
    )
    assert right == wrong


def test_what_is_typed_on_the_site_is_compared_with_no_day(desk):
    """As the check has it, in which it is told apart from what the file says."""
    player("Mokoena", "Naledi", birth_date=BORN, region=region("LCP"))
    said = []
    for day, results in (("2014-08-20", "1=01"), ("2014-08-17", "0=10")):
        upload = taken(played(), trf([Line("Mokoena, Naledi"), *lines(6)[1:]], round_robin(6, results)))
        table(desk, upload, "new-1")
        table(desk, upload, "quiet", birth_1=day)
        assert upload.corrections.get(kind=BIRTH_DATE.code).value == day
        upload.refresh_from_db()
        found = [one["message"] for group in upload.report["groups"] for one in group["findings"]]
        said.append([message for message in found if "Mokoena, Naledi" in message])
    assert said[0] == said[1] != []


@pytest.mark.parametrize("count", [2, 3])
def test_the_page_of_players_says_of_further_lines_that_the_year_agrees(desk, count):
    player("Mokoena", "Naledi", birth_date=BORN, region=region("LCP"))
    names = ["Mokoenaa, Naledi", "Mokoenab, Naledi", "Mokoenac, Naledi"][:count]
    guesses = [Line(name, born=f"2014/08/{18 + place}") for place, name in enumerate(names)]
    event = played()
    upload = taken(event, trf([*guesses, *lines(6)[count:]], round_robin(6)))
    assert [line["start"] for line in upload.report["questions"]] == list(range(1, count + 1))
    shown = desk.get(f"/events/{event.pk}/results/{upload.pk}/players/").content.decode()
    assert (shown.count("differs in the day"), shown.count("agrees in the year")) == (2, count - 2)
