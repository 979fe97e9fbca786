"""South African files carry Chess SA ids in the column for FIDE ids: they are recognised there, and never guessed at."""

from datetime import date

import pytest
from django.utils import timezone

from events.files.reader import read
from events.models import Entry
from events.submission.match_findings import match_findings
from events.submission.matching import match_entrants
from players.models import Player
from players.operations import NewPlayer, register_players
from tests.builders import Line, lines, player, region, round_robin, trf
from tests.events.files.builders import tunx, tunx_player
from tests.events.submission.world import FIRST, LAST, codes, do, known, played, table, taken

pytestmark = [pytest.mark.django_db, pytest.mark.rule("chessa 14.4")]
BORN = date(2001, 5, 17)
NUMBER = "180012345"


def as_trf16(name: str, number: str, born: str = "") -> bytes:
    return trf([Line(name, fide=number, born=born), *lines(5)], round_robin(6))


def as_trf26(name: str, number: str, born: str = "") -> bytes:
    return b"142 5\n152 W\n192 FIDE_DUTCH\n" + as_trf16(name, number, born)


def as_tunx(name: str, number: str, born: str = "") -> bytes:
    last, _, first = name.partition(", ")
    line = tunx_player({0: last, 1: first}, fide_id=int(number), born=int(born.replace("/", "") or 0))
    return tunx([(1, 2, 1)], players=[line, tunx_player({0: "Cele", 1: "Chris"})])


def first_of(content: bytes, **fields):
    """The match of the file's first line, and the findings about it as (code, severity)."""
    matches = match_entrants(read(content), **fields)
    findings = match_findings(matches, create=False, new=fields.get("new", ()))
    about = [found for found in findings if "start number 1)" in found.message]
    return matches[0], [(found.code, found.severity.value) for found in about]


FORMATS = pytest.mark.parametrize("file", [as_trf16, as_trf26, as_tunx])


@FORMATS
@pytest.mark.parametrize("name", ["Mokoena, Naledi", "Mokoena, N", "Mokoena, Nalede"])
def test_the_players_own_chess_sa_id_is_recognised(file, name):
    known = player(national_id=NUMBER, birth_date=BORN)
    player(birth_date=date(1990, 1, 2))  # a namesake
    matched, findings = first_of(file(name, NUMBER))
    assert matched.player == known
    assert matched.reason.startswith(f"same Chess SA id {NUMBER}")
    assert (matched.entrant.national_id, matched.entrant.fide_id) == (NUMBER, "")
    assert findings == [("id-in-fide-column", "note")]


@FORMATS
def test_a_fide_id_of_nine_digits_stays_one(file):
    known = player(fide_id=int(NUMBER), birth_date=BORN)
    matched, findings = first_of(file("Mokoena, Naledi", NUMBER))
    assert (matched.player, matched.entrant.fide_id) == (known, NUMBER)
    assert matched.reason == f"same FIDE id {NUMBER}; same name"
    assert not {code for code, _ in findings} & {"id-in-fide-column", "id-of-nobody"}


@FORMATS
def test_an_id_that_is_one_players_as_fide_id_and_anothers_as_chess_sa_id_is_asked_about(file):
    as_chess_sa = player("Mokoena", "Naledi", national_id=NUMBER, birth_date=BORN)
    as_fide = player("Steyn", "Willem", fide_id=int(NUMBER))
    for name in ("Mokoena, Naledi", "Steyn, Willem", "Khumalo, Zodwa"):
        matched, findings = first_of(file(name, NUMBER, "2001/05/17"))
        assert matched.player is None
        assert {candidate.player for candidate in matched.candidates} == {as_chess_sa, as_fide}
        assert findings == [("player-uncertain", "error")]


@FORMATS
def test_an_id_of_somebody_of_another_name_is_asked_about(file):
    other = player("Steyn", "Willem", national_id=NUMBER)
    matched, findings = first_of(file("Mokoena, Naledi", NUMBER))
    assert (matched.player, matched.candidates[0].player) == (None, other)
    assert findings == [("player-uncertain", "error")]


def test_the_uploaders_word_that_such_a_line_is_new_goes_to_an_officer():
    player("Steyn", "Willem", national_id=NUMBER)
    matched, findings = first_of(as_trf16("Mokoena, Naledi", NUMBER), new=(1,))
    assert matched.player is None
    assert findings == [("id-of-nobody", "hold")]


@pytest.mark.parametrize(
    ("number", "federation", "held"),
    [(NUMBER, "RSA", True), (NUMBER, "", True), (NUMBER, "IND", False), ("14300001", "RSA", False)],
)
def test_nine_digits_of_nobody_are_not_registered_as_a_fide_id_without_a_word(number, federation, held):
    content = trf([Line("Mokoena, Naledi", fide=number, federation=federation), *lines(5)], round_robin(6))
    matched = match_entrants(read(content))
    assert ("id-of-nobody" in [found.code for found in match_findings(matched, create=True)]) is held


