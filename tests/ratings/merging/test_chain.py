"""Months with a player who was on the register twice: calculated again, they are those of one player from the beginning."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.models import Merge, RatingList, Rerating
from ratings.rerating.merges import merge_players, undo_merge
from ratings.rerating.operations import take_back, withdraw
from tests.ratings.chain import AT, publish_again, published, rerate
from tests.ratings.merging.bureaus import bureau, rows

pytestmark = pytest.mark.django_db


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), twice=st.sets(st.integers(0, 11), min_size=1, max_size=4))
@pytest.mark.rule("chessa 64")
def test_merged_they_have_the_figures_of_a_bureau_that_had_one_player_from_the_beginning(seed, twice):
    with transaction.atomic():
        RatingList.objects.create(code="irish", name="Irish", position=9, system="icu")
        with transaction.atomic():
            twin, kept = bureau(seed)
            right = published()
            transaction.set_rollback(True)
        with transaction.atomic():
            twin, kept = bureau(seed, twice)
            before, all_before = published(), rows()
            merge = merge_players(twin, kept, reason="One person.", at=AT)
            assert published() == before
            done = publish_again(rerate())
            assert done.state == Rerating.State.PUBLISHED, done.error
            assert published() == right
            twin.refresh_from_db()
            assert twin.merged_into == kept
            take_back(done, reason="Two people after all.", at=AT)
            assert published() == before
            undo_merge(Merge.objects.get(pk=merge.pk), reason="Two people after all.", at=AT)
            after = rows()
            assert after["players_player"] == all_before["players_player"]
            for table in ("events_game", "events_entry", "events_section", "events_penalty", "ratings_amendment"):
                assert after[table] == all_before[table]
            transaction.set_rollback(True)
        transaction.set_rollback(True)


def test_withdrawn_and_given_up_it_leaves_every_row_as_it_was():
    twin, kept = bureau(1, {1, 4, 8})
    before = rows()
    merge = merge_players(twin, kept, reason="One person.", at=AT)
    rerating = rerate()
    assert rerating.impact
    withdraw(rerating, at=AT)
    undo_merge(merge, reason="Two people after all.", at=AT)
    after = rows()
    del after["ratings_rerating"], before["ratings_rerating"]
    assert after == before
