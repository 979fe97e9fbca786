"""One person who is twice on the register becomes one player, and two again where that was wrong."""

import re
from datetime import date, timedelta

import pytest
from django.utils import timezone

from accounts.models import Decision
from events.abroad.links import ask_link
from events.archive import store_file
from events.models import AbroadLink, Arbiter, Correction, Guest, Upload
from events.operations import EventError
from players.models import Player, Region
from players.operations import save_player
from ratings.merging.register import merged_values
from ratings.models import Amendment, Erasure, Merge, Rating, RatingRun
from ratings.periods import RunError
from ratings.personal_data.erasure.jobs import ask_for_erasure, withdraw_erasure
from ratings.rerating.merges import changes_ratings, merge_players, open_merges, undo_merge
from ratings.rerating.operations import start_rerating
from ratings.runs.filling import fill_list
from ratings.verification.beside import register_findings
from tests.builders import CLOCK, MARCH, event_of, officer, people, player, publish, with_address
from tests.pages.builders import add_list
from tests.ratings.chain import AT, MONTHS, publish_again, rerate
from tests.ratings.merging.bureaus import bureau, rows

pytestmark = pytest.mark.django_db


def _merge(old: Player, new: Player, **options: object) -> Merge:
    return merge_players(old, new, reason="One person.", at=AT, by=None, **options)


@pytest.fixture
def twins() -> tuple[Player, Player]:
    """Two rows of one person, each with a game that is not published."""
    twin, kept, other = player("Mokoena", "N", fide_id=14300002, club="Mopane"), player(), player("Cele", "Chris")
    event_of([(twin, other, "1-0")], name="One")
    event_of([(other, kept, "1-0")], name="Two")
    return twin, kept


def test_what_is_not_published_is_moved_at_once_and_back_to_the_last_row(twins):
    twin, kept = with_address(twins[0]), twins[1]
    ask_link(twin.number, twin.email, AbroadLink.Sender.PLAYER, at=CLOCK)
    Arbiter.objects.create(name="N Mokoena", title="IA", player=twin, number=twin.number)
    section = twin.games_as_white.get().section
    Guest.objects.create(section=event_of([]).sections.get(), player=twin, name="N Mokoena", fide_rating=1900)
    before = rows()
    merge = _merge(twin, kept)
    assert merge.applied_at == AT
    assert set(kept.games_as_white.values_list("section", flat=True)) == {section.pk}
    assert kept.arbiter.number == kept.number
    assert (kept.abroad_links.count(), kept.met_abroad.count(), twin.games_as_white.count()) == (1, 1, 0)
    kept.refresh_from_db()
    twin.refresh_from_db()
    assert (kept.fide_id, kept.club, kept.email) == (14300002, "Mopane", "naledi@example.org")
    assert (twin.fide_id, twin.merged_into) == (None, kept)
    undo_merge(merge, reason="Two people after all.", at=AT)
    assert rows() == before


def test_the_officer_chooses_whose_name_and_fide_id_stay(twins):
    twin, kept = twins
    Player.objects.filter(pk=kept.pk).update(fide_id=14300003)
    _merge(twin, kept, taken=["name", "fide_id"])
    kept.refresh_from_db()
    twin.refresh_from_db()
    assert (kept.first_name, kept.folded_name, kept.fide_id, kept.club) == ("N", " mokoena n", 14300002, "")
    assert twin.fide_id == 14300003


def test_an_answer_that_names_him_names_the_one_who_stays_and_the_file_is_checked_again(twins):
    twin, kept = twins
    event = event_of([], accept=False)
    file = Upload.objects.create(
        event=event, name="a.txt", at=CLOCK, asked_at=CLOCK, checked_on=CLOCK.date(),
        report={"matched": [{"player": twin.number}]}, file=store_file(b"012 Open"),
    )  # fmt: skip
    Correction.objects.create(
        upload=file, kind="player", key="1", value=twin.number, question="?", answer="!", at=CLOCK
    )
    before = rows()
    merge = _merge(twin, kept)
    file.refresh_from_db()
    assert (file.corrections.get().value, file.checked_on) == (kept.number, None)
    undo_merge(merge, reason="Two people.", at=AT)
    assert rows() == before


def test_chains_lead_to_the_last_and_are_undone_from_the_last(twins):
    twin, kept = twins
    last = player("Mokoena", "Naledi P")
    first_merge, second_merge = _merge(twin, kept), _merge(kept, last)
    twin.refresh_from_db()
    assert twin.merged_into == last
    with pytest.raises(EventError, match="merged into another player since"):
        undo_merge(first_merge, reason="Two people.", at=AT)
    undo_merge(second_merge, reason="Two people.", at=AT)
    undo_merge(first_merge, reason="Two people.", at=AT)
    assert not Player.objects.filter(merged_into__isnull=False).exists()


