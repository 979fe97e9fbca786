"""Who was merged into another by mistake, also in a chain of merges, and is two again or split off: what goes with him."""

from datetime import date
from itertools import pairwise

import pytest

from accounts.models import User
from events.models import Arbiter
from events.rules.states import EventError
from players.models import FideList, FideRating, Player
from players.operations import hide_player, save_player
from ratings.merging.operations import revert_merge
from ratings.models import Amendment, Download, Merge, RatingList
from ratings.personal_data.clearing import clear_personal_data
from ratings.personal_data.erasure.hindrances import hindrance
from ratings.personal_data.export import of_player
from ratings.rerating.merges import merge_players, undo_merge
from ratings.rerating.splits import split_player
from tests.builders import CLOCK, MARCH, event_of, everything, officer, people, player, publish, with_address
from tests.ratings.personal_data.children import (
    BORN,
    LATER,
    child,
    erase,
    files_of,
    left,
    merged_by_mistake,
    mistaken_for,
)
from tests.ratings.personal_data.test_erasure import verified

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("between", [True, False])
def test_nothing_of_her_stays_with_one_who_was_taken_for_her_by_others_between(between):
    RatingList.objects.create(code="irish", name="Irish", position=9, system="icu")
    his, second, (third, opponent) = child(), player("Ottolyne", "Wanda"), people(2)
    event_of([(third, opponent, "1-0")])
    way = [his, second, third] if between else [his, third]
    for old, new in pairwise(way):
        old, new = Player.objects.get(pk=old.pk), Player.objects.get(pk=new.pk)
        merge_players(old, new, reason="one", at=CLOCK, taken=["name", "birth"])
    run = publish()
    files_of(run)
    new = player("Qwibbelthorpe", "Zandile")
    records = [Player.objects.get(pk=his.pk)]
    split_player(Player.objects.get(pk=third.pk), new, [], reason="two", at=LATER, records=records)
    told = str([part.rows for part in of_player(Player.objects.get(pk=third.pk))])
    assert "2012-02-03" not in told
    erase(new)
    assert left() == []
    assert not Download.objects.exists()
    assert verified() == []


def test_a_chain_of_merges_that_were_undone_keeps_no_name_of_hers():
    first, second, third = child(), player("Nkosi", "Themba"), player("Ottolyne", "Wanda")
    one = merge_players(first, second, reason="one", at=CLOCK, taken=["name"])
    two = merge_players(Player.objects.get(pk=second.pk), third, reason="one", at=CLOCK, taken=["name"])
    for merge in (two, one):
        undo_merge(merge, reason="two", at=CLOCK)
    erase(Player.objects.get(pk=first.pk))
    assert left() == []


def test_the_reason_of_a_merge_is_no_longer_with_the_pseudonym_than_its_column():
    first, second = player("Qwib", "Zoe"), player("Nkosi", "Themba")
    third = player("van der Merwe Botha Nel Oos", "Wanda Wilhelmina Ann Augusta")
    one = merge_players(first, second, reason="one", at=CLOCK, taken=["name"])
    two = merge_players(Player.objects.get(pk=second.pk), third, reason="one", at=CLOCK, taken=["name"])
    for merge in (two, one):
        undo_merge(merge, reason="two", at=CLOCK)
    assert Player.history.filter(id=third.pk, history_change_reason__contains="Qwib").exists()
    erase(Player.objects.get(pk=first.pk))
    reasons = Player.history.exclude(history_change_reason=None).values_list("history_change_reason", flat=True)
    assert not [reason for reason in reasons if "Qwib" in reason or len(reason) > 100]


def test_who_was_merged_by_mistake_is_erased_with_the_one_who_is_split_off():
    his, other, section = merged_by_mistake()
    assert "split that one first" in hindrance(his)
    new = player("Qwibbelthorpe", "Zandile")
    with pytest.raises(EventError, match="is not merged into"):
        split_player(other, new, [section], reason="two", at=LATER, records=[people(1)[0]])
    split_player(other, new, [], reason="two", at=LATER, records=[his])
    assert Player.objects.get(pk=his.pk).merged_into == new
    other.refresh_from_db()
    assert (other.birth_date, other.fide_id, other.email) == (None, None, "")
    told = str([part.rows for part in of_player(Player.objects.get(pk=other.pk))])
    assert "zandile@example.org" not in told
    assert "2012-02-03" not in told
    erase(new)
    assert left() == []
    assert Player.objects.get(pk=other.pk).erased_at is None


