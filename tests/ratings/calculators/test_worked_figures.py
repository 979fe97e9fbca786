"""Each calculator gives the figures that its system's own documents work out."""

import pytest

from tests.ratings.calculators.entries import calculate, figures, games

pytestmark = pytest.mark.django_db

# Irish Chess Union, article on rating bonus points: 1906, K 40, nine games, change 69, performance 2109, bonus 28. The
# article gives no opponents: these are chosen to give its change and performance.
ICU = {"rt": "1906", "k": "40"} | games(
    *[(1904.909169540141, "1")] * 4, (1904.909169540141, "h"), *[(2364.1135380748237, "0")] * 4
)

# M. Glickman, approximating formulas of 15 May 2001: 1235 with six wins; its third difference is misprinted (233 for 223).
GUIDE = {"rt": "1235", "g": "50", "ed": "2001", "m": "approximate"} | games(
    (600, "1"), (950, "1"), (1458, "1"), (1144, "1"), (1263, "1"), (1121, "1")
)

# Published by US Chess: 335.27 after six games becomes 289.11.
SPECIAL = {"rt": "335.27", "g": "6", "ed": "2025"} | games((364.67, "1"), (525.69, "0"), (100, "0"))

# CFC Handbook, section 425.
HANDBOOK = {"rt": "1450", "g": "100", "hi": "1600"} | games(
    (1237, "1"), (1511, "1"), (1214, "1"), (1441, "1"), (1579, "0"), (2133, "0")
)

# Rating Regulations of 1 January 2024, worked example, tournament 2: on Standard alone, a game in 60 minutes.
EXAMPLE = {
    "b": "60", "i": "0", "m": "1405.6", "mh": "1423.0", "t": "1406.3", "th": "1445.7",
    "o1": "1185.8", "o2": "1339.5", "o3": "1351.4", "o4": "1553.5", "o5": "1553.5", "o6": "1400.8",
    "q1": "1232.8", "q2": "1265.2", "q3": "1347.2", "q4": "1256.0", "q5": "1455.2", "q6": "1350.8",
    "c1": "b", "c2": "w", "c3": "b", "c4": "w", "c5": "b", "c6": "w",
    "r1": "1", "r2": "1", "r3": "1", "r4": "1", "r5": "1", "r6": "1",
}  # fmt: skip


@pytest.mark.rule("icu bonus-example")
def test_the_example_of_the_irish_article():
    (part,) = calculate("icu", ICU)
    assert part.rating == pytest.approx(2003, abs=1e-6)
    assert part.change == pytest.approx(97, abs=1e-6)
    assert dict(part.keys)["Bonus"] == "28"
    assert dict(part.keys)["Performance"] == "2\u202f109"


@pytest.mark.rule("icu no-bonuses")
def test_an_irish_event_without_bonus():
    assert figures("icu", ICU | {"nb": "on"})["bonus"] == 0
    assert figures("icu", ICU | {"nb": "on"})["rating"] == pytest.approx(1975, abs=1e-6)


@pytest.mark.rule("icu k-factor")
def test_the_irish_k_factor_comes_from_rating_age_and_membership():
    """Icu_ratings: 16 from 2100 on, else 40 under 21, 32 in the first eight years, 24."""
    for entry, k in (({}, "24"), ({"a": "20"}, "40"), ({"a": "21"}, "24"), ({"y": "7"}, "32"), ({"y": "8"}, "24")):
        (part,) = calculate("icu", {"rt": "2099"} | entry | games((2000, "1")))
        assert dict(part.keys)["K"] == k
    (part,) = calculate("icu", {"rt": "2100", "a": "20"} | games((2000, "1")))
    assert dict(part.keys)["K"] == "16"


@pytest.mark.rule("icu performance")
def test_an_irish_provisional_rating_counts_the_games_before():
    """Performance: (credits + games before × old rating) / games, credits of 1600 + 400 and 1500 − 400."""
    (part,) = calculate("icu", {"t": "provisional", "rt": "1400", "g": "8"} | games((1600, "1"), (1500, "0")))
    assert part.rating == pytest.approx((2000 + 1100 + 8 * 1400) / 10)


@pytest.mark.rule("uscf guide-example")
def test_the_example_of_the_american_guide():
    (part,) = calculate("uscf", GUIDE)
    assert part.rating == pytest.approx(1375.504227213, abs=1e-6)
    assert dict(part.keys)["Published"] == "1\u202f376"
    assert figures("uscf", GUIDE)["bonus"] == pytest.approx(58.004664893, abs=1e-6)


def test_a_published_american_rating_by_the_special_formula():
    (part,) = calculate("uscf", SPECIAL)
    assert part.rating == pytest.approx(289.11, abs=0.005)
    assert dict(part.keys)["Formula"] == "special"


@pytest.mark.rule("uscf peak-floor")
def test_an_american_floor_from_the_best_rating():
    """Peak 1941: 200 below it, cut to a hundred, is 1700."""
    entry = {"rt": "1701", "g": "200", "pk": "1941", "ed": "2025"} | games(*[(1400, "0")] * 4)
    (part,) = calculate("uscf", entry)
    assert (part.rating, dict(part.keys)["Floor"]) == (1700, "1\u202f700")


