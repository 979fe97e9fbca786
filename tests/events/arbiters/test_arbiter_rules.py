"""Articles 6, 7, 8 and 15 on the arbiters of a file, each at its limit; and what counts as activity."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from events.rules.activity import Service, Tally, activity, obstacle
from events.rules.arbiters import AppointedArbiter, ArbiterFacts, KnownArbiter, NamedArbiter, check_arbiters
from events.rules.findings import Severity
from events.rules.states import State

STARTS = date(2024, 3, 2)
DAY = timedelta(days=1)
PAID = ((2024, STARTS - DAY),)
GRACE = KnownArbiter(1, "Grace Tenza", "IA", "100000001", "14300001", paid=PAID)
ZODWA = KnownArbiter(2, "Zodwa Cele", "NA", "100000002", paid=PAID)


def named(one, **fields):
    return NamedArbiter(**{"name": one.name, "title": one.title, "known": one, **fields})


WHOLE = ArbiterFacts(
    starts=STARTS,
    rounds=5,
    appointed=(AppointedArbiter(GRACE), AppointedArbiter(ZODWA)),
    named=(named(GRACE), named(ZODWA)),
)
FILE_ONLY = replace(WHOLE, appointed=())


def found(facts):
    return [(one.severity.value, one.code, one.article) for one in check_arbiters(facts)]


def with_grace(facts=WHOLE, **fields):
    """The same with another Grace, appointed and named."""
    grace = replace(GRACE, **fields)
    return replace(
        facts,
        appointed=tuple(replace(one, arbiter=grace) if one.arbiter is GRACE else one for one in facts.appointed),
        named=tuple(replace(one, known=grace) if one.known is GRACE else one for one in facts.named),
    )


def test_nothing_is_said_of_arbiters_who_keep_the_regulations():
    assert check_arbiters(WHOLE) == []


@pytest.mark.rule("chessa 6")
@pytest.mark.parametrize(("last", "planned", "said"), [(5, 0, False), (6, 0, True), (6, 6, False), (7, 6, True)])
def test_an_arbiter_of_rounds_that_the_event_has_not_is_noted(last, planned, said):
    facts = replace(WHOLE, appointed=(AppointedArbiter(GRACE, 1, last),), named=(named(GRACE),), planned=planned)
    notes = [one for one in check_arbiters(facts) if one.code == "arbiter-rounds-beyond"]
    assert [one.severity for one in notes] == [Severity.NOTE] * said


@pytest.mark.rule("chessa 6")
@pytest.mark.parametrize(
    ("spans", "missing"),
    [
        ([(1, 5)], ""),
        ([(None, None)], ""),
        ([(1, 2), (3, 5)], ""),
        ([(1, 4)], "round 5"),
        ([(2, 5)], "round 1"),
        ([(1, 1), (3, 3)], "rounds 2, 4, 5"),
    ],
)
def test_every_round_has_an_appointed_arbiter(spans, missing):
    facts = replace(WHOLE, appointed=tuple(AppointedArbiter(GRACE, *span) for span in spans), named=(named(GRACE),))
    holds = [one for one in check_arbiters(facts) if one.article == "6"]
    assert [(one.severity, one.code) for one in holds] == (
        [(Severity.HOLD, "round-without-arbiter")] if missing else []
    )
    assert not missing or f"for {missing}." in holds[0].message


@pytest.mark.rule("chessa 6")
def test_without_a_registration_it_is_said_once_what_cannot_be_checked_and_a_stranger_holds_the_file():
    assert found(FILE_ONLY) == [("note", "arbiters-not-appointed", "6")]
    stranger = NamedArbiter("Piet Ndlovu", "NA", "123456")
    assert found(replace(FILE_ONLY, named=(named(GRACE), stranger, stranger))) == [
        ("note", "arbiters-not-appointed", "6"),
        ("hold", "arbiter-unknown", "6"),
    ]
    assert found(replace(FILE_ONLY, named=())) == []


@pytest.mark.rule("chessa 7")
@pytest.mark.parametrize("facts", [WHOLE, FILE_ONLY], ids=["registered", "file only"])
@pytest.mark.parametrize(
    ("fields", "held"),
    [
        pytest.param({"paid": ((2024, STARTS - DAY),)}, False, id="paid the day before the start"),
        pytest.param({"paid": ((2024, STARTS),)}, True, id="paid on the first day"),
        pytest.param({"paid": ((2023, STARTS - DAY),)}, True, id="another year's fee"),
        pytest.param({"paid": ()}, True, id="no fee"),
        pytest.param({"paid": (), "federation": "BOT"}, False, id="of another federation"),
    ],
)
def test_the_membership_is_paid_before_the_start(facts, fields, held):
    holds = [one for one in check_arbiters(with_grace(facts, **fields)) if one.article == "7"]
    assert [(one.severity, one.code) for one in holds] == ([(Severity.HOLD, "membership-unpaid")] if held else [])


@pytest.mark.rule("chessa 7")
def test_the_fee_year_is_the_settings():
    october = replace(with_grace(paid=((2024, date(2023, 9, 30)),)), starts=date(2023, 10, 1))
    others = replace(october, appointed=october.appointed[:1], named=october.named[:1])
    assert [one.code for one in check_arbiters(others)] == ["membership-unpaid"]
    assert check_arbiters(replace(others, year_begins=10)) == []


@pytest.mark.rule("chessa 12.3")
@pytest.mark.parametrize(
    ("fields", "held"),
    [
        pytest.param({"licences": ((2024, STARTS - DAY),)}, False, id="paid the day before the start"),
        pytest.param({"licences": ((2024, STARTS),)}, True, id="paid on the first day"),
        pytest.param({"licences": ((2023, STARTS - DAY),)}, True, id="another year's licence"),
        pytest.param({"licences": (), "federation": "BOT"}, False, id="of another federation"),
    ],
)
def test_fides_licence_is_paid_before_a_fide_rated_event(fields, held):
    facts = replace(with_grace(FILE_ONLY, **fields), fide_rated=True)
    facts = replace(facts, named=facts.named[:1])
    assert [one.code for one in check_arbiters(facts) if one.article == "12.3"] == (["licence-unpaid"] if held else [])
    assert "licence-unpaid" not in [one.code for one in check_arbiters(replace(facts, fide_rated=False))]


@pytest.mark.rule("chessa 6", "chessa 7", "chessa 8")
def test_who_was_replaced_after_the_start_is_still_checked():
    gone = replace(ZODWA, key=77, name="Anele Dube", former="until 3 Mar 2024: ill", paid=(), plays="start number 3")
    facts = replace(WHOLE, former=(gone,))
    assert found(facts) == [
        ("note", "arbiters-changed", "6"),
        ("hold", "membership-unpaid", "7"),
        ("hold", "arbiter-plays", "8"),
    ]
    messages = [one.message for one in check_arbiters(facts)]
    assert "Anele Dube, until 3 Mar 2024: ill" in messages[0]
    assert all("Anele Dube, formerly appointed" in message for message in messages[1:])


@pytest.mark.rule("chessa 8")
def test_no_arbiter_plays_but_in_club_events():
    facts = with_grace(plays="start number 3")
    assert found(facts) == [("hold", "arbiter-plays", "8")]
    assert "Grace Tenza (start number 3)" in check_arbiters(facts)[0].message
    assert check_arbiters(replace(facts, club=True)) == []
    assert found(with_grace(namesake="start number 3")) == [("hold", "arbiter-namesake", "8")]


@pytest.mark.rule("chessa 15", "chessa 15.4")
def test_the_files_arbiters_are_those_of_the_registration():
    assert found(replace(WHOLE, named=(named(ZODWA), named(GRACE)))) == [("hold", "chief-arbiter-differs", "15.4")]
    assert found(replace(WHOLE, named=(named(GRACE),))) == [("note", "arbiters-differ", "15.4")]
    more = replace(WHOLE, appointed=WHOLE.appointed[:1])
    assert found(more) == [("hold", "arbiter-not-appointed", "6")]
    assert "does not appoint: Zodwa Cele." in check_arbiters(more)[0].message
    assert check_arbiters(more)[0].correction == "arbiter"
    stranger = replace(WHOLE, named=(NamedArbiter("Piet Ndlovu", "NA", "123456"), named(ZODWA)))
    assert found(stranger) == [("hold", "arbiter-unknown", "6"), ("hold", "chief-arbiter-differs", "15.4")]
    assert found(replace(WHOLE, named=())) == []


@pytest.mark.rule("chessa 15.2", "chessa 15.3")
def test_ids_and_titles_are_in_the_file_or_on_the_register():
    bare = replace(FILE_ONLY, named=(NamedArbiter("Piet Ndlovu"),))
    assert found(bare)[2:] == [("hold", "arbiter-id-missing", "15.2"), ("hold", "arbiter-title-missing", "15.3")]
    unknown = replace(GRACE, key=9, name="Anele Dube", number="", fide_id="")
    unnamed = replace(WHOLE, appointed=(*WHOLE.appointed, AppointedArbiter(unknown)))
    assert ("hold", "arbiter-id-missing", "15.2") in found(unnamed)
    rated = replace(WHOLE, fide_rated=True)
    assert found(rated) == [("hold", "licence-unpaid", "12.3"), ("hold", "arbiter-id-missing", "15.2")]
    assert "Zodwa Cele: no FIDE id" in check_arbiters(rated)[1].message
    assert found(replace(WHOLE, named=(named(GRACE, title=""), named(ZODWA)))) == []
    assert found(replace(WHOLE, named=(named(GRACE, title="FA"), named(ZODWA)))) == [
        ("note", "arbiter-title-differs", "15.3")
    ]


@pytest.mark.rule("chessa 15.2")
@pytest.mark.parametrize(
    ("id_", "fide_rated", "held"),
    [
        ("199000077", True, True),  # a Chess SA id
        ("14300077", True, False),
        ("99999", True, True),  # no FIDE id is that small
        ("100000", True, False),
        ("", True, True),
        ("199000077", False, False),
        ("", False, True),
    ],
)
@pytest.mark.parametrize("known", [None, ZODWA])
def test_a_fide_rated_event_asks_for_the_fide_id_of_arbiters_of_the_file(id_, fide_rated, held, known):
    """Zodwa Cele is on the register with a Chess SA id only; beside no appointments, Piet Ndlovu is not known at all."""
    name = known.name if known else "Piet Ndlovu"
    facts = replace(FILE_ONLY, fide_rated=fide_rated, named=(NamedArbiter(name, "NA", id_, known),))
    on_register = known is not None and not fide_rated
    assert ("arbiter-id-missing" in [code for _, code, _ in found(facts)]) == (held and not on_register)


SERVED = Service(1, STARTS, State.PUBLISHED, "Chief Arbiter", frozenset({1, 2, 3}))


@pytest.mark.rule("chessa 7", "chessa 8")
@pytest.mark.parametrize(
    ("fields", "article", "final"),
    [
        ({"paid": False}, "7", True),
        ({"played": True}, "8", True),
        ({"state": State.REFUSED}, "11", True),
        ({"state": State.WITHDRAWN}, "", True),
        ({"state": State.DRAFT}, "60", False),
        ({"state": State.CALCULATED}, "", False),
        ({"state": State.RETURNED}, "", False),
        ({"state": State.SUBMITTED, "paid": False}, "7", True),
    ],
)
def test_what_does_not_count_says_why(fields, article, final):
    why = obstacle(replace(SERVED, **fields))
    assert (why.article, why.severity is Severity.ERROR) == (article, final)
    assert why.message


def test_every_state_has_its_word():
    for state in State:
        assert (obstacle(replace(SERVED, state=state)) is None) is (state is State.PUBLISHED)


@pytest.mark.rule("chessa 7")
def test_activity_is_counted_by_fee_year_and_role():
    """Two appointments to one event are one event, and its rounds are counted once."""
    deputy = replace(SERVED, role="Deputy Chief Arbiter", rounds=frozenset({3, 4}))
    services = [
        SERVED,
        deputy,
        replace(SERVED, event=2, paid=False),
        replace(SERVED, event=3, state=State.ACCEPTED),
        replace(SERVED, event=4, starts=date(2023, 12, 31)),
    ]
    this, before = activity(services, begins=1)
    assert (this.year, this.total, this.lost, this.waiting) == (2024, Tally(1, 4), 1, 1)
    assert this.roles == {
        "Chief Arbiter": Tally(1, 3),
        "Deputy Chief Arbiter": Tally(1, 2),
        "Arbiter": Tally(0, 0),
    }
    assert (before.year, before.total) == (2023, Tally(1, 3))
    (together,) = activity(services, begins=10)
    assert (together.year, together.total) == (2024, Tally(2, 7))