def test_what_others_took_over_in_a_chain_of_merges_goes_back():
    other, opponent = people(2)
    his, second = child(), player("Ottolyne", "Wanda")
    event_of([(other, opponent, "1-0")])
    merge_players(his, second, reason="one", at=CLOCK)
    merge_players(Player.objects.get(pk=second.pk), other, reason="one", at=CLOCK)
    publish()
    new, other = player("Qwibbelthorpe", "Zandile"), Player.objects.get(pk=other.pk)
    assert other.fide_id == 14398866
    split_player(other, new, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)])
    other.refresh_from_db()
    assert (other.birth_date, other.fide_id, other.email) == (None, None, "")
    assert Player.objects.get(pk=new.pk).fide_id == 14398866
    erase(Player.objects.get(pk=new.pk))
    assert left() == []


@pytest.mark.parametrize("order", [[0, 1], [1, 0], [0, None, 1], [1, None, 0]])
@pytest.mark.parametrize("first", ["Zandile", "Zandile Mary"])
def test_two_records_of_hers_that_were_merged_into_another_one_after_the_other_are_split_off(order, first):
    """The second merge keeps what the first brought, which is not to come back with it."""
    other, opponent = people(2)
    own = (other.last_name, other.first_name)
    rows = []
    for place, called in enumerate((first, "Zandile")):
        rows.append(with_address(player("Qwibbelthorpe", called, birth_date=BORN), f"zandile{place}@example.org"))
        merge_players(
            rows[-1], Player.objects.get(pk=other.pk), reason="one", at=CLOCK, taken=["name", "birth", "email"]
        )
    event_of([(Player.objects.get(pk=other.pk), opponent, "1-0")])
    publish()
    new = player("Qwibbelthorpe", "Zandile")
    rounds = [order] if None not in order else [[order[0]], [order[2]]]
    for places in rounds:
        records = [Player.objects.get(pk=rows[place].pk) for place in places]
        split_player(Player.objects.get(pk=other.pk), new, [], reason="two", at=LATER, records=records)
    other.refresh_from_db()
    assert (other.last_name, other.first_name, other.birth_date, other.email) == (*own, None, "")
    erase(new)
    assert left() == []


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
@pytest.mark.parametrize("erased_between", [True, False])
def test_two_children_who_were_merged_into_another_are_split_off(order, erased_between):
    other, opponent = people(2)
    own = (other.last_name, other.first_name)
    children = [child(), with_address(player("Ottolyne", "Wanda", birth_date=date(2013, 4, 5)), "wanda@example.org")]
    for one in children:
        merge_players(
            one, Player.objects.get(pk=other.pk), reason="one", at=CLOCK, taken=["name", "birth", "email"], sure=True
        )
    event_of([(Player.objects.get(pk=other.pk), opponent, "1-0")])
    publish()
    split = []
    for place in order:
        one = Player.objects.get(pk=children[place].pk)
        split.append(player(one.last_name, one.first_name))
        split_player(Player.objects.get(pk=other.pk), split[-1], [], reason="two", at=LATER, records=[one])
        if erased_between:
            erase(split[-1])
    other.refresh_from_db()
    assert (other.last_name, other.first_name, other.birth_date, other.email) == (*own, None, "")
    for new in split if not erased_between else []:
        erase(new)
    assert left() == []
    assert "ottolyne" not in str(everything()).lower()


