"""The rules of a registration, each at its limit."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from events.rules.deadlines import last_day_to_register
from events.rules.registration import (
    ArbiterData,
    RegistrationData,
    SectionData,
    a_year_on,
    changed_after_play,
    is_late_to_register,
    is_later_than_agreed,
    is_over,
    registration_closes,
    registration_errors,
    rounds_without_arbiter,
)
from events.rules.sizes import smallest

STARTS = date(2026, 5, 31)
WHOLE = RegistrationData(
    name="Mopane Open",
    region="GAU",
    starts=STARTS,
    ends=STARTS,
    organiser_name="Thandi Nkosi",
    organiser_number="100000001",
    sections=(SectionData(base=15, rounds=5, starts=STARTS, ends=STARTS, key=7),),
    arbiters=(ArbiterData("Grace Tenza"),),
)


@pytest.mark.rule("chessa 60", "chessa 60.1", "chessa 60.2")
@pytest.mark.parametrize(
    ("fide_rated", "norm_event", "last"),
    [
        pytest.param(False, False, date(2026, 5, 28), id="3 days"),
        pytest.param(True, False, date(2026, 5, 24), id="7 days"),
        pytest.param(True, True, date(2026, 5, 1), id="30 days"),
    ],
)
def test_the_last_second_in_time_and_the_first_second_late(fide_rated, norm_event, last):
    """Midnight in Johannesburg is 22:00 UTC of the day before."""
    assert last_day_to_register(STARTS, fide_rated=fide_rated, norm_event=norm_event) == last
    event = replace(WHOLE, fide_rated=fide_rated, norm_event=norm_event)
    midnight = datetime(last.year, last.month, last.day, 22, tzinfo=UTC)
    assert registration_closes(event) == midnight
    assert not is_late_to_register(event, at=midnight - timedelta(microseconds=1))
    assert is_late_to_register(event, at=midnight)


@pytest.mark.rule("chessa 60")
def test_without_a_start_or_abroad_there_is_no_last_day():
    for event in (replace(WHOLE, starts=None), replace(WHOLE, kind="abroad")):
        assert registration_closes(event) is None
        assert not is_late_to_register(event, at=datetime(2099, 1, 1, tzinfo=UTC))


@pytest.mark.rule("chessa 60")
def test_a_change_of_a_registered_event_is_late_only_by_what_is_new():
    closes = registration_closes(WHOLE)
    more = replace(WHOLE, sections=(*WHOLE.sections, SectionData(base=5)))
    swapped = replace(WHOLE, sections=(replace(WHOLE.sections[0], key=8),))
    earlier = replace(WHOLE, starts=STARTS - timedelta(days=1))
    section = WHOLE.sections[0]
    rewritten = [replace(WHOLE, sections=(one,)) for one in (replace(section, base=3), replace(section, format="team"))]
    kinds = [replace(WHOLE, kind=kind) for kind in ("club", "abroad")]
    for change in (more, earlier, swapped, *rewritten, *kinds):
        assert is_later_than_agreed(WHOLE, change, at=closes)
    assert not is_later_than_agreed(WHOLE, more, at=closes - timedelta(seconds=1))
    corrected = replace(WHOLE, sections=(replace(section, name="Ladies"),))
    for change in (WHOLE, corrected, replace(WHOLE, name="Other"), replace(WHOLE, starts=STARTS + timedelta(days=1))):
        assert not is_later_than_agreed(WHOLE, change, at=closes)


def test_an_event_is_over_from_the_day_after_its_last():
    assert not is_over(WHOLE, today=STARTS)
    assert is_over(WHOLE, today=STARTS + timedelta(days=1))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": "Other"}, ["the name"]),
        ({"kind": "national"}, ["the kind of event"]),
        ({"region": "LCP"}, ["the host region"]),
        ({"hubs": ("GAU",)}, ["the regions with a hub"]),
        ({"starts": None, "ends": None}, ["the first day", "the last day"]),
        ({"fide_rated": True, "norm_event": True}, ["whether it is FIDE rated", "whether it is a norm event"]),
        ({"sections": ()}, ["the sections"]),
        ({"sections": (replace(WHOLE.sections[0], base=90),)}, ["the sections"]),
        ({"sections": (replace(WHOLE.sections[0], key=8),)}, ["the sections"]),
        ({"sections": (replace(WHOLE.sections[0], days=(STARTS,)),)}, []),
        ({"place": "Benoni", "organiser_name": "A", "organiser_number": "1", "arbiters": (), "results_url": "x"}, []),
    ],
)
def test_what_was_played_is_completed_and_not_planned_again(change, words):
    assert changed_after_play(WHOLE, replace(WHOLE, **change)) == words


@pytest.mark.rule("chessa 6")
def test_rounds_without_an_arbiter():
    section = SectionData(rounds=7)
    assert rounds_without_arbiter(section, []) == [1, 2, 3, 4, 5, 6, 7]
    part = [ArbiterData("A", 1, 2), ArbiterData("B", 4, 6)]
    assert rounds_without_arbiter(section, part) == [3, 7]
    assert rounds_without_arbiter(section, [*part, ArbiterData("C")]) == []
    assert rounds_without_arbiter(SectionData(), []) == []


@pytest.mark.rule("chessa 17.1", "chessa 17.2", "chessa 17.3", "chessa 17.4")
def test_the_smallest_section_of_each_format():
    formats = ("swiss", "round-robin", "double-round-robin", "team", "scheveningen")
    assert [smallest(one, STARTS) for one in formats] == [(6, 5), (6, 5), (4, 6), (4, 5), (5, 5)]


def test_a_whole_registration_lacks_nothing():
    assert list(registration_errors(WHOLE)) == []


@pytest.mark.rule("chessa 13.1", "chessa 13.2", "chessa 13.5", "chessa 15", "chessa 23")
@pytest.mark.parametrize(
    ("change", "field", "article"),
    [
        ({"name": ""}, "name", "13.1"),
        ({"ends": None}, "starts", "13.2"),
        ({"organiser_name": ""}, "organiser_name", "13.5"),
        ({"organiser_number": ""}, "organiser_number", "13.5"),
        ({"arbiters": ()}, "arbiter-0-arbiter", "15"),
        ({"sections": ()}, "section-0-base", "19"),
        ({"sections": (SectionData(base=15),)}, "section-0-rounds", "13.3"),
        ({"sections": (SectionData(base=4, increment=0, rounds=5),)}, "section-0-base", "23"),
    ],
)
def test_what_a_registration_lacks_is_said_at_its_field(change, field, article):
    assert [(one.field, one.article) for one in registration_errors(replace(WHOLE, **change))] == [(field, article)]


@pytest.mark.rule("chessa 13.1")
@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ([""], []),
        (["A"], []),
        (["A", "B"], []),
        (["A", "A1"], []),
        (["", ""], ["section-0-name", "section-1-name"]),
        (["A", " "], ["section-1-name"]),
        (["A", "A"], ["section-1-name"]),
        (["Open A", " open  a "], ["section-1-name"]),
    ],
)
def test_several_sections_have_each_a_name_of_its_own(names, wanted):
    sections = tuple(SectionData(name, base=15, rounds=5, starts=STARTS, ends=STARTS) for name in names)
    errors = registration_errors(replace(WHOLE, sections=sections))
    assert [(error.field, error.article) for error in errors] == [(field, "13.1") for field in wanted]


def test_four_minutes_and_a_second_a_move_are_five():
    assert list(registration_errors(replace(WHOLE, sections=(SectionData(base=4, increment=1, rounds=5),)))) == []


@pytest.mark.rule("chessa 62.2")
def test_the_host_of_a_hybrid_event_has_a_hub():
    for hubs, wanted in (((), ["hubs"]), (("LCP",), ["hubs"]), (("LCP", "GAU"), [])):
        assert [one.field for one in registration_errors(replace(WHOLE, kind="hybrid", hubs=hubs))] == wanted


@pytest.mark.rule("chessa 10")
def test_an_event_abroad_has_another_federation_is_fide_rated_and_has_a_link():
    abroad = replace(WHOLE, kind="abroad", arbiters=(), organiser_name="", organiser_number="")
    for federation in ("", "RSA"):
        found = registration_errors(replace(abroad, federation=federation))
        assert [one.field for one in found] == ["federation", "fide_rated", "results_url"]
    whole = replace(abroad, federation="BOT", fide_rated=True, results_url="https://example.org")
    assert list(registration_errors(whole)) == []


@pytest.mark.rule("chessa 9", "chessa 10", "chessa 43", "chessa 62.1")
@pytest.mark.parametrize("kind", ["otb", "club", "national", "hybrid"])
@pytest.mark.parametrize(("federation", "wanted"), [("RSA", []), ("NAM", [("federation", "10")])])
def test_what_is_played_outside_the_borders_is_registered_as_an_event_abroad(kind, federation, wanted):
    home = replace(WHOLE, kind=kind, hubs=("GAU",), organising_body="Chess Gauteng", federation=federation)
    for fide_rated in (False, True):
        errors = registration_errors(replace(home, fide_rated=fide_rated))
        assert [(error.field, error.article) for error in errors] == wanted


@pytest.mark.parametrize(
    ("first", "second", "lacking"),
    [((None, None), (None, None), 1), ((1, 3), (3, 5), 1), ((1, 3), (4, 5), 0), ((1, 3), (None, None), 1)],
)
def test_an_arbiter_stands_once_for_a_round(first, second, lacking):
    rows = tuple(ArbiterData("Grace Tenza", *rounds, key=7) for rounds in (first, second))
    assert [one.field for one in registration_errors(replace(WHOLE, arbiters=rows))] == ["arbiter-1-arbiter"] * lacking
    other = (rows[0], replace(rows[1], key=8))
    assert list(registration_errors(replace(WHOLE, arbiters=other))) == []


@pytest.mark.parametrize(
    ("day", "moved"),
    [
        pytest.param(date(2025, 5, 17), date(2026, 5, 16), id="a Saturday stays one"),
        pytest.param(date(2024, 2, 29), date(2026, 2, 26), id="a leap day, two years on"),
        pytest.param(date(2026, 12, 31), date(2027, 12, 30), id="over the end of a year"),
        pytest.param(date(2019, 1, 1), date(2026, 12, 29), id="as many years as it takes"),
    ],
)
def test_the_same_weekday_a_year_on(day, moved):
    found = a_year_on(day, today=date(2026, 1, 15))
    assert (found, found.weekday()) == (moved, day.weekday())