@pytest.mark.rule("uscf start-age")
def test_an_american_newcomer_starts_by_his_age():
    """50 × age for a boy or girl of ten."""
    assert figures("uscf", {"a": "10", "ed": "2025"} | games((1500, "1")))["start"] == 500


@pytest.mark.rule("uscf editions")
def test_american_rules_go_by_the_day_of_the_event():
    """The bonus multiplier was 14 until 31 January 2023 and 12 from 1 February on."""
    entry = {"rt": "1500", "g": "100"} | games(*[(1700, "1")] * 5)
    before, after, newest = (figures("uscf", entry | {"on": day})["bonus"] for day in ("2023-01-31", "2023-02-01", ""))
    assert before < after < newest
    assert newest == figures("uscf", entry | {"ed": "2025"})["bonus"]


@pytest.mark.rule("uscf guide-letter")
def test_the_example_of_the_american_guide_to_the_letter():
    (part,) = calculate("uscf", GUIDE | {"m": "guide"})
    assert part.rating == pytest.approx(1374.54)
    keys = dict(part.keys)
    assert (keys["Published"], keys["Formula"], keys["K"]) == ("1\u202f375", "guide", "37.00")
    assert figures(
        "uscf", {name: value for name, value in (GUIDE | {"m": "guide"}).items() if name != "ed"}
    ) == figures("uscf", GUIDE | {"m": "guide"})


@pytest.mark.rule("cfc article-rounds")
def test_the_rounds_of_the_canadian_article():
    entry = {"rt": "1450", "hi": "1450", "ed": "article"} | games((1600, "1"), (1600, "1"))
    assert figures("cfc", entry)["bonus_jump"] == pytest.approx(figures("cfc", entry | {"ro": "2"})["bonus_jump"])
    assert figures("cfc", entry)["bonus_jump"] > figures("cfc", entry | {"ro": "5"})["bonus_jump"] > 0
    assert figures("cfc", entry | {"ed": ""})["bonus_jump"] == 0


@pytest.mark.rule("cfc 425")
def test_the_example_of_the_canadian_handbook():
    (part,) = calculate("cfc", HANDBOOK)
    assert (part.rating, part.change) == (1496, 46)
    found = figures("cfc", HANDBOOK)
    assert found["natural"] == pytest.approx(1487.12)
    assert found["bonus_jump"] == pytest.approx(9.234108352, abs=1e-6)


def test_a_published_canadian_provisional_rating():
    """441 after 13 games, performance 768 in five: published 532."""
    entry = {"s": "provisional", "rt": "441", "g": "13"}
    (part,) = calculate("cfc", entry | games((768, "1"), (768, "1"), (768, "h"), (768, "0"), (768, "0")))
    assert part.rating == 532


@pytest.mark.rule("cfc 413")
def test_a_canadian_match_changes_fifty_points_at_most():
    entry = {"rt": "1500", "g": "100", "ma": "on"} | games(*[(1800, "1")] * 6)
    (part,) = calculate("cfc", entry)
    assert part.change == 50


@pytest.mark.rule("uscf matches", "uscf online-floor")
def test_an_american_match_and_an_online_event():
    entry = {"rt": "1500", "g": "100"} | games(*[(1800, "1")] * 6)
    assert figures("uscf", entry | {"ma": "on"})["rating"] == 1550
    falling = {"rt": "1701", "g": "200", "pk": "1941"} | games(*[(1400, "0")] * 4)
    assert figures("uscf", falling)["rating"] == 1700
    assert figures("uscf", falling | {"ol": "on"})["rating"] < 1700


@pytest.mark.rule("chessa 28", "chessa 41")
def test_tournament_two_of_the_regulations():
    """Changes by game on Main add up to 78.162 (docs/worked-example.md); on Standard each game counts in full."""
    main, standard = calculate("chessa", EXAMPLE)
    assert (main.code, standard.code) == ("main", "standard")
    assert main.change == pytest.approx(78.1620, abs=5e-5)
    assert main.rating == pytest.approx(1405.6 + 78.1620, abs=5e-5)
    assert dict(main.keys)["K"] == "32"
    assert dict(main.keys)["Performance"] == "1\u202f822"
    assert dict(main.keys)["Greatest change"] == "123.7"
    assert "equal" in main.remarks[0]


@pytest.mark.rule("chessa 33", "chessa 56")
def test_a_newcomer_starts_at_1200_with_k_40():
    """Article 56; White's expected score of equal ratings is 0.541767 (article 33)."""
    main, blitz = calculate("chessa", {"b": "5", "i": "0", "o1": "1200", "c1": "w", "r1": "1"})
    assert blitz.rating == pytest.approx(1200 + (1 - 0.541767) * 40)
    assert blitz.remarks == ("Unrated on Blitz: the rating starts at 1200.",)
    assert main.code == "main"


@pytest.mark.parametrize(
    ("system", "entry"), [("icu", ICU), ("uscf", GUIDE), ("uscf", SPECIAL), ("cfc", HANDBOOK), ("chessa", EXAMPLE)]
)
def test_the_answer_is_that_of_the_case_file(system, entry):
    """`manage.py rate` on the case file gives the very figures of the page."""
    parts, found = calculate(system, entry), figures(system, entry)
    for part in parts:
        assert part.rating == (found[part.code]["raw"] if part.code else found["rating"])
        assert part.steps
