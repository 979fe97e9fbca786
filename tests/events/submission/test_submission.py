"""A file on its way into the database: written whole, with what was found, or not at all."""

import json
from datetime import date, timedelta
from decimal import Decimal

import pytest

from events.models import Entry, Game, Penalty, Round, Section, Submission, SubmissionFinding
from events.operations import EventError, accept_event
from events.submission.recording import submit_new_event
from events.submission.report import make_report
from events.submission.validation import validate_file
from players.models import Player
from tests.builders import (
    CLOCK,
    LATE_REASON,
    TODAY,
    Line,
    details,
    everything,
    lines,
    open_file,
    player,
    round_robin,
    section_file,
    submitted,
    trf,
)

pytestmark = pytest.mark.django_db


def codes(prepared, severity="error"):
    return [finding.code for finding in prepared.findings if finding.severity == severity]


def refused(file):
    """The errors of a file that must leave no trace."""
    before = everything()
    prepared = validate_file(file, today=TODAY)
    with pytest.raises(EventError, match=r"nothing was saved"):
        submit_new_event(prepared, details(), at=CLOCK, late_reason=LATE_REASON)
    assert everything() == before
    return prepared.errors


def test_a_good_file_is_written_whole():
    event = submitted()
    section = event.sections.get()
    assert (event.state, event.name, event.starts, event.ends) == (
        "submitted", "Mopane Open", date(2024, 3, 2), date(2024, 3, 3),
    )  # fmt: skip
    assert (section.base_minutes, section.increment_seconds, section.format) == (90, 30, "swiss")
    assert [move.target for move in event.moves.all()] == ["registered", "submitted"]
    assert Game.objects.filter(section=section).count() == 15
    assert list(Round.objects.filter(section=section).values_list("number", "date"))[:2] == [
        (1, date(2024, 3, 2)), (2, date(2024, 3, 3)),
    ]  # fmt: skip
    assert bytes(Submission.objects.get().file.content) == open_file()
    first = Entry.objects.get(section=section, number=1)
    assert (first.name_in_file, first.player.last_name, first.points) == (
        "Adendorff, Anele",
        "Adendorff",
        Decimal("3.5"),
    )


def test_the_format_is_the_uploaders():
    event = submitted(format="round-robin")
    assert event.sections.get().format == "round-robin"


@pytest.mark.rule("chessa 14.5", "chessa 56")
def test_new_players_come_with_what_the_file_says_of_them():
    submitted(
        trf(
            [Line("Khumalo, Zodwa", sex="w", title="WFM", fide="14300777", born="2001/02/03"), *lines(5)],
            round_robin(6),
        )
    )
    new = Player.objects.get(last_name="Khumalo")
    assert (new.first_name, new.sex, new.title_id, new.fide_id, new.birth_date, new.birth_year, new.region.code) == (
        "Zodwa", "F", "WFM", 14300777, date(2001, 2, 3), 2001, "GAU",
    )  # fmt: skip
    assert new.number.isdecimal()
    assert len(new.number) == 9


@pytest.mark.rule("chessa 14")
def test_new_players_need_the_uploaders_word():
    errors = refused(section_file(create_players=False))
    assert {error.code for error in errors} == {"player-unknown"}
    assert [error.line for error in errors] == [10]
    assert "6 players are not on the register" in errors[0].message
    assert "--create-players" in errors[0].message


def test_known_players_are_not_made_twice():
    submitted()
    known = Player.objects.count()
    submitted(trf(lines(6), round_robin(6, "0=11"), name="Second"))
    assert Player.objects.count() == known
    assert {entry.match_reason for entry in Entry.objects.filter(section__event__name="Mopane Open")[6:]} == {
        "same name; same birth date"
    }


def test_the_same_file_is_refused_with_the_event_that_has_it():
    submitted()
    errors = refused(section_file())
    assert [error.code for error in errors] == ["file-submitted-before"]
    assert "Mopane Open" in errors[0].message


def test_the_same_results_in_another_file_are_refused():
    submitted()
    errors = refused(section_file(open_file(name="Another name")))
    assert [error.code for error in errors] == ["results-submitted-before"]


def test_results_that_came_in_since_the_check_are_refused_and_nothing_is_written():
    prepared = validate_file(section_file(), today=TODAY)
    submitted()
    before = everything()
    with pytest.raises(EventError, match="somebody has just submitted"):
        submit_new_event(prepared, details(), at=CLOCK, late_reason=LATE_REASON)
    assert everything() == before


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty-file"),
        (b"   \n\n", "empty-file"),
        (b"PK\x03\x04" + bytes(60), "wrong-format"),
        (b"name;points\nAnn;3\n", "wrong-format"),
        (trf(lines(6), []), "no-games"),
        (trf(lines(2), [[(1, 2, "+")]]), "no-games"),
        (open_file(ends=None), "dates-missing"),
    ],
)
def test_what_cannot_be_read_or_rated_is_refused(content, code):
    assert code in [error.code for error in refused(section_file(content))]


