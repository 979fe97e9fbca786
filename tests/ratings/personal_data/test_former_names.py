"""What former versions of other players and arbiters have of a person whose data is erased, and who is fetched it."""

from datetime import date

import pytest

from accounts.models import User
from events.models import Appointment, Arbiter, PastAppointment, Submission, SubmissionFinding
from events.operations import accept_event
from players.former_versions import FormerVersions
from players.models import FideListed, Player
from players.operations import save_player
from ratings.downloads.operations import make_downloads
from ratings.models import Download, ImportJob, ListedPlayer, Merge, RatingList, RunPerson
from ratings.moving_in.register.matching import Kind
from ratings.personal_data.export import of_player
from ratings.rerating.merges import merge_players, undo_merge
from tests.admin_pages import posted_form
from tests.builders import (
    CLOCK,
    MARCH,
    Line,
    event_of,
    officer,
    people,
    player,
    publish,
    region,
    submitted,
    trf,
    with_address,
)
from tests.ratings.personal_data.children import BORN, LATER, child, erase, files_of, held_for_years, left, mistaken_for
from tests.ratings.personal_data.test_erasure import verified

pytestmark = pytest.mark.django_db


def test_what_was_typed_into_the_wrong_row_goes_and_the_rest_of_that_stays():
    his = child()
    other = with_address(player("Nkosi", "Themba", birth_date=date(1980, 5, 17)), "themba@example.org")
    mistaken_for(other, birth_date=BORN, birth_year=2012, email="zandile@example.org")
    erase(his)
    assert left() == []
    versions = Player.history.filter(id=other.pk)
    assert {(row.name, row.birth_date) for row in versions.as_instances()} == {("Themba Nkosi", other.birth_date)}
    assert {row.email for row in versions} == {"themba@example.org", ""}
    assert versions.count() == 3


def test_files_of_a_month_in_which_another_bore_her_name_are_made_anew():
    his, other = child(), people(2)[0]
    event_of([(other, people(1)[0], "1-0")])
    own = (other.last_name, other.first_name)
    other.last_name, other.first_name = "Qwibbelthorpe", "Zandile"
    save_player(other)
    run = publish()
    Download.objects.all().delete()
    make_downloads(run.pk, at=LATER)
    assert Download.objects.exists()
    other.last_name, other.first_name = own
    save_player(other)
    erase(his)
    assert not Download.objects.exists()


def test_files_of_a_month_in_which_one_who_bore_her_name_had_no_rating_are_made_anew():
    his, other, (opponent, third) = child(), player("Nkosi", "Themba"), people(2)
    event_of([(opponent, third, "1-0"), (other, opponent, "+--")])
    other.last_name, other.first_name = "Qwibbelthorpe", "Zandile"
    save_player(other)
    run = publish()
    files_of(run)
    other.last_name, other.first_name = "Nkosi", "Themba"
    save_player(other)
    erase(his)
    assert not Download.objects.exists()


def test_files_of_a_month_in_which_another_had_her_fide_id_are_made_anew():
    his, other = player("Qwibbelthorpe", "Zandile"), people(2)[0]
    event_of([(other, people(1)[0], "1-0")])
    other.fide_id = 14398866
    save_player(other)
    run = publish()
    files_of(run)
    for row, fide_id in ((other, None), (his, 14398866)):
        row.fide_id = fide_id
        save_player(row)
    erase(his)
    assert left() == []
    assert not Download.objects.exists()


@pytest.mark.parametrize(("model", "more"), [(Appointment, {}), (PastAppointment, {"until": CLOCK})])
def test_files_of_a_month_in_which_an_arbiter_bore_her_name_are_made_anew(model, more):
    his, other = child(), Arbiter.objects.create(name="Themba Nkosi", title="NA")
    event = event_of([(*people(2), "1-0")])
    run = publish()
    model.objects.create(event=event, arbiter=other, position=9, **more)
    for name in ("Zandile Qwibbelthorpe", "Themba Nkosi"):
        files_of(run)
        other.name = name
        other.save()
    erase(his)
    assert left() == []
    assert not Download.objects.exists()