@pytest.mark.parametrize("with_data", ["first", "second"])
@pytest.mark.parametrize("order", ["both", "second, first", "one after the other", "second alone"])
def test_two_records_of_hers_are_split_off(with_data, order):
    """Who was on the register twice, rightly merged, and then merged into another by mistake."""
    first, second = (player("Qwibbelthorpe", "Zandile") for _ in range(2))
    row = {"first": first, "second": second}[with_data]
    row.birth_date, row.fide_id, row.email = BORN, 14398866, "zandile@example.org"
    save_player(row)
    other, opponent = people(2)
    event_of([(other, opponent, "1-0")])
    for old, new in ((first, second), (second, other)):
        merge_players(Player.objects.get(pk=old.pk), Player.objects.get(pk=new.pk), reason="one", at=CLOCK)
    publish()
    new = player("Qwibbelthorpe", "Zandile")
    rounds = {
        "both": [[first, second]], "second, first": [[second, first]],
        "one after the other": [[first], [second]], "second alone": [[second]],
    }[order]  # fmt: skip
    for records in rounds:
        rows = [Player.objects.get(pk=row.pk) for row in records]
        split_player(Player.objects.get(pk=other.pk), new, [], reason="two", at=LATER, records=rows)
    other.refresh_from_db()
    new.refresh_from_db()
    assert (other.birth_date, other.fide_id, other.email) == (None, None, "")
    assert new.fide_id == 14398866
    with pytest.raises(EventError, match="cannot be undone"):
        revert_merge(other.merges_in.get(), at=LATER)
    erase(new)
    assert left() == []


def test_a_fide_id_that_went_along_a_chain_of_merges_goes_back():
    his, second, (third, opponent) = child(), player("Ottolyne", "Wanda"), people(2)
    third.fide_id = 14398861
    save_player(third)
    listed = FideList.objects.create(month=MARCH, kinds="S", at=CLOCK, filename="list.txt", sha256="0" * 64)
    for row, rating in ((his, 1400), (third, 1900)):
        FideRating.objects.create(player=row, kind=FideRating.Kind.STANDARD, rating=rating, list=listed)
    event_of([(third, opponent, "1-0")])
    merge_players(his, second, reason="one", at=CLOCK)
    merge_players(Player.objects.get(pk=second.pk), third, reason="one", at=CLOCK, taken=["fide_id"])
    publish()
    new = player("Qwibbelthorpe", "Zandile")
    split_player(third, new, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)])
    fide_ids = dict(Player.objects.exclude(fide_id=None).values_list("pk", "fide_id"))
    assert fide_ids == {third.pk: 14398861, new.pk: 14398866}
    assert dict(FideRating.objects.values_list("player", "rating")) == {third.pk: 1900, new.pk: 1400}
    assert verified() == []
    erase(new)
    assert left() == []


def test_a_fide_id_goes_with_its_ratings_to_one_who_has_those_of_an_id_that_was_taken_off():
    his, other, _ = merged_by_mistake()
    new = player("Ottolyne", "Wanda", fide_id=14398861)
    march = FideList.objects.create(month=MARCH, kinds="S", at=CLOCK, filename="x", sha256="0" * 64, listed=2)
    FideRating.objects.create(player=new, list=march, kind="S", rating=1500)
    FideRating.objects.create(player=other, list=march, kind="S", rating=1850)
    new.fide_id = None
    save_player(new)
    split_player(other, new, [], reason="two", at=LATER, records=[his])
    assert list(FideRating.objects.values_list("player", "rating")) == [(new.pk, 1850)]


def test_a_fide_id_that_went_along_two_merges_goes_back_on_record():
    his, between, kept, other = child(), *people(3)
    Player.objects.filter(pk=kept.pk).update(fide_id=14300002)
    kept.refresh_from_db()
    save_player(kept)
    merge_players(his, between, reason="one", at=CLOCK, taken=["fide_id"], sure=True)
    merge_players(Player.objects.get(pk=between.pk), kept, reason="one", at=CLOCK, taken=["fide_id"], sure=True)
    split_player(
        Player.objects.get(pk=kept.pk), other, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)]
    )
    ids = dict(Player.objects.values_list("pk", "fide_id"))
    assert [ids[row.pk] for row in (his, between, kept, other)] == [None, None, 14300002, 14398866]
    assert verified() == []
    assert not Player.history.filter(id=between.pk, fide_id=14300002).exists()


def test_a_fide_id_that_one_who_came_later_has_in_exchange_goes_back():
    his, (other, opponent) = child(), people(2)
    twice = player("Ottolyne", "Wanda", fide_id=14398861)
    event_of([(other, opponent, "1-0")])
    merge_players(his, other, reason="one", at=CLOCK)
    merge_players(twice, Player.objects.get(pk=other.pk), reason="one", at=CLOCK, taken=["fide_id"])
    publish()
    new = player("Qwibbelthorpe", "Zandile")
    split_player(
        Player.objects.get(pk=other.pk), new, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)]
    )
    fide_ids = dict(Player.objects.exclude(fide_id=None).values_list("pk", "fide_id"))
    assert fide_ids == {other.pk: 14398861, new.pk: 14398866}
    assert verified() == []
    erase(new)
    assert left() == []


