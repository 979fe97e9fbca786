"""What the database itself refuses, whoever writes."""

from datetime import date

import pytest

from events.models import (
    Appointment,
    Arbiter,
    Entry,
    Event,
    Game,
    Guest,
    Membership,
    Penalty,
    Round,
    Section,
    Submission,
    SubmissionFinding,
)
from tests.builders import CLOCK, people, refused_by, submitted

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    return submitted().sections.get()


def refused(name, make):
    with refused_by(name):
        make()


def test_events_and_sections(section):
    for model in (Event, Section):
        name = f"{model.__name__.lower()}_ends_after_start"
        refused(name, lambda model=model: model.objects.update(ends=date(2024, 3, 1), starts=date(2024, 3, 2)))
        model.objects.update(ends=date(2024, 3, 2), starts=date(2024, 3, 2))
    refused("event_state_known", lambda: Event.objects.update(state="lost"))
    copy = {"event": section.event, "base_minutes": 60, "starts": section.starts, "ends": section.ends}
    refused("section_position_unique_in_event", lambda: Section.objects.create(**copy, position=1))
    same = {**copy, "results_hash": section.results_hash}
    refused("section_results_submitted_once", lambda: Section.objects.create(**same, position=2))
    for position in (2, 3):
        Section.objects.create(**copy, position=position)


def test_rounds_and_entries(section):
    refused("round_number_unique_in_section", lambda: Round.objects.create(section=section, number=1))
    refused("round_number_from_one", lambda: Round.objects.create(section=section, number=0))
    entry = section.entries.first()
    row = {"section": section, "name_in_file": "x", "points": 0, "rank": 9, "match_reason": ""}
    refused("entry_player_once_in_section", lambda: Entry.objects.create(**row, player=entry.player, number=99))
    stranger = people(1)[0]
    refused("entry_number_once_in_section", lambda: Entry.objects.create(**row, player=stranger, number=entry.number))


def test_games(section):
    a, b, c = people(3)
    guest = Guest.objects.create(section=section, name="Abroad", fide_rating=2000)

    def game(**fields):
        return Game.objects.create(section=section, **{"round": 1, "white": a, "black": b, "result": "1-0", **fields})

    game()
    for name, fields in (
        ("game_white_once_a_round", {"black": c}),
        ("game_black_once_a_round", {"white": c}),
        ("game_between_two_players", {"round": 2, "black": a}),
        ("game_sides_complete", {"round": 2, "white": None}),
        ("game_sides_complete", {"round": 2, "guest": guest}),
        ("game_sides_complete", {"round": 2, "guest": guest, "white": None, "black": None}),
        ("game_bye_has_no_opponent", {"round": 2, "result": "bye"}),
        ("game_bye_has_no_opponent", {"round": 2, "black": None}),
        ("game_result_known", {"round": 2, "result": "2-0"}),
    ):
        refused(name, lambda fields=fields: game(**fields))
    game(round=2, black=None, result="bye")
    game(round=2, white=None, black=b, guest=guest)
    game(round=3, black=None, guest=guest, result="1/2-1/2")
    refused("guest_has_a_rating", lambda: Guest.objects.create(section=section, name="Nobody"))


def test_penalties_and_findings(section):
    player = section.entries.first().player
    row = {"section": section, "player": player, "kind": "forfeit", "round": 2}
    Penalty.objects.create(**row, points=20, status="confirmed")
    refused("penalty_kind_once_a_round", lambda: Penalty.objects.create(**row, points=20))
    withdrawal = {**row, "kind": "withdrawal", "points": 20}
    refused("penalty_once_a_round", lambda: Penalty.objects.create(**withdrawal, status="confirmed"))
    Penalty.objects.create(**withdrawal)
    refused("penalty_points_positive", lambda: Penalty.objects.create(**{**row, "round": 3}, points=0))
    SubmissionFinding.objects.create(submission=Submission.objects.get(), severity="hold", code="x", message="x")
    refused("finding_waived_with_a_reason", lambda: SubmissionFinding.objects.update(waived_at=CLOCK))


@pytest.mark.rule("chessa 15.4")
def test_arbiters(section):
    arbiter = Arbiter.objects.create(name="Grace Tenza", title="IA")
    Membership.objects.create(arbiter=arbiter, year=2024, paid_on=date(2024, 1, 1))
    fee = {"arbiter": arbiter, "year": 2024, "paid_on": date(2024, 1, 2)}
    refused("membership_once_a_year", lambda: Membership.objects.create(**fee))
    refused("membership_year_plausible", lambda: Membership.objects.create(**{**fee, "year": 1969}))
    refused(
        "membership_paid_on_plausible", lambda: Membership.objects.create(**{**fee, "year": 2025, "paid_on": date.max})
    )
    for name, one in (
        ("arbiter_number_has_nine_digits", {"number": "1234"}),
        ("arbiter_federation_has_three_capitals", {"federation": "rsa"}),
    ):
        refused(name, lambda one=one: Arbiter.objects.create(name="Other", title="IA", **one))
    for name, one in (
        ("arbiter_number_unique", {"number": "100000001"}),
        ("arbiter_fide_id_unique", {"fide_id": 14300009}),
    ):
        Arbiter.objects.create(name="First", title="IA", **one)
        refused(name, lambda one=one: Arbiter.objects.create(name="Other", title="IA", **one))
    row = {"event": section.event, "arbiter": arbiter}
    Appointment.objects.create(**row, position=1, first_round=2, last_round=2)
    refused("appointment_position_unique_in_event", lambda: Appointment.objects.create(**row, position=1))
    for rounds in ({"first_round": 3, "last_round": 2}, {"first_round": 3}, {"last_round": 3}):
        refused(
            "appointment_rounds_in_order", lambda rounds=rounds: Appointment.objects.create(**row, position=2, **rounds)
        )
    roles = {position: Appointment(**row, position=position).role for position in (1, 2, 3, 4)}
    assert roles == {1: "Chief Arbiter", 2: "Deputy Chief Arbiter", 3: "Deputy Chief Arbiter", 4: "Arbiter"}