def test_two_who_played_in_one_section_are_refused_with_its_name():
    twin, kept = people(2)
    event_of([(twin, kept, "1-0")], name="Mopane Blitz")
    with pytest.raises(EventError, match="both played in Mopane Blitz"):
        _merge(twin, kept)


def test_what_cannot_be_merged_says_why(twins):
    twin, kept = twins
    with pytest.raises(EventError, match="give the reason"):
        merge_players(twin, kept, reason=" ", at=AT)
    with pytest.raises(EventError, match="one player"):
        _merge(twin, twin)
    _merge(twin, kept)
    with pytest.raises(EventError, match=r"merged into .* already"):
        _merge(twin, player("Cele", "C"))
    with pytest.raises(EventError, match=r"merged into .* already"):
        _merge(player("Cele", "C"), twin)


def test_a_man_and_a_woman_are_refused_and_two_births_want_to_be_sure():
    man, woman = player("Mokoena", "N", sex="M"), player("Mokoena", "N", sex="F")
    with pytest.raises(EventError, match=r"is male and .* female: .* correct that there first"):
        _merge(man, woman, sure=True)
    older, younger = player(birth_year=1990), player(birth_year=1991)
    with pytest.raises(EventError, match=r"was born in 1990 and .* in 1991: correct the register first"):
        _merge(older, younger)
    assert _merge(older, younger, sure=True).applied_at
    assert not Merge.objects.filter(old=man).exists()


def test_two_arbiters_are_refused(twins):
    for number, row in enumerate(twins):
        Arbiter.objects.create(name=f"Arbiter {number}", title="IA", player=row)
    with pytest.raises(EventError, match="both are on record as arbiters"):
        _merge(*twins)


def test_whose_erasure_is_asked_for_becomes_nobody_else():
    """It went along, and erased whom nobody had asked for."""
    old, new = people(2)
    ask_for_erasure(old, at=AT, by=None, reason="his mother asks")
    for pair in ((old, new), (new, old)):
        with pytest.raises(EventError, match=f"the erasure of {re.escape(str(old))} is asked for: withdraw it first"):
            _merge(*pair)
    withdraw_erasure(old, at=AT, by=None)
    _merge(old, new)


def test_an_erasure_that_failed_stays_with_each_of_two(twins):
    for twin in twins:
        Erasure.objects.create(player=twin, state=Erasure.State.FAILED, asked_at=AT, reason="asked", error="no")
    before = rows()
    undo_merge(_merge(*twins), reason="They are two.", at=AT)
    assert rows() == before
    assert set(Erasure.objects.values_list("player", flat=True)) == {twin.pk for twin in twins}


def test_undo_is_refused_after_the_next_publication(twins):
    merge = merge_players(*twins, reason="One person.", at=CLOCK)
    publish(MARCH)
    with pytest.raises(EventError, match=r"2024-03 has been published since .* split the player"):
        undo_merge(merge, reason="Two people.", at=AT)


@pytest.mark.parametrize("days", [-400, 400])
def test_of_a_clock_that_was_wrong_undo_knows_what_was_published_since(twins, days):
    merge = merge_players(*twins, reason="One person.", at=AT + timedelta(days=days))
    publish(MARCH)
    with pytest.raises(EventError, match="2024-03 has been published since"):
        undo_merge(merge, reason="Two people.", at=AT)


def test_what_a_clock_ahead_merged_leaves_nothing_of_one_with_the_other(twins):
    """A child's birth date and address stayed in his father's history."""
    twin, kept = with_address(twins[0], "mother@example.org"), twins[1]
    merge = merge_players(twin, kept, reason="One person.", at=timezone.now() + timedelta(days=30))
    for club in ("Rooks", merge.moved["new"]["club"]):
        row = Player.objects.get(pk=kept.pk)
        row.club = club
        save_player(row)
    assert Player.history.filter(id=kept.pk, fide_id=14300002).exists()
    undo_merge(merge, reason="Two people.", at=timezone.now())
    assert not Player.history.filter(id=kept.pk, fide_id=14300002).exists()
    assert Player.history.filter(id=twin.pk, fide_id=14300002).exists()


def test_who_was_merged_before_goes_along_with_a_version_of_his_own(twins):
    """Each night `verify` said of the first one that he was changed by hand."""
    twin, kept = twins
    third = player("Mokoena", "Third")
    _merge(twin, kept)
    second = _merge(kept, third)
    assert Player.objects.get(pk=twin.pk).merged_into == third
    assert list(register_findings()) == []
    undo_merge(second, reason="Two people.", at=AT)
    assert Player.objects.get(pk=twin.pk).merged_into == kept
    assert list(register_findings()) == []