def test_the_id_of_another_than_the_national_line_names_is_asked_about():
    first, second = player(national_id="100000007"), player("Steyn", "Willem", national_id=NUMBER)
    content = trf([Line("Mokoena, Naledi", fide=NUMBER, national="100000007"), *lines(5)], round_robin(6))
    matched, _ = first_of(content)
    assert matched.player is None
    assert {candidate.player for candidate in matched.candidates} == {first, second}


def test_a_fide_rated_event_still_asks_for_the_fide_id(desk):
    people = known()
    Player.objects.filter(pk=people[0].pk).update(number=NUMBER)
    event = played(fide_rated=True)
    upload = taken(event, trf([Line(lines(1)[0].name, fide=NUMBER, born="1980/05/17"), *lines(6)[1:]], round_robin(6)))
    message = next(
        found["message"]
        for group in upload.report["groups"]
        for found in group["findings"]
        if found["code"] == "fide-ids-missing"
    )
    assert message.startswith("All 6 players")


def test_how_each_line_was_matched_is_shown_and_goes_on_record(desk):
    people = known()
    Player.objects.filter(pk=people[0].pk).update(number=NUMBER)
    event = played()
    first = Line("Adendorff, Anel", fide=NUMBER, born="1980/05/17")
    upload = taken(event, trf([first, *lines(6)[1:]], round_robin(6), starts=FIRST, ends=LAST))
    assert codes(upload) == []
    shown = desk.get(f"/events/{event.pk}/results/").content.decode()
    assert f"same Chess SA id {NUMBER} (in the column for FIDE ids); names agree by" in shown
    do(desk, event, "submit", declared="on")
    entry = Entry.objects.get(number=1)
    assert entry.player == people[0]
    assert entry.match_reason.startswith(f"same Chess SA id {NUMBER}")
    assert Player.objects.filter(fide_id=int(NUMBER)).count() == 0


@pytest.mark.parametrize("born", ["2001", "2001/05/17", "2001/05/18", "2001/01/01"])
@pytest.mark.parametrize("ids", [{"fide": "14300002"}, {"national": "100000077"}, {"fide": NUMBER}])
def test_who_shares_name_and_year_of_birth_is_never_like_nobody(desk, born, ids):
    """Whatever the ids say; and “all others are new” does not take them."""
    register_players(
        [NewPlayer("Mokoena", "Naledi", fide_id=14300001, birth_date=BORN, region=region(), sex="F")], at=timezone.now()
    )
    event = played()
    content = trf([Line("Mokoena, Naledi", born=born, **ids), *lines(6)[1:]], round_robin(6), starts=FIRST, ends=LAST)
    upload = taken(event, content)
    assert [line["start"] for line in upload.report["questions"]] == [1]
    assert [line["start"] for line in upload.report["unknown"]] == [2, 3, 4, 5, 6]
    table(desk, upload, "others")
    assert sorted(upload.corrections.values_list("key", flat=True)) == ["2", "3", "4", "5", "6"]


def test_a_namesake_of_another_year_and_id_is_like_nobody(desk):
    register_players([NewPlayer("Mokoena", "Naledi", fide_id=14300001, birth_date=BORN)], at=timezone.now())
    content = trf([Line("Mokoena, Naledi", born="2002", fide="14300002"), *lines(6)[1:]], round_robin(6))
    assert len(taken(played(), content).report["unknown"]) == 6


@pytest.mark.rule("chessa 16")
@pytest.mark.parametrize("ids", ["", "14300{:03}", "18000{:04}"])
@pytest.mark.parametrize("count", [2, 3])
def test_lines_of_one_name_are_not_looked_up_by_name_and_it_is_said_why(desk, ids, count):
    """Nor if each has an invented id; they are answered one by one, and never by “all others are new”."""
    register_players([NewPlayer("Mokoena", "Naledi", birth_date=BORN, region=region("LCP"))], at=timezone.now())
    guesses = [Line("Mokoena, Naledi", born=f"2001/05/{day}", fide=ids.format(day)) for day in range(17, 17 + count)]
    event = played()
    upload = taken(event, trf([*guesses, *lines(6)[count:]], round_robin(6), starts=FIRST, ends=LAST))
    assert [line["start"] for line in upload.report["not_looked_up"]] == ([] if count == 2 else [1, 2, 3])
    shown = desk.get(f"/events/{event.pk}/results/{upload.pk}/players/").content.decode()
    assert ("Three or more lines of the file bear one name" in shown) is (count == 3)
    if count == 2:
        return
    assert len(upload.report["unknown"]) == 3
    table(desk, upload, "others")
    assert sorted(upload.corrections.values_list("key", flat=True)) == ["4", "5", "6"]
    for start in ("1", "2", "3"):
        table(desk, upload, f"new-{start}")
    upload.refresh_from_db()
    assert upload.report["not_looked_up"] == []
    assert "name-not-looked-up" in codes(upload)