def test_her_birth_goes_though_the_name_beside_it_was_put_right_before():
    his, other = child(), player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    for last, first, born in (
        ("Qwibbelthorpe", "Zandile", BORN),
        ("Nkosi", "Themba", BORN),
        ("Nkosi", "Themba", other.birth_date),
    ):
        other.last_name, other.first_name, other.birth_date = last, first, born
        save_player(other)
    assert "2012-02-03" not in str([part.rows for part in of_player(other)])
    erase(his)
    assert left() == []


def test_a_namesake_keeps_what_is_his():
    his, namesake = child(), player("Qwibbelthorpe", "Zandile", birth_date=date(1980, 5, 17))
    namesake.club = "Rooks"
    save_player(namesake)
    erase(his)
    assert {row.last_name for row in Player.history.filter(id=namesake.pk)} == {"Qwibbelthorpe"}


def test_what_was_typed_into_a_namesakes_row_goes_and_is_not_fetched_with_his_data():
    his, namesake = child(), player("Qwibbelthorpe", "Zandile", birth_date=date(1980, 5, 17))
    mistaken_for(namesake, birth_date=BORN, birth_year=2012, email="zandile@example.org")
    assert "2012-02-03" not in str([part.rows for part in of_player(namesake)])
    erase(his)
    assert {row.birth_date for row in Player.history.filter(id=namesake.pk)} == {namesake.birth_date}
    assert {row.email for row in Player.history.filter(id=namesake.pk)} == {""}


@pytest.mark.parametrize(("first", "last"), [("Kim", "Fox"), ("Jan", "Nel"), ("Li", "Wu"), ("Jan", "van Zyl")])
def test_a_name_of_short_words_goes_too(first, last):
    his = player(last, first, birth_date=BORN)
    other = player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    mistaken_for(other, first_name=first, last_name=last, birth_date=BORN, birth_year=2012)
    assert "2012-02-03" not in str([part.rows for part in of_player(other)])
    erase(his)
    assert left() == []


@pytest.mark.parametrize(("first", "last"), [("Jan", "Nel"), ("Jo-Ann", "Roy"), ("Jan", "van Zyl")])
@pytest.mark.parametrize("listed", ["{first} {last}", "{last}, {initial}."])
def test_a_record_as_arbiter_of_short_words_with_the_fide_id_goes_too(first, last, listed):
    his = player(last, first, birth_date=BORN, fide_id=14398866)
    name = listed.format(first=first, last=last, initial=first[0])
    account = User.objects.create_user("zandile@example.org", first_name=first, last_name=last)
    Arbiter.objects.create(name=name, title="NA", fide_id=14398866, user=account)
    erase(his)
    assert left() == []
    assert Arbiter.objects.get().name == Player.objects.get(pk=his.pk).name


@pytest.mark.parametrize("first", ["Zandile", "Zandile Mary"])
def test_a_slip_is_one_though_the_other_was_renamed_since(first):
    his, other = child(), people(2)[0]
    event_of([(other, people(1)[0], "1-0")])
    own = (other.last_name, other.first_name)
    other.last_name, other.first_name = "Qwibbelthorpe", first
    save_player(other)
    run = publish()
    files_of(run)
    for last, called in (own, ("Ottolyne", own[1])):
        other.last_name, other.first_name = last, called
        save_player(other)
    erase(his)
    assert left() == []
    assert not Download.objects.exists()
    names = Player.history.filter(id=other.pk).order_by("history_id").values_list("last_name", flat=True)
    assert list(names) == [own[0], "Ottolyne", own[0], "Ottolyne"]


