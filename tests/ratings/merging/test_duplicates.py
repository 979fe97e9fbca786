"""Who may be on the register twice, and who has two people's games."""

import time
from datetime import date, timedelta
from random import Random

import pytest

from events.models import Entry
from events.rules.states import EventError
from players.identity import folded_name
from players.models import Player
from players.operations import save_player
from ratings.duplicates.operations import refresh_duplicates, tell_apart
from ratings.duplicates.queries import duplicates, find_duplicates
from ratings.merging.rows import published_sections
from ratings.models import LikelyDuplicate, Rerating
from ratings.rerating.merges import merge_players
from ratings.rerating.splits import split_player
from tests.builders import CLOCK, event_of, people, player
from tests.ratings.chain import AT, publish_again, published, rerate
from tests.ratings.merging.bureaus import bureau

pytestmark = pytest.mark.django_db
BORN = date(1990, 3, 4)
DAY = timedelta(days=1)


def _pairs() -> list[tuple[str, str]]:
    refresh_duplicates(at=CLOCK)
    return [(pair.first.name, pair.second.name) for pair in duplicates().shown]


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ({"last_name": "Mokoena", "first_name": "Naledi"}, True),
        ({"last_name": "Naledi", "first_name": "Mokoena"}, True),
        ({"last_name": "Mokoena", "first_name": "Naledi", "birth_year": 1990}, True),
        ({"last_name": "Mokoena", "first_name": "Naledi", "birth_year": 1991}, False),
        ({"last_name": "Mokoena", "first_name": "Naledi", "birth_date": date(1990, 3, 5)}, False),
        ({"last_name": "Mokoena", "first_name": "Naledy", "birth_date": BORN}, True),
        ({"last_name": "Mokoena", "first_name": "Naledy"}, False),
        ({"last_name": "Mokoena", "first_name": "N", "birth_date": BORN}, True),
        ({"last_name": "Mokoena", "first_name": "Chris", "birth_date": BORN}, False),
    ],
)
def test_names_and_births_tell_who_may_be_one(second, found):
    player(birth_date=BORN)
    player(**second)
    assert bool(_pairs()) is found


def test_a_fide_id_in_a_file_tells_it_too():
    one, other = player("Mokoena", "Naledi", fide_id=14300002), player("Dlamini", "Naledi")
    section = event_of([]).sections.get()
    Entry.objects.create(
        section=section, player=other, number=1, name_in_file="x", fide_id_in_file=14300002, points=0, rank=1
    )
    refresh_duplicates(at=CLOCK)
    (pair,) = duplicates().shown
    assert (pair.first, pair.second) == (one, other)
    assert "FIDE id 14300002" in pair.why


def test_those_told_apart_are_not_listed_again():
    first, second = player(), player()
    assert len(_pairs()) == 1
    tell_apart(second, first, at=CLOCK)
    tell_apart(first, second, at=CLOCK)
    assert duplicates().shown == []
    assert _pairs() == []


def test_what_a_search_found_is_kept_with_its_moment_until_it_is_so_no_more():
    assert duplicates().as_of is None
    first, second = player(), player()
    assert refresh_duplicates(at=CLOCK)
    assert not refresh_duplicates(at=CLOCK + DAY)  # nothing was written since
    third = player()
    assert refresh_duplicates(at=CLOCK + DAY)
    found = LikelyDuplicate.objects.order_by("pk").values_list("first", "second", "found_at")
    assert list(found) == [
        (first.pk, second.pk, CLOCK),
        (first.pk, third.pk, CLOCK + DAY),
        (second.pk, third.pk, CLOCK + DAY),
    ]
    merge_players(third, first, reason="One person.", at=AT)
    assert duplicates().total == 1  # at once, before the next search
    second.last_name = "Dlamini"
    save_player(second)
    assert refresh_duplicates(at=CLOCK + 2 * DAY)
    assert not LikelyDuplicate.objects.exists()


def test_a_search_by_a_clock_that_was_ahead_hinders_none_that_follow():
    player(), player()
    assert refresh_duplicates(at=CLOCK + 30 * DAY)
    player()
    assert refresh_duplicates(at=CLOCK)
    assert duplicates().total == 3
    assert duplicates().as_of == CLOCK


def test_of_two_searches_at_once_the_quicker_counts(monkeypatch):
    """The other one may have seen less; it is made again, as what was written meanwhile."""
    player(), player()

    def slow():
        found = find_duplicates()
        monkeypatch.setattr("ratings.duplicates.operations.find_duplicates", find_duplicates)
        player()
        assert refresh_duplicates(at=CLOCK + DAY)
        return found

    monkeypatch.setattr("ratings.duplicates.operations.find_duplicates", slow)
    assert not refresh_duplicates(at=CLOCK)
    assert duplicates().total == 3


def test_a_register_of_15_000_takes_no_quadratic_work(django_assert_num_queries):
    random = Random(1)
    syllables = (
        "ba",
        "cele",
        "dla",
        "mi",
        "ni",
        "kho",
        "za",
        "ntu",
        "le",
        "thu",
        "si",
        "pho",
        "van",
        "der",
        "mer",
        "we",
    )
    names = ["".join(random.choices(syllables, k=random.randint(2, 4))).title() for _ in range(2_500)]
    Player.objects.bulk_create(
        Player(
            number=f"{300_000_000 + index:09d}",
            last_name=(last := random.choice(names[:2_000])),
            first_name=(first := random.choice(names[2_000:])),
            folded_name=folded_name(last, first),
            birth_year=random.randint(1980, 2015),
            registered_at=CLOCK,
        )
        for index in range(15_000)
    )
    began = time.process_time()
    with django_assert_num_queries(4):
        assert find_duplicates()
    assert time.process_time() - began < 20


@pytest.mark.rule("chessa 64")
def test_a_split_gives_the_figures_of_two_players_from_the_beginning():
    twin, kept = bureau(5, {1, 7})
    own = list(twin.games_as_white.values_list("section", flat=True)) + list(
        twin.games_as_black.values_list("section", flat=True)
    )
    right = published()
    merge_players(twin, kept, reason="One person.", at=AT)
    assert publish_again(rerate()).state == Rerating.State.PUBLISHED
    other = player(kept.last_name, kept.first_name)
    sections = [section for section in published_sections(kept) if section.pk in own]
    split = split_player(kept, other, sections, reason="Two people.", at=AT)
    assert (split.moved, len(split.amendments)) == ([], len(sections))
    assert publish_again(rerate()).state == Rerating.State.PUBLISHED
    names = {other.number: twin.number}
    now = [(row[0], names.get(row[1], row[1]), *row[5:]) for row in published()]
    assert sorted(map(repr, now)) == sorted(repr((row[0], row[1], *row[5:])) for row in right)


def test_what_is_not_published_is_split_at_once_and_a_section_of_both_is_refused():
    first, second, third = people(3)
    mine = event_of([(first, second, "1-0")], name="One").sections.get()
    both = event_of([(first, third, "1-0")], name="Two").sections.get()
    split = split_player(first, third, [mine], reason="Two people.", at=AT)
    assert (split.moved, mine.games.get().white) == ([mine], third)
    with pytest.raises(EventError, match="played in Two himself"):
        split_player(first, third, [both], reason="Two people.", at=AT)
    with pytest.raises(EventError, match="did not play in One"):
        split_player(first, second, [mine], reason="Two people.", at=AT)
    with pytest.raises(EventError, match="choose the sections"):
        split_player(first, second, [], reason="Two people.", at=AT)
