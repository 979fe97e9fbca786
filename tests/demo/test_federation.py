import subprocess
import sys
from collections import Counter
from datetime import date
from itertools import pairwise

import pytest

from demo.accounts import accounts
from demo.federation import TODAY, Scale, make_federation
from demo.guests import games_abroad
from demo.officials import arbiter_with_login
from demo.people import FIRST_INVENTED_FIDE_ID
from demo.plans import Defect, Fate
from demo.tournaments import play_section
from events.rules.game_result import BYES, FORFEITS, Result
from events.rules.penalties import proposals
from players.identity import folded_name


@pytest.fixture(scope="module")
def federation():
    return make_federation(Scale())


@pytest.fixture(scope="module")
def played(federation):
    return [
        (plan, section, play_section(plan, section, federation.people, federation.officials, month.index, {}))
        for month, plans in zip(federation.months, federation.plans, strict=True)
        for plan in plans
        for section in plan.sections
        if plan.kind != "abroad"
    ]


@pytest.fixture(scope="module")
def plans(federation):
    return [plan for plans in federation.plans for plan in plans]


@pytest.fixture(scope="module")
def results(played):
    return Counter(pairing.result for _, _, one in played for pairing in one.pairings)


def test_it_is_the_same_federation_every_time(federation, played):
    again = make_federation(Scale())
    assert again == federation
    plan, section, first = played[7]
    assert play_section(plan, section, again.people, again.officials, 0, {}) == first