@pytest.mark.rule("chessa 13.2", "chessa 23")
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"starts": date(2024, 3, 10), "ends": date(2024, 3, 9)}, "dates-reversed"),
        ({"ends": TODAY + timedelta(days=1)}, "not-ended"),
        ({"ends": date(2999, 1, 1)}, "not-ended"),
        ({"ends": date.max}, "not-ended"),
        ({"base": 4, "increment": 0}, "too-fast"),
        ({"base": 0, "increment": 0}, "too-fast"),
    ],
)
def test_what_the_uploader_says_wrongly_is_refused(fields, code):
    assert code in [error.code for error in refused(section_file(**fields))]


def test_dates_left_out_come_from_the_file_and_given_ones_stand_above_it():
    taken = validate_file(section_file(), today=TODAY)
    assert (taken.starts, taken.ends) == (date(2024, 3, 2), date(2024, 3, 3))
    given = validate_file(section_file(starts=date(2024, 2, 1), ends=date(2024, 2, 2)), today=TODAY)
    assert (given.starts, given.ends) == (date(2024, 2, 1), date(2024, 2, 2))
    assert "round-dates-outside" in codes(given, "hold")


@pytest.mark.rule("chessa 9", "chessa 10", "chessa 43")
@pytest.mark.parametrize(("code", "held"), [("RSA", False), ("NAM", True)])
def test_a_file_of_another_federation_is_not_accepted_unseen_as_an_event_at_home(code, held):
    event = submitted(open_file().replace(b"032 RSA", f"032 {code}".encode()))
    holds = SubmissionFinding.objects.filter(severity="hold", code="federation-elsewhere", waived_at=None)
    assert holds.exists() is held
    if held:
        assert "the file names NAM" in holds.get().message
        with pytest.raises(EventError, match="give the reason"):
            accept_event(event, at=CLOCK)
    accept_event(event, at=CLOCK, reason="Played in Pretoria; the program was set to Namibia.")


@pytest.mark.rule("chessa 13.3")
def test_findings_stay_on_record_with_the_submission():
    submitted(open_file(dated=False))
    found = SubmissionFinding.objects.get(code="round-dates-missing")
    assert (found.severity, found.article, found.waived_at) == ("hold", "13.3", None)


@pytest.mark.rule("chessa 51")
@pytest.mark.parametrize(("code", "forfeiters"), [("+", [2]), ("-", [1])])
def test_forfeits_after_the_first_round_propose_a_penalty(code, forfeiters):
    rounds = round_robin(6)
    rounds[1][0] = (*rounds[1][0][:2], code)
    white, black, _ = rounds[1][0]
    event = submitted(trf(lines(6), rounds))
    numbers = dict(Entry.objects.values_list("player", "number"))
    (penalty,) = Penalty.objects.filter(section__event=event)
    assert numbers[penalty.player_id] == {1: white, 2: black}[forfeiters[0]]
    assert (penalty.round, penalty.points, penalty.kind, penalty.status) == (2, 20, "forfeit", "proposed")


@pytest.mark.rule("chessa 51")
def test_a_forfeit_in_the_first_round_proposes_nothing():
    rounds = round_robin(6)
    rounds[0][0] = (*rounds[0][0][:2], "+")
    submitted(trf(lines(6), rounds))
    assert not Penalty.objects.exists()


def test_rounds_without_a_game_are_kept_and_not_rated():
    rounds = [[(1, 2, "1"), (3, 4, "="), (5, None, "U"), (6, None, "H")], *round_robin(6)[1:]]
    event = submitted(trf(lines(6), rounds))
    byes = Game.objects.filter(section__event=event, black=None).order_by("result")
    assert [game.result for game in byes] == ["bye", "bye-half"]


def test_a_file_with_two_lines_of_one_player_names_both_lines():
    known = player("Mokoena", "Naledi", fide_id=14300001, birth_date=date(2000, 1, 2))
    twice = [
        Line("Mokoena, Naledi", fide="14300001", born="2000/01/02"),
        Line("Mokoena, Naledi", born="2000/01/02"),
        *lines(4),
    ]
    errors = refused(section_file(trf(twice, round_robin(6))))
    assert [(error.code, error.line) for error in errors] == [("player-twice", 10), ("player-twice", 11)]
    assert known.number in errors[0].message


def test_points_and_ranks_follow_from_the_file():
    event = submitted(trf(lines(6), round_robin(6, "1")))
    section = Section.objects.get(event=event)
    assert sum(entry.points for entry in section.entries.all()) == 15
    assert sorted(entry.rank for entry in section.entries.all()) == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("chessa 52")