def test_who_was_given_to_the_wrong_one_is_split_off_though_the_first_is_erased():
    his, (second, opponent, wrong) = child(), people(3)
    event_of([(second, opponent, "1-0")])
    merge_players(his, second, reason="one", at=CLOCK)
    publish()
    split_player(second, wrong, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)])
    erase(Player.objects.get(pk=second.pk))
    new = player("Qwibbelthorpe", "Zandile")
    split_player(wrong, new, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)])
    assert Player.objects.get(pk=his.pk).merged_into == new


def test_the_months_published_meanwhile_are_what_they_were():
    """A run took the birth of the one: of it the year stays, by which `verify` knows it."""
    his, other, section = merged_by_mistake()
    new = player("Qwibbelthorpe", "Zandile")
    split_player(other, new, [section], reason="two", at=LATER, records=[his])
    assert verified() == []
    Amendment.objects.all().delete()
    erase(new)
    assert verified() == []
    assert left() == []


def test_the_record_as_arbiter_and_a_report_go_with_him():
    his, other = child(), people(2)[0]
    account = User.objects.create_user("zandile@example.org")
    arbiter = Arbiter.objects.create(
        name="Zandile Qwibbelthorpe", title="NA", number=his.number, player=his, user=account
    )
    event_of([(other, people(1)[0], "1-0")])
    merge_players(his, other, reason="one", at=CLOCK)
    publish()
    arbiter.refresh_from_db()
    assert (arbiter.player_id, arbiter.number) == (other.pk, other.number)
    new, other = player("Qwibbelthorpe", "Zandile"), Player.objects.get(pk=other.pk)
    split_player(other, new, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)])
    arbiter.refresh_from_db()
    assert (arbiter.player, arbiter.number) == (new, his.number)
    again = player("Cele", "Anna")
    split_player(new, again, [], reason="three", at=LATER, records=[Player.objects.get(pk=his.pk)])
    assert Arbiter.objects.get().player == again
    split_player(again, new, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)])
    erase(new)
    assert left() == []
    assert Arbiter.objects.get().name == Player.objects.get(pk=new.pk).name


@pytest.mark.parametrize("named", ["player", "number"])
def test_one_who_is_an_arbiter_himself_is_not_given_a_second_record(named):
    his, other = child(), people(2)[0]
    Arbiter.objects.create(name="Zandile Qwibbelthorpe", title="NA", number=his.number, player=his)
    event_of([(other, people(1)[0], "1-0")])
    merge_players(his, other, reason="one", at=CLOCK)
    publish()
    new = player("Cele", "Anna")
    Arbiter.objects.create(name="Anna Cele", title="NA", **{named: getattr(new, named, new)})
    with pytest.raises(EventError, match="both are on record as arbiters"):
        split_player(other, new, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)])
    assert Player.objects.get(pk=his.pk).merged_into == other


def test_who_is_split_off_is_hidden_if_the_record_is():
    other = people(2)[0]
    his = child()
    hide_player(his, since=MARCH, at=CLOCK, by=None, reason="asked for")
    event_of([(other, people(1)[0], "1-0")])
    merge_players(Player.objects.get(pk=his.pk), other, reason="one", at=CLOCK)
    publish()
    other = Player.objects.get(pk=other.pk)
    other.hidden_since = None
    save_player(other)
    new = player("Qwibbelthorpe", "Zandile")
    split_player(other, new, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)])
    assert Player.objects.get(pk=new.pk).hidden_since == MARCH


@pytest.mark.parametrize("cleared_first", [True, False])
def test_an_address_from_before_a_merge_is_cleared_whether_or_not_it_was_split_since(cleared_first):
    his, other, _ = merged_by_mistake()
    new = player("Cele", "Anna")
    if cleared_first:
        clear_personal_data(at=LATER)
    split_player(other, new, [], reason="two", at=LATER, records=[Player.objects.get(pk=his.pk)])
    clear_personal_data(at=LATER)
    assert "zandile@example.org" not in str(everything())