def test_a_birth_by_a_slip_that_a_run_took_goes_but_for_its_year():
    RatingList.objects.create(code="irish", name="Irish", position=9, system="icu")
    his, (other, opponent) = player("Qwibbelthorpe", "Zandile", birth_date=BORN), people(2)
    other.birth_date = date(1980, 5, 17)
    save_player(other)
    event_of([(other, opponent, "1-0")])
    own = (other.last_name, other.first_name)
    other.last_name, other.first_name, other.birth_date = "Qwibbelthorpe", "Zandile", BORN
    save_player(other)
    publish()
    other.last_name, other.first_name, other.birth_date = *own, date(1980, 5, 17)
    save_player(other)
    assert RunPerson.objects.filter(player=other.pk, born=BORN).exists()
    assert verified() == []
    erase(his)
    assert left() == []
    assert RunPerson.objects.get(player=other.pk).born == date(2012, 7, 1)
    assert verified() == []


def test_an_arbiter_who_was_renamed_since_did_not_bear_it_either():
    his, other = child(), Arbiter.objects.create(name="Themba Nkosi", title="NA")
    for name in ("Zandile Mary Qwibbelthorpe", "Themba Nkosi", "Themba Ottolyne"):
        other.name = name
        other.save()
    erase(his)
    assert left() == []


def test_a_maiden_name_stays():
    his, other = child(), player("Qwibbelthorpe", "Zandile", birth_date=date(1980, 5, 17))
    held_for_years(other)
    other.last_name = "Nkosi"
    save_player(other)
    erase(his)
    assert list(Player.history.filter(id=other.pk).order_by("history_id").values_list("last_name", flat=True)) == [
        "Qwibbelthorpe",
        "Nkosi",
    ]


def test_an_arbiter_who_bore_the_name_by_mistake_did_not_bear_it():
    his, other = child(), Arbiter.objects.create(name="Themba Nkosi", title="NA")
    for name in ("Zandile Qwibbelthorpe", "Themba Nkosi"):
        other.name = name
        other.save()
    erase(his)
    assert left() == []
    assert {row.name for row in Arbiter.history.all()} == {"Themba Nkosi"}


def test_the_trail_has_no_name_of_hers_in_parts(client):
    his, other = child(), player("Nkosi", "Themba")
    client.force_login(officer())
    address = f"/admin/players/player/{other.pk}/change/"
    for last, first in (("Qwibbelthorpe", "Zandile"), ("Nkosi", "Themba")):
        form = posted_form(client, address, last_name=last, first_name=first, reason_for_change="a slip")
        assert client.post(address, form).status_code == 302
    assert "accounts_decision" in left()
    erase(his)
    assert left() == []


def test_the_trail_has_no_name_of_hers_that_was_typed_with_a_further_one(client):
    his, other, third = child(), player("Nkosi", "Themba"), player("Ottolyne", "Wanda")
    client.force_login(officer())
    address = f"/admin/players/player/{other.pk}/change/"
    for last, first in (("Qwibbelthorpe", "Zandile Mary"), ("Nkosi", "Themba")):
        form = posted_form(client, address, last_name=last, first_name=first, reason_for_change="a slip")
        assert client.post(address, form).status_code == 302
        if last == "Qwibbelthorpe":
            merge = merge_players(third, Player.objects.get(pk=other.pk), reason="one", at=CLOCK, taken=["title"])
            undo_merge(merge, reason="two", at=CLOCK)
    erase(his)
    assert left() == []


def test_a_fide_id_of_hers_that_was_typed_into_anothers_row_goes_from_the_trail(client):
    his = player("Qwibbelthorpe", "Zandile")
    other = player("Nkosi", "Themba")
    client.force_login(officer())
    for row, fide_id in ((other, "14398866"), (other, ""), (his, "14398866")):
        address = f"/admin/players/player/{row.pk}/change/"
        form = posted_form(client, address, fide_id=fide_id, reason_for_change="a slip")
        assert client.post(address, form).status_code == 302
    erase(Player.objects.get(pk=his.pk))
    assert left() == []