def test_it_does_not_depend_on_the_order_of_hashes():
    program = (
        "import hashlib; from demo.federation import Scale, make_federation;"
        "print(hashlib.sha256(repr(make_federation(Scale(120, 3)).plans).encode()).hexdigest())"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
    assert len(told.pop().strip()) == 64


@pytest.mark.parametrize(("people", "months"), [(60, 1), (60, 60), (2000, 2)])
def test_small_and_big_federations_can_be_paired(people, months):
    federation = make_federation(Scale(people, months))
    assert len(federation.people) == people
    for month, plans in zip(federation.months, federation.plans, strict=True):
        assert len(plans) >= 5
        for plan in plans:
            for section in plan.sections if plan.kind != "abroad" else ():
                play_section(plan, section, federation.people, federation.officials, month.index, {})


@pytest.mark.parametrize(("people", "months"), [(59, 24), (2001, 24), (600, 0), (600, 61)])
def test_sizes_that_cannot_be_filled_are_refused(people, months):
    with pytest.raises(ValueError, match="60 to 2000 people and 1 to 60 months"):
        Scale(people, months)


def test_months_run_from_november_2024_to_the_open_november_2026(federation):
    firsts = [month.first for month in federation.months]
    assert (firsts[0], firsts[-1], len(firsts)) == (date(2024, 11, 1), date(2026, 11, 1), 25)
    assert [month.today for month in federation.months] == [None] * 24 + [TODAY]


def test_a_month_has_12_to_16_events(federation):
    assert {len(plans) for plans in federation.plans} <= set(range(12, 17))


def test_every_time_control_is_played(plans):
    played = {(section.base, section.increment) for plan in plans for section in plan.sections}
    assert played == {(90, 30), (60, 0), (25, 5), (15, 10), (10, 0), (5, 3), (3, 2), (120, 30)}


def test_every_kind_of_event_and_many_formats_are_there(plans):
    assert {plan.kind for plan in plans} == {"otb", "hybrid", "national", "club", "abroad"}
    formats = {section.format for plan in plans for section in plan.sections}
    assert formats == {"swiss", "round-robin", "double-round-robin", "team"}
    assert max(len(plan.sections) for plan in plans) >= 3
    assert any("Junior" in plan.name and any(s.name == "U12 Girls" for s in plan.sections) for plan in plans)


def test_every_fate_is_met(plans):
    assert {plan.fate for plan in plans} == set(Fate)


def test_the_open_month_has_something_in_every_tray_of_gauteng(federation):
    fates = {plan.fate for plan in federation.plans[-1] if plan.region == "GAU"}
    assert fates == {Fate.RATED, Fate.SUBMITTED, Fate.RETURNED, Fate.REGISTERED}
    assert {defect for plan in federation.plans[-1] for defect in plan.defects} == set(Defect)


def test_the_arbiter_who_logs_in_has_a_penalty_to_decide(federation, played):
    arbiter = arbiter_with_login(federation.officials)
    waiting = [
        pairing
        for plan, _, one in played
        if plan in federation.plans[-1] and arbiter.index in plan.officials and plan.fate is not Fate.RATED
        for pairing in one.pairings
        if pairing.result in FORFEITS and pairing.round > 1
    ]
    assert waiting


def test_what_is_still_to_come_is_neither_submitted_nor_rated(federation):
    for plan in federation.plans[-1]:
        assert (plan.ends >= TODAY) == (plan.fate in (Fate.REGISTERED, Fate.DRAFT)), plan.key


def test_there_are_forfeits_and_every_kind_of_bye(results):
    assert set(results) >= {Result.FORFEIT_WHITE_WINS, Result.FORFEIT_BLACK_WINS}
    assert set(results) >= {Result.PAIRING_BYE, Result.HALF_BYE, Result.ZERO_BYE}


def test_there_are_forfeits_after_the_first_round_and_withdrawals_without_notice(played):
    assert any(p.result in FORFEITS and p.round > 1 for _, _, one in played for p in one.pairings)
    withdrawn = [(one, found) for _, _, one in played for found in proposals(one) if found.kind == "withdrawal"]
    assert withdrawn
    for one, found in withdrawn:
        there = {p.result for p in one.pairings if p.round > found.round and found.number in (p.white, p.black)}
        assert there <= {Result.ZERO_BYE}


def test_the_stronger_player_wins_more_often(results):
    assert results[Result.WHITE_WINS] > results[Result.BLACK_WINS] > results[Result.DRAW] > 1000


def test_everybody_stands_once_in_every_round(played):
    for plan, section, one in played:
        for round_ in range(1, section.rounds + 1):
            there = [n for p in one.pairings if p.round == round_ for n in (p.white, p.black) if n]
            assert sorted(there) == list(range(1, len(section.players) + 1)), plan.key


def test_the_smallest_sections_of_article_17_are_kept(played):
    for plan, section, one in played:
        least = (4, 6) if section.format == "double-round-robin" else (6, 5)
        assert (len(one.entrants), section.rounds) >= least, plan.key
        assert section.rounds >= least[1], plan.key


def test_a_league_has_teams_of_four_boards_that_meet_once(played):
    leagues = [one for _, section, one in played if section.format == "team"]
    assert leagues
    for league in leagues:
        team_of = {number: team.name for team in league.teams for number in team.members}
        assert sorted(team_of) == [entrant.number for entrant in league.entrants]
        assert all(entrant.club == team_of[entrant.number] for entrant in league.entrants)
        matches = Counter(frozenset((team_of[p.white], team_of[p.black])) for p in league.pairings)
        assert set(matches.values()) == {4}
        assert len(matches) == 15


def test_points_and_ranks_agree(played):
    for _, _, one in played:
        ordered = sorted(one.entrants, key=lambda entrant: entrant.rank)
        assert [entrant.rank for entrant in ordered] == list(range(1, len(ordered) + 1))
        assert all(higher.points >= lower.points for higher, lower in pairwise(ordered))


def test_byes_have_no_opponent(played):
    assert all((p.black is None) == (p.result in BYES) for _, _, one in played for p in one.pairings)


def test_nobody_plays_in_two_places_at_once(federation):
    for month_plans in federation.plans:
        days = Counter(
            (index, day)
            for plan in month_plans
            for section in plan.sections
            for index in section.players
            for day in set(section.round_dates)
        )
        assert max(days.values()) == 1


def test_no_appointed_arbiter_plays_in_the_event_club_events_excepted(federation, plans):
    for plan in plans:
        serving = {federation.officials[index].person for index in plan.officials}
        playing = {index for section in plan.sections for index in section.players}
        assert plan.kind == "club" or serving.isdisjoint(playing), plan.key


def test_every_event_but_those_abroad_has_a_chief_arbiter(plans):
    assert all(bool(plan.officials) != (plan.kind == "abroad") for plan in plans)


def test_events_of_closed_months_end_in_time_for_the_run(federation):
    for month, month_plans in zip(federation.months[:-1], federation.plans[:-1], strict=True):
        assert all(plan.ends.replace(day=1) == month.first and plan.ends.day <= 25 for plan in month_plans)


def test_guests_abroad_have_a_fide_rating_or_a_performance(federation, plans):
    games = [
        game
        for plan in plans
        if plan.kind == "abroad"
        for index in plan.sections[0].players
        for game in games_abroad(plan, federation.people[index], 0, plan.sections[0].rounds)
    ]
    assert {(game.fide_rating is None, game.performance is None) for game in games} == {(True, False), (False, True)}


def test_nobody_real_is_meant_by_a_number(federation):
    assert all(len(p.number) == 9 and p.number.startswith("999") for p in federation.people)
    fide_ids = [person.fide_id for person in federation.people if person.fide_id]
    assert min(fide_ids) == FIRST_INVENTED_FIDE_ID
    assert len(set(fide_ids)) == len(fide_ids)


def test_a_few_have_titles(federation):
    titles = Counter(person.title for person in federation.people if person.title)
    assert 5 <= titles.total() <= 20
    assert len(titles) > 2


def test_names_differ_and_some_are_long_double_barrelled_or_accented(federation):
    people = federation.people
    assert len({folded_name(p.last_name, p.first_name) for p in people}) == len(people) == 600
    assert any("-" in p.last_name for p in people)
    assert any(not p.file_name.isascii() for p in people)
    assert max(len(p.file_name) for p in people) > 28


def test_people_are_of_all_ages_and_a_third_are_women(federation):
    ages = [person.age_in(2026) for person in federation.people]
    assert min(ages) < 10
    assert max(ages) > 75
    assert 0.25 < sum(person.sex == "F" for person in federation.people) / len(federation.people) < 0.35


def test_people_join_and_leave(federation):
    assert len({person.joined for person in federation.people}) > 20
    assert any(person.left is not None for person in federation.people)
    for month, month_plans in zip(federation.months, federation.plans, strict=True):
        for plan in month_plans:
            assert all(federation.people[i].plays_in(month.index) for s in plan.sections for i in s.players)


def test_strengths_drift(federation):
    assert all(len(set(person.strengths)) > 20 for person in federation.people)
    young = [p.strengths[-1] - p.strengths[0] for p in federation.people if p.born.year > 2008]
    assert sum(young) / len(young) > 100


def test_arbiters_have_every_title_and_pay_their_fees(federation):
    assert {official.title for official in federation.officials} == {"SS", "TS", "CPA", "PA", "NA", "FA", "IA"}
    assert all(day.year in (year - 1, year) for official in federation.officials for year, day in official.paid)
    assert any(2025 not in dict(official.paid) for official in federation.officials)


def test_accounts_are_plainly_not_real():
    assert {email for _, email, _ in accounts()} == {
        "officer@example.org",
        "administrator@example.org",
        "arbiter@example.org",
        "panel@example.org",
        "superuser@example.org",
    }
    assert len({password for _, _, password in accounts()}) == 5
