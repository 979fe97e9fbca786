"""What each kind of answer does to a file, and when it holds for the next one."""

from dataclasses import replace
from datetime import date
from functools import partial

import pytest

from events.models import Correction
from events.rules.corrections import (
    BIRTH_DATE,
    DETAILS,
    ENCODING,
    GENDER,
    KINDS,
    NEW,
    PENALTY,
    PLAYER,
    ROUND_DAY,
    SECTION_DAYS,
    TIME_CONTROL,
    corrections_from,
)
from events.rules.tournament import Entrant, TimeControl, Tournament
from events.submission.correction_forms import FORMS
from players.pseudonyms import ERASED
from tests.fuzz.readers import least_seconds

DAY = date(2024, 3, 2)
ANELE, ZOLA = Entrant(1, "Adendorff, Anele", "Adendorff", "Anele"), Entrant(2, "Zwane, Zola", "Zwane", "Zola", sex="M")
FILE = Tournament(format="TRF16", encoding="utf-8", entrants=(ANELE, ZOLA), round_dates=(DAY,))


def test_every_kind_has_its_form_or_is_of_the_table_of_players_and_fits_its_column():
    for code, kind in KINDS.items():
        assert (kind.form in FORMS) != (code in (PLAYER.code, *DETAILS))
        assert len(code) <= Correction._meta.get_field("kind").max_length


def test_answers_about_as_many_lines_as_a_file_has_are_looked_at_in_no_time():
    """Of a file and the next one, in which each line stands as it did."""
    lines = tuple(replace(ANELE, number=number, last_name=f"Adendorff{number}") for number in range(1, 10_000))
    before, after = (replace(FILE, entrants=lines) for _ in range(2))

    def look(count: int) -> None:
        for number in range(1, count):
            assert PLAYER.still_holds(str(number), NEW, before, after)

    few, many = (least_seconds(partial(look, count), 0) for count in (1000, 10_000))
    assert many < 30 * few


def test_answers_complete_a_file_and_change_nothing_that_it_says():
    answers = [("day", "3", "2024-03-09"), ("birth", "1", "1999-05-17"), ("sex", "1", "F"), ("sex", "2", "F")]
    completed = corrections_from(answers).applied(FILE)
    assert completed.round_dates == (DAY, None, date(2024, 3, 9))
    first, second = completed.entrants
    assert (first.birth_date, first.sex, second) == (date(1999, 5, 17), "F", ZOLA)
    assert corrections_from([]).applied(FILE) == FILE
    assert corrections_from([("arbiter", "7", ""), ("encoding", "", "cp1250")]).applied(FILE) == FILE


def test_an_answer_of_which_an_erasure_left_nothing_is_none():
    answers = [("birth", "1", ERASED), ("day", "1", ERASED), ("player", "1", ERASED), ("encoding", "", ERASED)]
    corrections = corrections_from([*answers, ("sex", "1", "F")])
    assert corrections.applied(FILE) == entrants(sex="F")
    assert (corrections.players, corrections.encoding) == ({}, "")


def test_the_checks_read_the_answers_by_what_they_are_about():
    rows = [("player", "1", "100000123"), ("player", "2", NEW), ("control", "", "file"), ("arbiter", "7", "")]
    corrections = corrections_from(rows)
    assert (corrections.players, corrections.new) == ({1: "100000123"}, {2})
    assert (corrections.control, corrections.dates, corrections.encoding) == ("file", "", "")
    assert corrections.arbiters == (7,)


def entrants(**changes):
    """The file with its first line changed."""
    return replace(FILE, entrants=(replace(ANELE, **changes), ZOLA))


@pytest.mark.parametrize(
    ("kind", "key", "value", "after", "holds"),
    [
        (ROUND_DAY, "1", "2024-03-03", FILE, True),
        (ROUND_DAY, "1", "2024-03-03", replace(FILE, round_dates=()), True),
        (ROUND_DAY, "1", "2024-03-03", replace(FILE, round_dates=(date(2024, 3, 9),)), False),
        (PLAYER, "1", "100000123", FILE, True),
        (PLAYER, "1", "100000123", entrants(name="Somebody, Else"), False),
        (PLAYER, "1", "100000123", replace(FILE, entrants=(ZOLA,)), False),
        (PLAYER, "1", "100000123", entrants(national_id="100000123"), True),
        (PLAYER, "1", "100000123", entrants(national_id="100000999"), False),
        (PLAYER, "1", "100000123", entrants(fide_id="14300001"), True),
        (PLAYER, "1", NEW, entrants(fide_id="14300001"), False),
        (BIRTH_DATE, "1", "1999-05-17", FILE, True),
        (BIRTH_DATE, "1", "1999-05-17", entrants(birth_date=date(1998, 1, 1)), False),
        (GENDER, "1", "F", FILE, True),
        (GENDER, "1", "F", entrants(sex="M"), False),
        (PENALTY, "1", "", FILE, True),
        (PENALTY, "1", "", entrants(name="Somebody, Else"), False),
        (TIME_CONTROL, "", "file", FILE, True),
        (TIME_CONTROL, "", "file", replace(FILE, time_control=TimeControl(60, 30)), False),
        (SECTION_DAYS, "", "file", FILE, True),
        (SECTION_DAYS, "", "file", replace(FILE, ends=DAY), False),
        (ENCODING, "", "cp1250", FILE, False),
        (ENCODING, "", "cp1250", replace(FILE, sample_names=("Adendorff, Anelê",)), True),
        (KINDS["arbiter"], "7", "", FILE, True),
    ],
)
def test_an_answer_holds_for_the_next_file_while_that_asks_the_same(kind, key, value, after, holds):
    assert kind.still_holds(key, value, FILE, after) is holds