@pytest.mark.parametrize(
    ("first", "last"), [("Zandile", "Qwibbelthorpe"), ("Zandile M.", "Qwibbelthorpe"), ("Zandile Mary", "Qwibbelthorp")]
)
def test_it_goes_however_it_was_typed(first, last):
    his = player("Qwibbelthorpe", "Zandile Mary", birth_date=BORN)
    other = player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    mistaken_for(other, first_name=first, last_name=last, birth_date=BORN, birth_year=2012)
    erase(his)
    assert left() == []


@pytest.mark.parametrize(("listed", "goes"), [("Qwibbelthorpe, Zandile", True), ("Moyo, Farai", False)])
def test_the_line_of_fides_list_under_a_former_id_goes_if_it_names_her(listed, goes):
    his = child()
    FideListed.objects.create(fide_id=14398866, name=listed, federation="RSA", birth_year=2012, since=MARCH)
    his.fide_id = None
    save_player(his)
    erase(his)
    assert FideListed.objects.exists() is not goes


@pytest.mark.parametrize(
    ("bearer", "goes"),
    [(("Nkosi", "Themba"), True), (("Qwibbelthorpe", "Themba"), True), (("Qwibbelthorpe", "Zandile"), False)],
)
def test_the_line_of_fides_list_goes_if_another_has_her_id_by_mistake(bearer, goes):
    his, other = child(), player(*bearer, birth_date=date(1980, 5, 17), national_id="180012345")
    FideListed.objects.create(fide_id=14398866, name="Qwibbelthorpe, Zandile", federation="RSA", since=MARCH)
    for row, fide_id in ((his, None), (other, 14398866)):
        row.fide_id = fide_id
        save_player(row)
    erase(his)
    assert FideListed.objects.exists() is not goes


def test_her_fide_id_goes_from_why_a_line_of_a_file_was_taken_for_another_who_had_it_by_mistake():
    other = player("Nkosi", "Themba", fide_id=14398866)
    lines = [Line("Nkosi,Themba", fide="14398866"), Line("Cele,Bets")]
    section = submitted(trf(lines, [[(1, 2, "1")]])).sections.get()
    accept_event(section.event, at=CLOCK, reason="Looked at.")
    entry = section.entries.get(player=other)
    assert "same FIDE id 14398866" in entry.match_reason
    SubmissionFinding.objects.create(
        submission=Submission.objects.get(), severity="hold", code="x", message="FIDE id differs: 14398866 here"
    )
    publish()
    other.fide_id = None
    save_player(other)
    erase(child())
    assert left() == []


def test_what_was_typed_into_his_row_by_mistake_is_not_fetched_with_his_data():
    child()
    other = player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    mistaken_for(other, birth_date=BORN, birth_year=2012, email="zandile@example.org")
    told = str([part.rows for part in of_player(other)])
    assert "Nkosi" in told
    assert "zandile@example.org" not in told
    assert "2012-02-03" not in told


@pytest.mark.parametrize("taken_for_him", [True, False])
def test_her_line_of_a_list_is_not_fetched_by_one_who_was_taken_for_her(taken_for_him):
    his, other = child(), player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    mistaken_for(other, birth_date=BORN, birth_year=2012)
    job = ImportJob.objects.create(
        kind=ImportJob.Kind.REGISTER, state=ImportJob.State.TAKEN, filename="list.csv", size=1, at=CLOCK, asked_at=CLOCK
    )
    ListedPlayer.objects.create(
        job=job, line=2, kind=Kind.CHANGED, player=other if taken_for_him else his, last_name="Qwibbelthorpe",
        first_name="Zandile", birth_date=BORN, club="Rooks", changes=[["birth", "1980-05-17", "2012-02-03"]],
    )  # fmt: skip
    told = str([part.rows for part in of_player(other)])
    assert "2012-02-03" not in told
    assert "Rooks" not in told
    if not taken_for_him:
        assert "Rooks" in str([part.rows for part in of_player(his)])


