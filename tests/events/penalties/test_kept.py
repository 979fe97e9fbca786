"""What an officer decided about penalties survives a new file of the section, or becomes a question to the officers again."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from accounts.models import Decision
from events.abroad.operations import Channel, submit_abroad
from events.models import Penalty
from events.operations import EventError, accept_event, return_event
from events.penalties.operations import decide_penalties
from events.rules.abroad import GameAbroad
from events.rules.game_result import Result
from events.submission.recording import resubmit
from events.submission.validation import validate_file
from tests.admin_pages import form_errors, posted_form
from tests.builders import (
    CLOCK,
    TODAY,
    everything,
    lines,
    officer,
    player,
    region,
    round_robin,
    section_file,
    submitted,
    trf,
    with_byes,
)
from tests.events.abroad.entries import AT, WHOLE

pytestmark = pytest.mark.django_db
CONFIRMED, DROPPED = Penalty.Status.CONFIRMED, Penalty.Status.DROPPED
SECTION = round_robin(6)


def file(count=6, rounds=SECTION):
    return trf(lines(count), rounds)


@pytest.fixture
def event():
    """A section of six players and five rounds, from round 3 of which player 6 is absent."""
    return submitted(file(rounds=with_byes(SECTION, 3, bye="Z")))


def entered(event, number=6, round_=3, kind="forfeit", points=20, status=CONFIRMED, reason="", by=True):
    """A penalty of the player with a start number that an officer entered and decided."""
    section = event.sections.get()
    fined = section.entries.get(number=number).player
    penalty = Penalty.objects.create(section=section, player=fined, round=round_, kind=kind, points=points, final=True)
    decide_penalties([penalty], status, at=CLOCK, by=officer() if by else None, reason=reason, final=True)
    return penalty


def sent_again(event, content):
    return_event(event, at=CLOCK, reason="A result is wrong.")
    section = event.sections.get()
    prepared = validate_file(section_file(content, section=section), today=TODAY)
    assert prepared.errors == []
    resubmit(prepared, at=CLOCK)
    event.refresh_from_db()


def changed(rounds=SECTION):
    """The rounds with another result in the first game."""
    (white, black, result), *others = rounds[0]
    return [[(white, black, "=" if result != "=" else "1"), *others], *rounds[1:]]


@pytest.mark.rule("chessa 51")
@pytest.mark.parametrize(("status", "reason"), [(CONFIRMED, ""), (DROPPED, "he rang")])
def test_an_officers_penalty_stays_though_the_new_file_does_not_propose_it(event, status, reason):
    before = entered(event, status=status, reason=reason)
    sent_again(event, file(rounds=changed(with_byes(SECTION, 3, bye="Z"))))
    kept = Penalty.objects.get()
    for name in ("player", "round", "kind", "points"):
        assert getattr(kept, name) == getattr(before, name)
    assert (kept.status, kept.reason, kept.decided_at, kept.final) == (status, reason, CLOCK, True)
    assert kept.decided_by is not None
    accept_event(event, at=CLOCK, reason="seen")


@pytest.mark.rule("chessa 51")
def test_of_a_player_who_is_no_longer_in_the_file_it_is_an_open_question(event):
    entered(event, number=6)
    sent_again(event, file(5, [[pair for pair in pairs if 6 not in pair] for pairs in SECTION]))
    penalty = Penalty.objects.get(final=True)
    assert penalty.status == "proposed"
    assert penalty.reason == "The file that came later does not name the player."
    opened = Decision.objects.get(action="opened again")
    assert (opened.before, opened.after) == ({"penalty": "confirmed"}, {"penalty": "proposed"})
    before = everything()
    with pytest.raises(EventError, match="1 penalty that waits for a ratings officer"):
        accept_event(event, at=CLOCK, reason="seen")
    assert everything() == before
    decide_penalties([penalty], DROPPED, at=CLOCK, reason="it was somebody else", final=True)
    accept_event(event, at=CLOCK, reason="seen", penalty_reason="no answer came")


@pytest.mark.rule("chessa 52")
def test_a_withdrawal_for_which_the_new_file_has_more_rounds_is_an_open_question():
    event = submitted(file(rounds=with_byes(SECTION, 4, 5)))
    entered(event, kind="withdrawal", round_=4, points=40)
    sent_again(event, file(rounds=with_byes([*SECTION, changed()[0]], 4, 5, 6)))
    (penalty,) = Penalty.objects.all()
    assert penalty.status == "proposed"
    assert "A withdrawal in round 4 costs 60 points" in penalty.reason
    before = everything()
    with pytest.raises(EventError, match=r"costs 60 points.*Drop it with the reason, and enter it anew"):
        decide_penalties([penalty], CONFIRMED, at=CLOCK, final=True)
    assert everything() == before
    decide_penalties([penalty], DROPPED, at=CLOCK, reason="60 are due", final=True)
    entered(event, kind="withdrawal", round_=4, points=60, by=None)
    sent_again(event, file(rounds=with_byes([*SECTION, SECTION[0]], 4, 5, 6)))
    assert list(Penalty.objects.order_by("points").values_list("points", "status")) == [(40, DROPPED), (60, CONFIRMED)]


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(("status", "reason"), [(CONFIRMED, ""), (DROPPED, "ill in round 5")])
@pytest.mark.parametrize("final", [True, False])
def test_a_withdrawal_that_the_new_file_makes_longer_is_decided_anew(status, reason, final):
    event = submitted(file(rounds=with_byes(SECTION, 4, 5, bye="Z")))
    decide_penalties(Penalty.objects.all(), status, at=CLOCK, reason=reason, final=final)
    sent_again(event, file(rounds=with_byes([*SECTION, changed()[0]], 4, 5, 6, bye="Z")))
    penalty = Penalty.objects.get()
    assert (penalty.points, penalty.status, penalty.final) == (60, "proposed", final)
    assert penalty.reason == f"It was {status} for 40 points; with the file that came later it costs 60."
    opened = Decision.objects.get(action="opened again")
    assert (opened.before, opened.after) == ({"penalty": status}, {"penalty": "proposed"})


@pytest.mark.rule("chessa 52")
def test_of_one_dropped_and_one_entered_anew_the_latter_goes_to_the_new_files_proposal():
    left = [*SECTION[:3], *([pair for pair in pairs if 6 not in pair] for pairs in SECTION[3:])]
    event = submitted(file(rounds=left))
    decide_penalties(Penalty.objects.all(), DROPPED, at=CLOCK, reason="by mistake", final=True)
    entered(event, kind="withdrawal", round_=4, points=40)
    sent_again(event, file(rounds=changed(left)))
    assert sorted(Penalty.objects.filter(round=4).values_list("points", "status", "final")) == [
        (40, CONFIRMED, True),
        (40, DROPPED, True),
    ]


@pytest.mark.rule("chessa 51")
def test_the_desk_refuses_a_penalty_for_a_round_that_he_played(event, client):
    client.force_login(officer("desk@example.org"))
    section = event.sections.get()
    fined = {"section": section.pk, "player": section.entries.get(number=6).player_id, "kind": "forfeit", "points": 20}
    address = "/admin/events/penalty/add/"
    answer = client.post(address, posted_form(client, address, round=2, **fined))
    assert "He was at the board in round 2" in str(form_errors(answer))
    assert client.post(address, posted_form(client, address, round=3, **fined)).status_code == 302


@pytest.mark.rule("chessa 51", "chessa 52")
def test_a_round_that_the_new_file_proposes_too_is_an_open_question():
    """The forfeit of round 4 that an officer entered lies in the withdrawal that the new file shows."""
    event = submitted(file(rounds=with_byes(SECTION, 4, bye="Z")))
    fined = entered(event, round_=4).player
    left = [*SECTION[:3], *([pair for pair in pairs if 6 not in pair] for pairs in SECTION[3:])]
    sent_again(event, file(rounds=left))
    forfeit, withdrawal = fined.penalties.order_by("kind")
    assert (forfeit.kind, forfeit.status, withdrawal.status) == ("forfeit", "proposed", "proposed")
    assert "no round counts twice" in forfeit.reason


@pytest.mark.rule("chessa 51")
def test_what_was_decided_of_a_players_own_rounds_abroad_stays():
    naledi = player("Mokoena", "Naledi", region=region(), fide_id=14300001)
    at = datetime(2024, 4, 10, 8, tzinfo=UTC)
    forfeited = replace(
        WHOLE.games[1], result=Result.FORFEIT_BLACK_WINS if WHOLE.games[1].white else Result.FORFEIT_WHITE_WINS
    )
    results = replace(WHOLE, games=(WHOLE.games[0], forfeited, *WHOLE.games[2:]))
    by = officer()
    event = submit_abroad(naledi, results, at=at, channel=Channel(by=by))
    decide_penalties(Penalty.objects.all(), DROPPED, at=at, by=by, reason="he was in hospital", final=True)
    return_event(event, at=at, reason="Round 3 was a draw.", ground="incomplete")
    event.refresh_from_db()
    submit_abroad(naledi, results, at=at, channel=Channel(by=by, event=event, version=event.version))
    (penalty,) = Penalty.objects.all()
    assert (penalty.round, penalty.status, penalty.reason) == (2, "dropped", "he was in hospital")


def forfeited(*numbers):
    """The rounds, of which player 6 forfeits these."""
    return [
        [(white, black, _forfeit(white, black, result)) for white, black, result in pairs]
        if number in numbers
        else pairs
        for number, pairs in enumerate(SECTION, start=1)
    ]


def _forfeit(white, black, result):
    return {white: "-", black: "+"}.get(6, result)


@pytest.mark.rule("chessa 51")
def test_an_officers_penalty_for_a_game_that_the_new_file_shows_as_played_is_an_open_question(event):
    entered(event)
    sent_again(event, file())
    (penalty,) = Penalty.objects.all()
    assert penalty.status == "proposed"
    assert "He was at the board in round 3" in penalty.reason


@pytest.mark.rule("chessa 51", "chessa 52")
@pytest.mark.parametrize("answer", ["no", "the region's"])
def test_what_no_officer_judged_falls_when_the_new_file_shows_the_game_as_played(answer):
    event = submitted(file(rounds=forfeited(3)))
    if answer != "no":
        decide_penalties(Penalty.objects.all(), CONFIRMED, at=CLOCK)
    accept_event(event, at=CLOCK, by=officer(), reason="seen", penalty_reason="the region is silent")
    sent_again(event, file())
    assert not Penalty.objects.exists()
    first, last = Decision.objects.filter(subject__startswith="events.penalty").order_by("pk")
    assert (first.action, last.action) == ("confirmed", "no longer proposed")
    assert (last.before, last.reason) == ({"penalty": "confirmed"}, "The file that came later does not propose it.")


@pytest.mark.rule("chessa 51")
def test_what_nobody_answered_stays_when_the_new_file_proposes_it_too():
    event = submitted(file(rounds=forfeited(3)))
    accept_event(event, at=CLOCK, by=officer(), reason="seen", penalty_reason="the region is silent")
    sent_again(event, file(rounds=changed(forfeited(3))))
    (penalty,) = Penalty.objects.all()
    assert (penalty.status, penalty.final) == ("confirmed", False)


@pytest.mark.rule("chessa 51")
def test_abroad_too_what_nobody_answered_falls_with_the_corrected_results():
    naledi = player("Mokoena", "Naledi", region=region(), fide_id=14300001)
    lost = Result.FORFEIT_BLACK_WINS if WHOLE.games[2].white else Result.FORFEIT_WHITE_WINS
    games = (*WHOLE.games[:2], replace(WHOLE.games[2], result=lost), *WHOLE.games[3:])
    at, by = datetime(2024, 4, 10, 8, tzinfo=UTC), officer()
    event = submit_abroad(naledi, replace(WHOLE, games=games), at=at, channel=Channel(by=by))
    accept_event(event, at=at, by=by, reason="seen", penalty_reason="no answer came")
    return_event(event, at=at, reason="Round 3 was played.", ground="incomplete")
    event.refresh_from_db()
    submit_abroad(naledi, WHOLE, at=at, channel=Channel(by=by, event=event, version=event.version))
    assert not Penalty.objects.exists()


@pytest.mark.rule("chessa 52")
@pytest.mark.parametrize(("points", "error"), [(40, ""), (100, "A withdrawal in round 5 costs 40 points"), (20, "40")])
def test_abroad_a_withdrawal_ends_with_the_players_own_rows_whatever_others_played(client, points, error):
    """Naledi was absent from round 5 to the last of hers, the sixth; another player of the section had nine."""
    by = officer()
    rows = [player("Mokoena", "Naledi", fide_id=14300001, region=region()), player("Cele", "Bets", region=region())]
    absent = tuple(GameAbroad(number, True, Result.ZERO_BYE) for number in (5, 6))
    more = tuple(replace(WHOLE.games[0], round=number, opponent=f"O{number}", fide_id=None) for number in range(6, 10))
    event = submit_abroad(rows[0], replace(WHOLE, games=(*WHOLE.games[:4], *absent)), at=AT, channel=Channel(by=by))
    assert [(row.round, row.points) for row in Penalty.objects.all()] == [(5, 40)]
    return_event(event, at=AT, reason="Another player.", ground="incomplete")
    event.refresh_from_db()
    channel = Channel(by=by, event=event, version=event.version)
    submit_abroad(rows[1], replace(WHOLE, games=(*WHOLE.games, *more)), at=AT, channel=channel)
    decide_penalties(Penalty.objects.all(), DROPPED, at=AT, by=by, reason="by mistake", final=True)
    client.force_login(by)
    fined = {"section": event.sections.get().pk, "player": rows[0].pk, "round": 5, "kind": "withdrawal"}
    answer = client.post("/admin/events/penalty/add/", {**fined, "points": points})
    assert (error in str(form_errors(answer))) if error else answer.status_code == 302
