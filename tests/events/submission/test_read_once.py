"""Each file is parsed once in a check, and each penalty that it proposes goes by one key from the page to the record."""

from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from events.files import reader
from events.models import Correction, Penalty, Upload
from events.submission.operations import submit_event
from events.submission.tasks import check_upload
from events.submission.uploads import request_check, take_file, unanswered_proposals
from tests.builders import lines, round_robin, trf, with_byes
from tests.events.submission.by_hand import address, send
from tests.events.submission.world import (
    FIRST,
    LAST,
    clean,
    correction,
    current,
    do,
    known,
    played,
    table,
    taken,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def parsed(monkeypatch) -> Counter[str]:
    """How often each text was parsed as a tournament file, by its lines. The real parser does it."""
    counted: Counter[str] = Counter()
    parse = reader.read_trf

    def counting(text, report):
        counted["\n".join(text.lines)] += 1
        return parse(text, report)

    monkeypatch.setattr(reader, "read_trf", counting)
    return counted


def forfeited(loser: int = 3, swapped: bool = False) -> bytes:
    """A file in which a player forfeits his game of round 3; `swapped`, with his name and that of number 1 exchanged."""
    people = lines(6)
    if swapped:
        people[0], people[loser - 1] = people[loser - 1], people[0]
    rounds = [list(pairs) for pairs in round_robin(6)]
    rounds[2] = [
        (white, black, "+" if black == loser else "-") if loser in (white, black) else (white, black, result)
        for white, black, result in rounds[2]
    ]
    return trf(people, rounds, starts=FIRST, ends=LAST)


def test_a_file_is_parsed_once_for_a_check(parsed):
    known()
    taken(played(), clean())
    assert list(parsed.values()) == [1]


def test_a_file_whose_name_tells_its_section_is_parsed_once(parsed):
    known()
    upload = taken(played("A", "Juniors"), clean(), name="juniors.trf")
    assert upload.section.name == "Juniors"
    assert list(parsed.values()) == [1]


def test_a_file_and_the_one_before_whose_answers_it_takes_are_parsed_once_each(desk, parsed):
    event = played()
    table(desk, taken(event), "others")
    parsed.clear()
    upload = taken(event, clean(results="0="))
    assert upload.corrections.count() == 6
    assert list(parsed.values()) == [1, 1]
    parsed.clear()
    request_check(upload, at=timezone.now())
    check_upload(upload.pk)
    assert list(parsed.values()) == [1, 1]


def test_a_file_is_parsed_once_more_in_the_code_page_that_was_answered_before(desk, parsed):
    def written(results: str) -> bytes:
        return clean(results=results).replace(b"Cele", "Čele".encode("cp1250"))

    event = played()
    correction(desk, taken(event, written("1=01")), "encoding", code_page="cp1250")
    table(desk, current(event), "others")
    parsed.clear()
    upload = taken(event, written("0="))
    assert upload.corrections.count() == 7
    assert len(parsed) == 3  # the file before, and the new one in both code pages
    assert set(parsed.values()) == {1}


def test_each_file_is_parsed_once_when_it_is_submitted(desk, parsed):
    known()
    event = played()
    taken(event)
    parsed.clear()
    submit_event(event, declared=True, reason="", at=timezone.now(), today=timezone.localdate(), by=None)
    assert list(parsed.values()) == [1]


def test_a_file_that_is_kept_unchanged_by_hand_is_parsed_once(desk, parsed):
    known()
    event = played()
    taken(event)
    page = desk.get(address(event.sections.get()))
    parsed.clear()
    send(desk, event.sections.get(), page=page)
    assert Upload.objects.count() == 1
    assert list(parsed.values()) == [1]


def test_an_answer_to_a_penalty_goes_on_holding_for_the_next_file_and_on_record(desk):
    known()
    event = played()
    upload = taken(event, forfeited())
    (proposal,) = upload.report["proposals"]
    correction(desk, upload, "penalty", proposal["key"], notice="announced", reason="He rang at eight.")
    unreadable = taken(event, forfeited().replace(b"\n001    1", b"\n001    2"))
    assert unreadable.report["counts"]["error"]
    again = taken(event, forfeited())
    assert again.report["proposals"] == [proposal]
    do(desk, event, "submit", declared="on", reason="x")
    penalty = Penalty.objects.get()
    assert (penalty.status, penalty.reason) == ("dropped", "He rang at eight.")


def test_an_answer_to_a_penalty_is_of_the_person_and_not_of_the_start_number(desk):
    known()
    event = played()
    upload = taken(event, forfeited())
    (proposal,) = upload.report["proposals"]
    correction(desk, upload, "penalty", proposal["key"], notice="without")
    other = taken(event, forfeited(swapped=True))
    assert [row["key"] for row in other.report["proposals"]] == [proposal["key"]]
    assert not other.corrections.exists()
    assert Upload.objects.count() == 2


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(("missed", "answered"), [((4, 5), True), ((4, 5, 6), False)])
def test_an_answer_to_a_withdrawal_holds_for_a_file_that_makes_it_as_long(desk, missed, answered):
    """What was said of 40 points was not said of 60."""
    known()
    event = played()
    rounds = round_robin(6)
    upload = taken(event, clean(rounds=with_byes(rounds, 4, 5, bye="Z")))
    (proposal,) = upload.report["proposals"]
    correction(desk, upload, "penalty", proposal["key"], notice="without")
    corrected = [*round_robin(6, "10=1"), rounds[0]][: missed[-1]]
    longer = taken(event, clean(rounds=with_byes(corrected, *missed, bye="Z")))
    assert [row["points"] for row in longer.report["proposals"]] == [20 * len(missed)]
    assert unanswered_proposals(longer) == ([] if answered else [longer.report["proposals"][0]["key"]])


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(
    ("points", "said"),
    [(60, "without notice"), (40, "without notice; that was for 40 points, so the officer decides anew")],
)
def test_an_officers_decision_about_other_points_is_said_to_be_taken_anew(points, said):
    gone = known()[5]
    event = played()
    section = event.sections.get()
    section.penalties.create(player=gone, round=3, kind="withdrawal", points=points, status="confirmed", final=True)
    upload = taken(event, clean(rounds=with_byes(round_robin(6), 3, 4, 5, bye="Z")))
    assert [row["decided"] for row in upload.report["proposals"]] == [said]


def test_answers_are_carried_over_in_few_queries(desk):
    """8,000 answers to a file of 2,000 new players took 8,000 queries."""

    def queries(count: int) -> int:
        event = played(name=f"Open {count}")
        content = trf(lines(count), round_robin(count), starts=FIRST, ends=LAST)
        first = taken(event, content)
        user = User.objects.first()
        Correction.objects.bulk_create(
            Correction(
                upload=first,
                kind="given",
                key=str(number),
                value="Anna",
                question="",
                answer="",
                at=timezone.now(),
                by=user,
            )
            for number in range(1, count + 1)
        )
        second = take_file(event, name="open.trf", content=content + b"\n", at=timezone.now(), by=None)
        with CaptureQueriesContext(connection) as asked:
            check_upload(second.pk)
        assert second.corrections.count() == count
        return len(asked)

    assert queries(20) <= queries(6) + 2