def test_undo_is_refused_when_a_list_was_filled_with_what_came_with_the_merge():
    people = [player("Cele", "Chris"), player("Nel", "Nina")]
    event_of([(*people, "1-0")])
    publish(MARCH)
    twin = player("Cele", "C", birth_date=date(2001, 2, 3))
    merge = merge_players(twin, people[0], reason="One person.", at=timezone.now())
    fill_list(add_list("later", system="uscf", position=7), MARCH, at=AT)
    with pytest.raises(EventError, match=r"2024-03 was filled for another list since .* split the player instead"):
        undo_merge(merge, reason="Two people.", at=AT)


def test_undo_is_refused_when_the_register_was_changed_since(twins):
    merge = _merge(*twins)
    kept = Player.objects.get(pk=twins[1].pk)
    kept.region = Region.objects.get(code="GAU")
    save_player(kept)
    with pytest.raises(EventError, match=r"region of .* has been changed since"):
        undo_merge(merge, reason="Two people.", at=AT)


def test_published_games_are_moved_by_a_re_rating_only():
    twin, kept = bureau(2, {2, 5})
    assert changes_ratings(twin)
    before = rows()["events_game"]
    merge = _merge(twin, kept)
    assert (merge.applied_at, len(merge.sections), rows()["events_game"]) == (None, 2, before)
    with pytest.raises(EventError, match="proposed already"):
        _merge(kept, people(1)[0])
    done = publish_again(rerate())
    merge.refresh_from_db()
    assert (merge.rerating, open_merges()) == (done, [])
    with pytest.raises(EventError, match="take that re-rating back"):
        undo_merge(merge, reason="Two people.", at=AT)


def test_a_merge_goes_with_all_its_corrections():
    twin, kept = bureau(2, {2, 5})
    _merge(twin, kept)
    with pytest.raises(RunError, match="goes with all its corrections"):
        start_rerating(None, list(Amendment.objects.all()[:1]), reason="One person.", at=AT)


def test_a_game_that_is_accepted_meanwhile_is_moved_with_the_rest():
    twin, kept = bureau(2, {2, 5}, months=4)
    _merge(twin, kept)
    other = people(1)[0]
    rerating = rerate()
    section = event_of([(twin, other, "1-0")], ends=date(2024, 5, 5), name="May Open").sections.get()
    done = publish_again(rerating)
    assert done.error == ""
    assert section.games.get().white == kept


def test_a_standing_that_was_brought_in_has_no_part_in_the_next_month():
    twin, kept = bureau(3, {0, 1, 2}, months=1)
    run = RatingRun.objects.get()
    RatingRun.objects.filter(pk=run.pk).update(kind=RatingRun.Kind.OPENING)
    assert Rating.objects.filter(run=run, player=twin).exists()
    for section in twin.entries.all():
        section.delete()
    # All that he played was before the month that was brought in.
    twin.games_as_white.update(white=people(1)[0])
    twin.games_as_black.update(black=people(1)[0])
    _merge(twin, kept)
    later = publish(MONTHS[1], at=AT)
    assert Rating.objects.filter(run=later, player=kept).exists()
    assert not Rating.objects.filter(run=later, player=twin).exists()


def test_it_is_on_the_trail_without_what_is_private(twins):
    by = officer()
    twin = with_address(twins[0])
    twin.died_on = date(2024, 2, 29)
    save_player(twin)
    undo_merge(
        merge_players(twin, twins[1], reason="One person.", at=AT, by=by), reason="Two.", at=AT + timedelta(1), by=by
    )
    merged, undone = Decision.objects.filter(action__startswith="merge").order_by("pk")
    assert (merged.actor, merged.reason, undone.reason) == (by, "One person.", "Two.")
    assert merged.after["merged"] == str(twin)
    assert merged.after["died on"] == "(hidden)"
    assert "naledi" not in str(merged.after).lower().replace("naledi mokoena", "")


@pytest.mark.parametrize(
    ("old_since", "new_since", "hidden"), [(MARCH, None, MARCH), (None, MARCH, MARCH), (None, None, None)]
)
def test_who_is_hidden_under_one_of_his_numbers_stays_hidden(old_since, new_since, hidden):
    """Also when that came after the merge was proposed, which waits for its re-rating."""
    old, new = people(2)
    for row, since in ((old, old_since), (new, new_since)):
        row.hidden_since = since
        save_player(row)
    assert merged_values(old, new, taken=())["hidden_since"] == hidden