@pytest.mark.rule("chessa 16")
@pytest.mark.parametrize(("count", "looked_up"), [(2, True), (3, False)])
def test_one_id_on_many_lines_does_not_find_out_a_birth_date(desk, count, looked_up):
    """Each line has a name of its own, the id of a player of another region, and another day of birth."""
    (naledi,) = register_players(
        [NewPlayer("Mokoena", "Naledi", birth_date=BORN, region=region("LCP"))], at=timezone.now()
    )
    names = ("Xaba, Ayanda", "Yeni, Bongani", "Zungu, Cebo")
    guesses = [Line(names[place], born=f"2001/05/{16 + place}", fide=naledi.number) for place in range(count)]
    event = played()
    upload = taken(event, trf([*guesses, *lines(6)[count:]], round_robin(6), starts=FIRST, ends=LAST))
    assert [line["start"] for line in upload.report["not_looked_up"]] == ([] if looked_up else [1, 2, 3])
    shown = desk.get(f"/events/{event.pk}/results/{upload.pk}/players/").content.decode()
    assert (naledi.name in shown) is looked_up
    assert "same birth date" not in shown


def test_lines_of_one_name_are_players_by_their_ids():
    people = [player(national_id=f"10000000{number}") for number in range(1, 4)]
    content = trf([*(Line("Mokoena, Naledi", fide=one.number) for one in people), *lines(3)], round_robin(6))
    assert [match.player for match in match_entrants(read(content))[:3]] == people


@pytest.mark.rule("chessa 14.2")
@pytest.mark.parametrize(
    ("born", "finding"),
    [
        ("2001/05/17", []),
        ("2001/05/18", [("birth-day-differs", "note")]),
        ("2001/01/01", []),
        ("2001", []),
        ("2000/05/17", [("birth-year-differs", "hold")]),
        ("2002", [("birth-year-differs", "hold")]),
        ("1900/01/01", []),
        ("0000", []),
        ("0000/01/01", []),
        ("1900", []),
        ("", []),
    ],
)
def test_another_birth_beside_an_id_that_agrees(born, finding):
    player(fide_id=14300001, birth_date=BORN)
    _, findings = first_of(as_trf16("Mokoena, Naledi", "14300001", born))
    assert findings == finding


@pytest.mark.rule("chessa 14.2", "chessa 16")
@pytest.mark.parametrize("born", ["2001/05/18", "2000/05/17"])
def test_of_another_birth_no_more_is_told_than_that_it_differs(born):
    player(fide_id=14300001, birth_date=BORN)
    matches = match_entrants(read(as_trf16("Mokoena, Naledi", "14300001", born)))
    messages = " ".join(found.message for found in match_findings(matches, create=False))
    assert "17" not in messages.replace("180012345", "")
    assert "2001" not in messages


def test_a_birth_in_1900_on_the_register_is_unknown():
    player(fide_id=14300001, birth_date=date(1900, 1, 1))
    _, findings = first_of(as_trf16("Mokoena, Naledi", "14300001", "2001/05/17"))
    assert findings == []


def test_an_initial_before_the_last_name_offers_the_player():
    known = player("Modise", "Karabo", birth_date=BORN)
    matched, findings = first_of(as_trf16("K Modise", ""))
    assert [candidate.player for candidate in matched.candidates] == [known]
    assert findings == [("player-uncertain", "error")]


def guesses_at_naledi(*names):
    """A file whose first lines have these names and a day of birth each, the first that of a player of another region."""
    (naledi,) = register_players(
        [NewPlayer("Mokoena", "Naledi", birth_date=BORN, region=region("LCP"))], at=timezone.now()
    )
    guesses = [Line(name, born=f"2001/05/{17 + place}") for place, name in enumerate(names)]
    return naledi, trf([*guesses, *lines(6)[len(guesses) :]], round_robin(6), starts=FIRST, ends=LAST)


@pytest.mark.rule("chessa 14")
def test_a_player_who_is_chosen_for_a_line_with_another_name_waits_for_an_officer(desk):
    naledi, content = guesses_at_naledi("Xaba, Ayanda")
    found = match_findings(match_entrants(read(content), {1: naledi.number}), create=False)
    (differs,) = [one for one in found if one.code == "player-differs"]
    assert "and the name in the file is not the register’s" in differs.message
    assert differs.severity.value == "hold"
