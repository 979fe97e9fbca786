"""A table of results on its way into the database: by ids with names, and by ids alone."""

import pytest

from events.models import Entry, Game, Submission
from events.operations import EventError
from events.submission.recording import submit_new_event
from events.submission.validation import results_fingerprint, validate_file
from tests.builders import CLOCK, LATE_REASON, SURNAMES, TODAY, details, everything, player, round_robin, section_file

pytestmark = pytest.mark.django_db
HEADING = "starts,2024-03-02\nends,2024-03-03\nround,date,white_id,white,black_id,black,result"
WORDS = {"1": "1-0", "=": "½-½", "0": "0-1"}


def table(*, ids: int = 6, named: bool = True, first: int = 180000001) -> bytes:
    """Six players, five rounds, all against all; those after the first `ids` players have no id."""
    rows = [HEADING]
    for number, pairs in enumerate(round_robin(6), start=1):
        for white, black, result in pairs:
            sides = [
                f"{first + side - 1 if side <= ids else ''},{f'{SURNAMES[side - 1]} Anele' if named else ''}"
                for side in (white, black)
            ]
            rows.append(f"{number},2024-03-0{min(number + 1, 3)},{','.join(sides)},{WORDS[result]}")
    return "\n".join([*rows, ""]).encode()


def known() -> None:
    for index in range(6):
        player(SURNAMES[index], "Anele", national_id=str(180000001 + index))


def submit(content: bytes, **fields: object):
    prepared = validate_file(section_file(content, create_players=False, **fields), today=TODAY)
    return prepared, submit_new_event(prepared, details(), at=CLOCK, late_reason=LATE_REASON)


@pytest.mark.rule("chessa 14")
def test_a_table_is_submitted_like_any_file():
    known()
    prepared, event = submit(table())
    assert (Submission.objects.get().format, prepared.tournament.rounds) == ("CSV", 5)
    assert Game.objects.filter(section__event=event).count() == 15
    assert set(Entry.objects.values_list("match_reason", flat=True)) == {
        f"same Chess SA id {180000001 + index}; same name" for index in range(6)
    }


@pytest.mark.rule("chessa 14", "chessa 14.4")
def test_ids_alone_find_the_players_and_wait_for_an_officer():
    known()
    prepared, event = submit(table(named=False))
    assert "name-left-out" in [finding.code for finding in prepared.findings if finding.severity == "hold"]
    entry = Entry.objects.get(section__event=event, number=1)
    assert (entry.name_in_file, entry.player.number) == ("180000001", "180000001")
    assert entry.match_reason == "same Chess SA id 180000001; no name to compare"


@pytest.mark.rule("chessa 14.1")
@pytest.mark.parametrize("create", [False, True])
def test_an_id_alone_that_nobody_has_makes_no_player(create):
    before = everything()
    prepared = validate_file(section_file(table(named=False), create_players=create), today=TODAY)
    assert [error.code for error in prepared.errors] == ["player-nameless"] * 6
    assert "180000001 (start number 1) is not on the register, and the file gives no name" in prepared.errors[0].message
    with pytest.raises(EventError, match="nothing was saved"):
        submit_new_event(prepared, details(), at=CLOCK, late_reason=LATE_REASON)
    assert everything() == before


def test_results_of_other_people_without_names_are_other_results():
    prints = {
        results_fingerprint(validate_file(section_file(table(named=False, first=first)), today=TODAY).tournament)
        for first in (180000001, 190000001)
    }
    assert len(prints) == 2
