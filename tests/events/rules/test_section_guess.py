"""For which section a file is: by names, by players, by the age, sex and rating that a section's name says."""

from dataclasses import replace

import pytest

from events.rules.section_guess import Limits, SectionKnown, guess_section, keys_of, limits_of
from events.rules.tournament import Entrant, Tournament

FOUR = tuple(Entrant(number, f"Cele{number}, Chris", f"Cele{number}", "Chris") for number in range(1, 5))


def sections(*names: str) -> list[SectionKnown]:
    return [SectionKnown(key, name) for key, name in enumerate(names, start=1)]


def guessed(known: list[SectionKnown], *, name="", file="results.trf", players=FOUR) -> str:
    """The name of the guessed section and the first reason."""
    guess = guess_section(known, Tournament("TRF16", "ASCII", name=name, entrants=players), file, year=2026)
    if guess is None:
        return ""
    return f"{next(section.name for section in known if section.key == guess.key)}: {guess.reasons[0]}"


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("U16 Girls", Limits(oldest=16, sex="F")),
        ("Under-16", Limits(oldest=16)),
        ("u14g", Limits(oldest=14, sex="F")),
        ("Under 12 B", Limits(oldest=12, sex="M")),
        ("U1600", Limits(highest=1600)),
        ("Below 1400", Limits(highest=1400)),
        ("1200-1599", Limits(lowest=1200, highest=1599)),
        ("1800+", Limits(lowest=1800)),
        ("Veterans 50+", Limits(youngest=50)),
        ("Women’s Open", Limits(sex="F")),
        ("Ladies", Limits(sex="F")),
        ("Gauteng League 2025-2026", Limits()),
        ("Open", Limits()),
        ("U3", Limits()),
        ("Under 399", Limits()),
        ("Under 400", Limits(highest=400)),
    ],
)
def test_whom_a_name_admits(name, limits):
    assert limits_of(name) == limits


@pytest.mark.parametrize(
    ("names", "name", "file", "section"),
    [
        (("A", "B"), "Mopane Open B", "x.trf", "B"),
        (("Open", "Open Girls"), "Open Girls", "x.trf", "Open Girls"),
        (("Open", "Under 16 Girls"), "Gauteng Open", "mopane_U16G.trf", "Under 16 Girls"),
        (("U16 A", "U16 B"), "U16 B", "x.trf", "U16 B"),
        (("A", "B"), "A and B", "x.trf", ""),
        (("U14", "U16"), "Juniors", "x.trf", ""),
        ((), "A", "x.trf", ""),
    ],
)
def test_the_name_of_tournament_or_file_tells(names, name, file, section):
    assert guessed(sections(*names), name=name, file=file).partition(":")[0] == section


def aged(*years: int | None, sex: str = "M") -> tuple[Entrant, ...]:
    return tuple(
        replace(FOUR[0], number=number, birth_year=year, sex=sex) for number, year in enumerate(years, start=1)
    )


@pytest.mark.parametrize(
    ("players", "section"),
    [
        (aged(2012, 2012, 2013, 2014), "U14"),
        (aged(2010, 2012, 2013, 2014), "U16"),
        (aged(2009, 2012, 2013, 2014), "Open"),
        (aged(2012, 2012, None, None), ""),  # of two the age is known
        (aged(2012, 2012, 2012, None), "U14"),
        (aged(*[2012] * 9, 2011), "U14"),  # nine of ten
        (aged(*[2012] * 8, 2011), "U16"),
        (aged(*[2012] * 4, sex="F"), "U14 Girls"),
    ],
)
def test_the_age_and_the_sex_of_the_players_tell(players, section):
    known = sections("U14", "U14 Girls", "U16", "Open")
    assert guessed(known, players=players).partition(":")[0] == section


def test_the_ratings_of_the_players_tell():
    players = tuple(replace(one, rating=rating) for one, rating in zip(FOUR, (1300, 1400, 1450, 1599), strict=True))
    known = sections("Premier", "1200-1599", "U1200")
    assert guessed(known, players=players) == (
        "1200-1599: 4 of 4 players are of the rating that the section’s name says."
    )
    strong = tuple(replace(one, rating=2000) for one in FOUR)
    assert guessed(known, players=strong).startswith("Premier: Its players are not of the age, sex or rating")


def test_players_of_the_file_before_tell():
    players = frozenset(key for one in FOUR[:2] for key in keys_of(one.name))
    seen = [SectionKnown(1, "A", players), SectionKnown(2, "B")]
    assert not guessed(seen)  # two are too few
    seen = [SectionKnown(1, "A", players | set(keys_of("Chris Cele3"))), SectionKnown(2, "B")]
    assert guessed(seen) == "A: 3 of its 4 players are in the section’s file before."
    assert not guessed([seen[0], SectionKnown(2, "B", players)])  # two of them there, too


def test_a_player_is_recognised_by_name_and_by_chess_sa_id():
    assert list(keys_of("Cele, Chris", "185000001", "4300001")) == ["cele chris", "185000001"]
    assert list(keys_of("")) == []