def test_a_withdrawal_proposes_one_penalty_with_the_points_of_all_its_rounds():
    rounds = round_robin(6)
    rounds[2] = [
        (white, black, "+" if 6 in (white, black) and black == 6 else result) for white, black, result in rounds[2]
    ]
    rounds[2] = [(w, b, "-" if w == 6 else result) for w, b, result in rounds[2]]
    for number in (3, 4):
        rounds[number] = [
            (w, b, result) if 6 not in (w, b) else (w if b == 6 else b, None, "U") for w, b, result in rounds[number]
        ]
    event = submitted(trf(lines(6), rounds))
    (penalty,) = Penalty.objects.filter(section__event=event)
    assert Entry.objects.get(player=penalty.player).number == 6
    assert (penalty.kind, penalty.round, penalty.points, penalty.status) == ("withdrawal", 3, 60, "proposed")


UNSEEN = ("\u200b", "\u202e", "\u2066", "\ufeff", "\u00ad", "\u3164", "\U000e0041")


@pytest.mark.parametrize("unseen", UNSEEN)
def test_what_cannot_be_seen_in_a_files_names_makes_no_other_name(unseen):
    player("Mokoena", "Naledi", birth_date=date(2000, 1, 1))
    named = Line(f"Moko{unseen}ena, Naledi", born="2000/01/01")
    event = submitted(trf([named, *lines(6)[1:]], round_robin(6), name=f"Mopane{unseen} Open"))
    assert event.name == "Mopane Open"
    entry = Entry.objects.get(number=1)
    assert (entry.name_in_file, entry.player.last_name) == ("Mokoena, Naledi", "Mokoena")
    assert Player.objects.filter(first_name="Naledi").count() == 1
    note = SubmissionFinding.objects.get(code="unseen-left-out")
    sign = f"‹U+{ord(unseen):04X}›"
    assert note.message == (
        f"Kept without the characters that cannot be seen: Mopane{sign} Open, Moko{sign}ena, Naledi."
    )


@pytest.mark.parametrize("unseen", UNSEEN)
def test_what_cannot_be_seen_in_the_codes_of_tie_breaks_is_not_kept(unseen):
    content = trf(lines(6), round_robin(6)) + f"212 PTS,B{unseen}H,=e\u0301\n".encode()
    assert submitted(content).sections.get().tie_breaks == "PTS,BH,=é"
    note = SubmissionFinding.objects.get(code="unseen-left-out")
    assert note.message == f"Kept without the characters that cannot be seen: B‹U+{ord(unseen):04X}›H."


@pytest.mark.parametrize("unseen", UNSEEN)
def test_no_report_shows_what_cannot_be_seen(unseen):
    """A line that turns round what stands after it is not read as it is written."""
    texts = [Line(f"Moko{unseen}ena, Na{unseen}ledi", born="2000/01/01"), Line(f"Dlamini{unseen}", born="20x0/01/01")]
    file = trf([*texts, *lines(6)[2:]], round_robin(6), name=f"Mopane{unseen} Open").replace(
        b"042", f"102 Grace{unseen} Tenza\r\n042".encode(), 1
    )
    report = make_report(validate_file(section_file(file), today=CLOCK.date()), None)
    assert unseen not in json.dumps(report, ensure_ascii=False)
    assert f"‹U+{ord(unseen):04X}›" in json.dumps(report, ensure_ascii=False)


@pytest.mark.parametrize("unseen", UNSEEN)
def test_a_newcomer_whose_name_has_what_cannot_be_seen_is_refused(unseen):
    (error,) = refused(
        section_file(trf([Line(f"Moko{unseen}ena, Naledi", born="2000/01/01"), *lines(6)[1:]], round_robin(6)))
    )
    assert error.code == "player-name-letters"
    assert f"U+{ord(unseen):04X}" in error.message


@pytest.mark.parametrize(
    ("surname", "problem"),
    [
        (
            "Mok\u043eena",
            "Mok\u043eena has letters of two alphabets that look alike (Cyrillic and Latin). Write it in one.",
        ),
        (
            "\u041c\u043e\u0443\u043e",
            "\u041c\u043e\u0443\u043e Naledi has words of two alphabets that look alike (Cyrillic and Latin)."
            " Write all of it in one.",
        ),
    ],
)
def test_a_newcomer_whose_name_mixes_letters_that_look_alike_is_refused(surname, problem):
    """With a Cyrillic о he would be another player than Mokoena, and nobody could see why."""
    named = Line(f"{surname}, Naledi", born="2000/01/01")
    (error,) = refused(section_file(trf([named, *lines(6)[1:]], round_robin(6))))
    assert error.message == f"Start number 1: the name of a new player. {problem}"


def test_letters_and_accents_apart_are_stored_as_one():
    submitted(trf([Line("Du Pre\u0301ez, Zoe\u0308", born="2000/01/01"), *lines(6)[1:]], round_robin(6)))
    assert Player.objects.filter(last_name="Du Pr\u00e9ez", first_name="Zo\u00eb").exists()