def test_her_line_of_a_list_is_not_fetched_by_one_with_whom_she_was_merged_when_it_was_taken():
    his, other = child(), player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    merge = merge_players(his, other, reason="one", at=CLOCK, taken=["name", "birth"], sure=True)
    job = ImportJob.objects.create(
        kind=ImportJob.Kind.REGISTER, state=ImportJob.State.TAKEN, filename="list.csv", size=1, at=CLOCK, asked_at=CLOCK
    )
    for line, (last, born) in enumerate([("Qwibbelthorpe", BORN), ("Nkosi", date(1980, 5, 17))], start=2):
        ListedPlayer.objects.create(
            job=job,
            line=line,
            kind=Kind.UNCHANGED,
            player=other,
            national_id=other.number,
            last_name=last,
            birth_date=born,
        )
    undo_merge(merge, reason="two", at=LATER)
    told = str([part.rows for part in of_player(Player.objects.get(pk=other.pk)) if part.title == "Listed player"])
    assert "2012-02-03" not in told
    assert "1980-05-17" in told


def test_nothing_of_hers_goes_with_one_who_was_taken_for_her():
    his, other, twice = child(), player("Nkosi", "Themba", birth_date=date(1980, 5, 17)), player("Qwibbelthorpe", "Z.")
    mistaken_for(other, birth_date=BORN, birth_year=2012)
    merge = merge_players(twice, his, reason="one", at=CLOCK)
    job = ImportJob.objects.create(
        kind=ImportJob.Kind.REGISTER, state=ImportJob.State.TAKEN, filename="list.csv", size=1, at=CLOCK, asked_at=CLOCK
    )
    line = ListedPlayer.objects.create(
        job=job, line=2, kind=Kind.CHANGED, player=his, last_name="Qwibbelthorpe", first_name="Zandile", birth_date=BORN
    )
    event = event_of([(Player.objects.get(pk=his.pk), other, "1-0")], name="Zandile Qwibbelthorpe Cup")
    publish()
    erase(other)
    assert ListedPlayer.objects.filter(pk=line.pk).exists()
    assert Merge.objects.get(pk=merge.pk).moved["new"]["birth_date"] == BORN.isoformat()
    event.refresh_from_db()
    assert event.name == "Zandile Qwibbelthorpe Cup"


def test_what_was_typed_before_she_was_renamed_is_not_fetched_by_the_other():
    his, other = child(), player("Nkosi", "Themba", birth_date=date(1980, 5, 17))
    mistaken_for(other, birth_date=BORN, birth_year=2012)
    his.last_name, his.first_name = "Ottolyne", "Thandeka"
    save_player(his)
    assert "2012-02-03" not in str([part.rows for part in of_player(other)])


def test_the_address_of_a_family_is_fetched_by_each_of_it_and_read_by_its_region():
    child()
    sibling = player("Qwibbelthorpe", "Themba", birth_date=date(2014, 5, 17))
    for address in ("zandile@example.org", "themba@example.org"):
        sibling.email = address
        save_player(sibling)
    assert not FormerVersions([sibling.pk]).of_others
    told = [part.rows for part in of_player(sibling) if part.title == "Player, former versions"]
    assert len(told[0]) == Player.history.filter(id=sibling.pk).count()
    assert "zandile@example.org" not in str(told)  # it is another's now
    Player.objects.filter(pk=sibling.pk).update(region=region("LCP"))  # the other is of none
    assert FormerVersions([sibling.pk]).of_others
    Player.objects.filter(pk=sibling.pk).update(region=None)
    for address in ("zandile@example.org", "themba@example.org"):  # by a slip
        sibling.email = address
        save_player(sibling)
    assert len(FormerVersions([sibling.pk]).of_others) == 1