def test_a_merge_whose_player_was_handed_over_is_not_undone():
    his, other, _ = merged_by_mistake()
    new = player("Cele", "Anna")
    split_player(other, new, [], reason="two", at=LATER, records=[his])
    split_player(new, other, [], reason="one after all", at=LATER, records=[Player.objects.get(pk=his.pk)])
    with pytest.raises(EventError, match="cannot be undone"):
        revert_merge(other.merges_in.get(), at=LATER)


def test_the_desk_splits_off_a_hidden_player_as_hidden_and_his_record_with_him(client):
    his, other, _ = merged_by_mistake()
    hide_player(other, since=MARCH, at=CLOCK, by=None, reason="asked for")
    client.force_login(officer())
    address = f"/admin/ratings/merge/split/{other.pk}/"
    assert his.number in client.get(address).content.decode()
    form = {"last_name": "Qwibbelthorpe", "first_name": "Zandile", "reason": "two people"}
    refused = client.post(address, form)
    assert "Choose the sections" in refused.content.decode()
    answer = client.post(address, form | {"records": [his.pk]}, follow=True)
    new = Player.objects.latest("pk")
    assert f"leads to {new} now" in answer.content.decode()
    assert (new.hidden_since, Player.objects.get(pk=his.pk).merged_into) == (MARCH, new)
    assert (new.birth_date, new.fide_id, new.region) == (BORN, 14398866, his.region)
    assert client.post(address, form | {"records": [his.pk]}).status_code == 200  # it is another's by now


def test_what_a_merge_moved_is_not_fetched_with_his_data():
    """What stood there before it may be another's, typed into the wrong row."""
    child()
    other = player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    twin = with_address(player("Nkosi", "Themba"), "themba@example.org")
    mistaken_for(other, email="zandile@example.org")
    other.email = "zandile@example.org"
    save_player(other)
    merge_players(twin, other, reason="one", at=CLOCK, taken=["email"])
    assert "zandile@example.org" not in str([part.rows for part in of_player(Player.objects.get(pk=other.pk))])


def test_what_the_merge_of_others_keeps_of_what_was_typed_into_the_wrong_row_goes():
    his, (other, third) = child(), people(2)
    name = (other.last_name, other.first_name)
    mistaken_for(other, birth_date=BORN, birth_year=2012, email="zandile@example.org")
    other.last_name, other.first_name, other.birth_date, other.email = (
        "Qwibbelthorpe",
        "Zandile",
        BORN,
        "zandile@example.org",
    )
    save_player(other)
    third.birth_date, third.email = date(1980, 5, 17), "themba@example.org"
    save_player(third)
    merge = merge_players(third, other, reason="one", at=CLOCK, taken=["name", "birth", "email"], sure=True)
    other.refresh_from_db()
    other.last_name, other.first_name = name
    save_player(other)
    erase(his)
    assert left() == []
    assert Merge.objects.get(pk=merge.pk).moved["new"]["last_name"] == name[0]


def test_the_merge_of_a_twin_or_a_namesake_can_still_be_undone():
    his = child()
    twin, twins_other = player("Qwibbelthorpe", "Themba", birth_date=BORN), player("Qwibbelthorpe", "T.")
    namesake, namesakes_other = (
        player("Qwibbelthorpe", "Zandile", birth_date=date(1980, 5, 17)),
        player("Ottolyne", "Z."),
    )
    merges = [
        merge_players(twins_other, twin, reason="one", at=CLOCK),
        merge_players(namesakes_other, namesake, reason="one", at=CLOCK, taken=["name"]),
    ]
    third = player("Xanthoros", "Themba", birth_date=date(2011, 1, 1))
    taken = merge_players(third, Player.objects.get(pk=twin.pk), reason="one", at=CLOCK, taken=["birth"], sure=True)
    erase(his)
    for merge in (taken, *merges):
        undo_merge(merge, reason="two", at=LATER)
    twin.refresh_from_db()
    namesake.refresh_from_db()
    assert (twin.birth_date, namesake.name, namesake.birth_date) == (BORN, "Zandile Qwibbelthorpe", date(1980, 5, 17))
