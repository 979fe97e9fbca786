"""What was published is sealed in a hash chain; what is changed by hand is found and named."""

import hashlib
import hmac
import re
import tracemalloc
import zlib
from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils import timezone

from events.amending.edits import left_out
from events.models import Game, RatingPeriod, Section, SubmittedFile
from players.models import Player
from players.operations import NewPlayer, register_players, save_player
from ratings.downloads.operations import make_downloads
from ratings.models import Activity, Download, Performance, PublishedRun, Rating, RatingRun, Revision, RunPerson, Seal
from ratings.rerating.amendments import amend
from ratings.rerating.merges import merge_players
from ratings.rerating.operations import take_back
from ratings.runs.filling import fill_list
from ratings.runs.inputs import read_input
from ratings.seals.operations import seal_revision
from ratings.seals.rows import packed, unpacked
from ratings.verification.beside import register_findings
from tests.builders import region, submitted
from tests.kept import kept
from tests.pages import builders
from tests.ratings.chain import AT, MONTHS, load_months, publish_again, publish_months, rerate
from tests.ratings.merging.bureaus import bureau

pytestmark = pytest.mark.django_db


def verify(*words: str) -> tuple[int, str]:
    """The status with which the command ends, and what it says is wrong."""
    out, wrong = StringIO(), StringIO()
    try:
        call_command("verify", *words, stdout=out, stderr=wrong)
    except SystemExit as end:
        return int(end.code), wrong.getvalue()
    return 0, wrong.getvalue()


@kept
def published_months() -> None:
    load_months(5)
    publish_months()


@pytest.fixture
def months() -> None:
    published_months()


def by_hand(sql: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.rowcount > 0


def some_rating(code: str = "main", place: int = 5) -> Rating:
    run = PublishedRun.objects.order_by("period__month")[1].run
    return Rating.objects.select_related("player", "run__period").get(run=run, list__code=code, position=place)


def test_what_is_published_is_proved(months):
    assert verify() == (0, "")
    runs = Rating.objects.order_by().values("run", "list").distinct()
    assert Seal.objects.count() == runs.count() >= 2 * len(MONTHS)


def test_each_seal_follows_the_one_before(months):
    seals = list(Seal.objects.select_related("revision__period"))
    assert [seal.number for seal in seals] == list(range(1, len(seals) + 1))
    assert [seal.previous for seal in seals] == ["", *(seal.hash for seal in seals[:-1])]
    assert [seal.revision.period.month for seal in seals] == sorted(seal.revision.period.month for seal in seals)


def test_a_seal_can_be_computed_by_what_the_description_says(months):
    seal = Seal.objects.select_related("revision__period").last()
    digests = []
    for row in unpacked(bytes(seal.lines), seal.rows):
        salt = hmac.new(seal.salt.encode(), row.split(",")[0].encode(), hashlib.sha256).hexdigest()[:32]
        digests.append(hashlib.sha256(f"{salt}\n{row}".encode()).hexdigest())
    of_rows = hashlib.sha256("".join(f"{digest}\n" for digest in sorted(digests)).encode()).hexdigest()
    month = f"{seal.revision.period.month:%Y-%m}"
    input_hash = seal.revision.run.input_hash
    text = f"{seal.previous}\n{seal.number}\n{seal.code}\n{month}\n1\n{len(digests)}\n{of_rows}\n{input_hash}\n"
    assert hashlib.sha256(text.encode()).hexdigest() == seal.hash


def test_points_given_by_hand_are_found_with_list_month_player_and_both_figures(months):
    rating = some_rating()
    before = float(rating.published)
    by_hand(
        "UPDATE ratings_rating SET published = published + 150 WHERE run_id = %s AND list_id = %s AND player_id = %s",
        rating.run_id, rating.list_id, rating.player_id,
    )  # fmt: skip
    status, wrong = verify()
    first = wrong.splitlines()[0]
    assert status == 1
    assert first.startswith(f"list main of {rating.run.period}, revision 1, {rating.player}: published is ")
    found, should = (float(word) for word in first.split("published is ")[1].split(",")[0].split(" and should be "))
    assert (found - before, should) == (pytest.approx(150), pytest.approx(before))
    assert f"list main of {rating.run.period}, {rating.player}: published is" in wrong  # calculated again


@pytest.mark.parametrize(
    ("column", "value"),
    [("position", 99), ("region_id", None), ("window_sum", 1.5), ("highest", 2500), ("games", 3), ("raw", None)],
)
def test_every_column_is_sealed(months, column, value):
    rating = some_rating()
    by_hand(
        f"UPDATE ratings_rating SET {column} = %s WHERE run_id = %s AND list_id = %s AND player_id = %s",
        value, rating.run_id, rating.list_id, rating.player_id,
    )  # fmt: skip
    status, wrong = verify("--quick")
    assert status == 1
    assert str(rating.player) in wrong
    assert column.removesuffix("_id") in wrong


@pytest.mark.parametrize(("column", "text"), [("k", "{}_0"), ("raw", "{} (1)")])
def test_a_text_that_begins_with_the_right_figure_is_found(months, column, text):
    """SQLite keeps it."""
    rating = some_rating()
    value = getattr(rating, column)
    by_hand(
        f"UPDATE ratings_rating SET {column} = %s WHERE run_id = %s AND list_id = %s AND player_id = %s",
        text.format(value) if connection.vendor == "sqlite" else value + 1,
        rating.run_id, rating.list_id, rating.player_id,
    )  # fmt: skip
    status, wrong = verify()
    assert status == 1
    assert f"list main of {rating.run.period}, revision 1, {rating.player}: {column} is " in wrong
    assert f"list main of {rating.run.period}, {rating.player}: {column} is " in wrong  # calculated again


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("events_game", "round", "１"),
        ("events_game", "round", b"1"),
        ("players_player", "registered_at", 5),
        ("ratings_revision", "published_at", "x"),
        ("events_section", "base_minutes", "9O"),
        ("ratings_rating", "k", "x"),
        ("ratings_performance", "score", "1 (2)"),
    ],
)
def test_another_kind_of_value_than_a_columns_is_found(months, table, column, value):
    if connection.vendor != "sqlite":
        with pytest.raises(DatabaseError), transaction.atomic():
            by_hand(f"UPDATE {table} SET {column} = %s", value if isinstance(value, bytes) else "x")
        return
    first = f"SELECT min(rowid) FROM {table} WHERE {column} IS NOT NULL"
    by_hand(f"UPDATE {table} SET {column} = %s WHERE rowid = ({first})", value)
    status, wrong = verify("--quick")
    assert status == 1
    assert re.search(rf"table {table}: {column} of row \d+ holds another kind of value than its column is for\n", wrong)


def test_a_row_taken_off_or_put_on_is_found(months):
    rating = some_rating()
    place = {"run_id": rating.run_id, "list_id": rating.list_id, "player_id": rating.player_id}
    Rating.objects.filter(**place).delete()
    status, wrong = verify("--quick")
    assert status == 1
    assert f"{rating.player}: his row is missing" in wrong


def test_a_seal_written_anew_does_not_hide_it_from_the_calculation(months):
    """Who may write to the database may write the whole chain again: the month says it, and so does a hash that was kept."""
    kept_hash = Seal.objects.latest("number").hash
    rating = some_rating()
    by_hand(
        "UPDATE ratings_rating SET published = published + 150 WHERE run_id = %s AND list_id = %s AND player_id = %s",
        rating.run_id, rating.list_id, rating.player_id,
    )  # fmt: skip
    Seal.objects.all().delete()
    assert "is not sealed" in verify("--quick")[1]
    status, wrong = verify("--begin")
    assert status == 1
    assert wrong.startswith(f"list main of {rating.run.period}, {rating.player}: published is")
    assert "it was written anew" in verify("--quick", "--keep", kept_hash)[1]


def test_a_hash_that_was_kept_is_found_in_the_chain(months):
    kept = Seal.objects.get(number=3).hash
    assert verify("--quick", "--keep", kept) == (0, "")
    assert verify("--quick", "--keep", f" {kept.upper()}\n") == (0, "")


@pytest.mark.parametrize("kept", ["", "8a1d8bc8926048f7", "z" * 64, "a" * 65])
def test_what_is_no_hash_accuses_nobody(kept):
    with pytest.raises(
        CommandError, match="--keep takes a whole hash of 64 letters and digits, as Published lists shows it"
    ):
        verify("--quick", "--keep", kept)


@pytest.mark.parametrize("repeated", [b"11\n", b"1"])
@pytest.mark.parametrize(
    ("rows", "why"), [(None, "they are more than "), (2_000_000_000, "it is said that they are 2000000000")]
)
def test_rows_that_unpack_to_more_than_a_list_has_hide_no_other_list(months, repeated, rows, why):
    """4 kB of them held the command up for seconds, half a megabyte for good: it named nothing."""
    rating, first = some_rating(), Seal.objects.select_related("revision__period").get(number=1)
    Seal.objects.filter(pk=first.pk).update(lines=zlib.compress(repeated * 1_000_000), rows=rows or first.rows)
    by_hand(
        "UPDATE ratings_rating SET published = published + 150 WHERE run_id = %s AND list_id = %s AND player_id = %s",
        rating.run_id, rating.list_id, rating.player_id,
    )  # fmt: skip
    status, wrong = verify("--quick")
    assert status == 1
    place = f"list {first.code} of {first.revision.period}, revision 1"
    assert f"{place}: the rows kept in its seal cannot be read: {why}" in wrong
    assert f"list main of {rating.run.period}, revision 1, {rating.player}: published is " in wrong


@pytest.mark.parametrize("repeated", [b"11\n", b"1"])
def test_rows_are_unpacked_as_far_as_they_can_be_those_of_the_list(repeated):
    lines = zlib.compress(repeated * 20_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="they are more than 9 rows can be"):
            unpacked(lines, 9)
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()


def test_rows_are_unpacked_to_the_last_one():
    rows = [f"{key},{'7' * 1_900}" for key in range(9)]
    assert unpacked(packed(rows), 9) == rows
    assert unpacked(packed(rows), 10) == rows  # that one is missing is told by their hash
    with pytest.raises(ValueError, match="they are more than 8 rows can be"):
        unpacked(packed(rows), 8)


def test_a_seal_taken_out_is_found(months):
    Seal.objects.filter(number=3).delete()
    status, wrong = verify("--quick")
    assert status == 1
    assert "seals are missing" in wrong
    assert "is not sealed" in wrong


def test_a_newer_list_without_its_seal_is_not_sealed_as_an_older_one(months):
    newest = PublishedRun.objects.latest("period__month")
    Seal.objects.filter(revision__run=newest.run).delete()
    wrong = f"list main of {newest.period}, revision 1: it has rows and is not sealed: its seal is gone"
    assert wrong in verify("--quick")[1]
    assert wrong in verify("--quick", "--begin")[1]
    assert not Seal.objects.filter(revision__run=newest.run).exists()


@pytest.mark.parametrize("column", ["hash", "previous", "rows_hash", "input_hash", "salt", "code", "rows"])
def test_a_seal_that_was_changed_is_found(months, column):
    seal = Seal.objects.get(number=3)
    Seal.objects.filter(number=3).update(**{column: 7 if column == "rows" else "7" * 8})
    status, wrong = verify("--quick")
    assert status == 1
    assert f"of {seal.revision.period}, revision 1:" in wrong.splitlines()[0]


def test_a_game_changed_by_hand_is_found(months):
    game = Game.objects.filter(section__period__month=MONTHS[1], result="1-0").earliest("pk")
    by_hand("UPDATE events_game SET result = '0-1' WHERE id = %s", game.pk)
    status, wrong = verify()
    assert status == 1
    assert wrong.startswith(f"month {MONTHS[1]:%Y-%m}")


def other_round() -> str:
    """Change the round of a game of the second month, which changes no figure; return the month's place in findings."""
    month = PublishedRun.objects.order_by("period__month")[1].period
    game = Game.objects.filter(section__period=month, white__isnull=False, black__isnull=False).first()
    by_hand("UPDATE events_game SET round = 40 WHERE id = %s", game.pk)
    return f"month {month}"


def test_games_changed_by_hand_are_found_though_no_figure_differs(months):
    place = other_round()
    status, wrong = verify()
    assert status == 1
    assert wrong.startswith(f"{place}: its games, penalties, adjustments or former lists are not those")


def test_the_hash_of_the_input_is_sealed(months):
    place = other_round()
    run = PublishedRun.objects.order_by("period__month")[1].run
    by_hand("UPDATE ratings_ratingrun SET input_hash = %s WHERE id = %s", read_input(run.period).hash, run.pk)
    status, wrong = verify()
    assert status == 1
    assert wrong.startswith(f"list main of {place.removeprefix('month ')}, revision 1: the hash of its input is ")


def test_a_month_sealed_by_an_earlier_release_is_held_to_its_figures(months):
    """That release hashed other parts of the input."""
    Seal.objects.all().delete()
    assert verify("--begin") == (0, "")
    assert set(Seal.objects.values_list("input_hash", flat=True)) == {""}
    other_round()
    assert verify() == (0, "")


def test_a_chain_cut_off_at_its_end_is_found(months):
    """By the month, and once that is said to be open, too, by its run."""
    last = PublishedRun.objects.select_related("period").latest("period__month")
    Seal.objects.filter(revision__run=last.run_id).delete()
    for table, column in (("publishedrun", "run_id"), ("revision", "run_id")):
        by_hand(f"DELETE FROM ratings_{table} WHERE {column} = %s", last.run_id)
    status, wrong = verify("--quick")
    assert status == 1
    assert f"{last.period}: it was published, and no lists of it are in force" in wrong
    by_hand("UPDATE events_ratingperiod SET state = 'calculated', published_at = NULL WHERE id = %s", last.period_id)
    assert f"{last.run} was published, and no revision of the month tells of it" in verify("--quick")[1]


@pytest.mark.parametrize("column", ["score", "expected", "average_opponent", "performance", "change"])
def test_a_performance_changed_by_hand_is_found(months, column):
    performance = Performance.objects.filter(run__period__month=MONTHS[2]).select_related("player").first()
    by_hand(
        f"UPDATE ratings_performance SET {column} = {column} + 1 WHERE run_id = %s AND list_id = %s AND section_id = %s"
        " AND player_id = %s",
        performance.run_id, performance.list_id, performance.section_id, performance.player_id,
    )  # fmt: skip
    status, wrong = verify()
    assert status == 1
    assert f"performances, {performance.player}: {column} is" in wrong


def test_a_pointer_moved_by_hand_is_found(months):
    first, second = Revision.objects.order_by("period__month")[:2]
    PublishedRun.objects.filter(period=second.period).delete()
    PublishedRun.objects.filter(period=first.period).update(run=second.run)
    status, wrong = verify("--quick")
    assert status == 1
    assert f"{first.period}: its lists in force" in wrong


def test_a_month_taken_off_by_hand_is_found(months):
    newest = PublishedRun.objects.select_related("period").latest("period__month")
    by_hand("DELETE FROM ratings_publishedrun WHERE run_id = %s", newest.run_id)
    status, wrong = verify("--quick")
    assert (status, wrong.splitlines()[0]) == (
        1, f"{newest.period}: it was published, and no lists of it are in force",
    )  # fmt: skip


def test_a_month_whose_revision_was_taken_off_is_found(months):
    newest = PublishedRun.objects.select_related("period", "run").latest("period__month")
    Seal.objects.filter(revision__period=newest.period).delete()
    Revision.objects.filter(period=newest.period).delete()
    assert verify("--quick")[1].startswith(
        f"{newest.period}: its lists in force are those of {newest.run}, which its last"
    )


def test_activity_changed_by_hand_is_found(months):
    """Article 55: it says who is inactive on the published list."""
    row = Activity.objects.filter(run__period__month=MONTHS[1], list__code="main").select_related("player").first()
    by_hand(
        "UPDATE ratings_activity SET games = games + 9 WHERE run_id = %s AND list_id = %s AND player_id = %s",
        row.run_id, row.list_id, row.player_id,
    )  # fmt: skip
    status, wrong = verify()
    assert status == 1
    assert wrong.startswith(
        f"list main of {MONTHS[1]:%Y-%m}, activity, {row.player}: games is {row.games + 9} and should be {row.games},"
    )


def test_a_player_who_was_given_the_rows_of_another_is_found():
    """A seal has the register's key of a player, so his name and id are compared with his own history."""
    one, other = (
        Player.objects.create(number=number, last_name=name, registered_at=AT)
        for number, name in (("101000001", "Mokoena"), ("101000002", "Naidoo"))
    )
    one.first_name = "Naledi"
    one.save()
    Player.history.filter(id=one.pk, first_name="").update(history_date=timezone.now())  # by a clock put back since
    assert verify("--quick") == (0, "")
    by_hand("UPDATE players_player SET last_name = %s WHERE id = %s", other.last_name, one.pk)
    status, wrong = verify("--quick")
    assert status == 1
    assert (
        f"last_name is {other.last_name} and should be {one.last_name}, by the newest version of his history" in wrong
    )


def test_a_file_exchanged_by_hand_is_found(months):
    run = PublishedRun.objects.latest("period__month").run
    make_downloads(run.pk, at=timezone.now())
    assert verify() == (0, "")
    file = Download.objects.filter(run=run).exclude(name="SHA256SUMS").first()
    Download.objects.filter(pk=file.pk).update(content=b"another list")
    status, wrong = verify()
    assert status == 1
    assert wrong.startswith(f"files of {run.period}: {file.name}: its SHA-256 is ")
    file.delete()
    assert verify()[1].startswith(f"files of {run.period}: {file.name} is missing")
    Download.objects.filter(run=run, name="SHA256SUMS").update(name="SUMS")
    assert verify()[1].startswith(f"files of {run.period}: SHA256SUMS is missing")


def test_a_file_that_was_sent_in_and_changed_by_hand_is_found():
    event = submitted()
    assert verify() == (0, "")
    file = SubmittedFile.objects.get()
    SubmittedFile.objects.filter(pk=file.pk).update(content=bytes(file.content) + b"\n")
    status, wrong = verify()
    assert status == 1
    assert wrong.startswith(f"file sent in for {event.name}: SHA-256 of its content is ")
    assert f"should be {file.sha256}" in wrong
    assert verify("--quick") == (0, "")


@pytest.mark.parametrize("name", ["SHA256SUMS", "case.zip"])
@pytest.mark.parametrize(("column", "called", "value"), [("sha256", "SHA-256", "7" * 64), ("size", "size", 7)])
def test_what_is_said_of_a_file_is_that_of_its_content(months, name, column, called, value):
    run = PublishedRun.objects.latest("period__month").run
    make_downloads(run.pk, at=timezone.now())
    Download.objects.filter(run=run, name=name).update(**{column: value})
    assert verify()[1].startswith(f"files of {run.period}: {name}: its {called} is {value} and should be ")


def test_files_exchanged_for_one_another_are_found(months):
    run = PublishedRun.objects.latest("period__month").run
    make_downloads(run.pk, at=timezone.now())
    one, other = Download.objects.filter(run=run).exclude(name="SHA256SUMS").order_by("pk")[:2]
    Download.objects.filter(pk=one.pk).update(name="between")
    Download.objects.filter(pk=other.pk).update(name=one.name)
    Download.objects.filter(pk=one.pk).update(name=other.name)
    wrong = verify()[1]
    assert f"{one.name}: its SHA-256 is {other.sha256} and should be {one.sha256}, by SHA256SUMS" in wrong
    assert f"{other.name}: its SHA-256 is {one.sha256}" in wrong


def test_the_edition_of_a_month_is_that_of_its_day(months):
    run = PublishedRun.objects.select_related("period").latest("period__month").run
    by_hand("UPDATE ratings_ratingrun SET edition = '1999' WHERE id = %s", run.pk)
    assert verify()[1].startswith(f"month {run.period}: edition is 1999 and should be {run.edition}, calculated again")


def test_a_published_month_that_is_said_to_be_open_is_found(months):
    """Its events could be changed again."""
    by_hand("UPDATE events_ratingperiod SET state = 'open', published_at = NULL WHERE month = %s", MONTHS[1])
    assert verify("--quick")[1].startswith(f"{MONTHS[1]:%Y-%m}: its lists are in force, and yet it is open")


def test_a_run_that_stands_under_another_month_is_found(months):
    pointer = PublishedRun.objects.select_related("period", "run").earliest("period__month")
    other = RatingPeriod.objects.create(month=date(2024, 12, 1))  # nothing of it is published
    by_hand("UPDATE ratings_ratingrun SET period_id = %s WHERE id = %s", other.pk, pointer.run_id)
    wrong = f"month {pointer.period}: revision 1 came from run {pointer.run_id} of {other}, which stands under {other}"
    assert verify("--quick")[1].startswith(wrong)


def test_a_list_with_another_code_is_found_and_breaks_nothing(months):
    by_hand("UPDATE ratings_ratinglist SET code = 'mainz' WHERE code = 'main'")
    status, wrong = verify()
    assert status == 1
    assert "the code of the list is mainz and should be main, as it was sealed" in wrong
    assert "lists: no list has the code main: the months cannot be calculated again" in wrong


def test_the_counts_of_a_month_are_those_of_its_games(months):
    run = PublishedRun.objects.select_related("period").latest("period__month").run
    by_hand("UPDATE ratings_ratingrun SET games = games + 1 WHERE id = %s", run.pk)
    assert verify()[1].startswith(f"month {run.period}: games is {run.games + 1} and should be {run.games}, calculated")


@pytest.mark.parametrize(
    ("column", "value"), [("hidden_since", "2024-01-01"), ("club", "Mopane"), ("fide_id", 14300999)]
)
def test_a_player_changed_by_hand_is_found(months, column, value):
    player = Player.objects.first()
    by_hand(f"UPDATE players_player SET {column} = %s WHERE id = %s", value, player.pk)
    assert f"{column} is {value} and should be empty, by the newest version of his history" in verify("--quick")[1]


@pytest.mark.parametrize(
    ("column", "values"),
    [("birth_date", "birth_year = 1970, birth_date = '1970-03-04'"), ("died_on", "died_on = '1970-03-04'")],
)
def test_a_day_changed_by_hand_is_found_and_not_told(months, column, values):
    player = Player.objects.first()
    by_hand(f"UPDATE players_player SET {values} WHERE id = %s", player.pk)
    wrong = verify("--quick")[1]
    assert f"{column} is not that of the newest version of his history" in wrong
    assert "1970-03-04" not in wrong


def test_a_player_who_was_taken_off_the_register_is_found(months):
    lone = Player.objects.create(number="101000003", last_name="Mokoena", registered_at=AT)
    by_hand("DELETE FROM players_player WHERE id = %s", lone.pk)
    assert verify("--quick")[1].startswith(
        f"register, player of key {lone.pk}, who is not on the register: he is on it by the newest version of his history"
    )


def test_a_player_without_history_is_found(months):
    player = Player.objects.first()
    by_hand("DELETE FROM players_historicalplayer WHERE id = %s", player.pk)
    assert verify("--quick")[1].startswith(f"register, {player}: there is no history of him")


def test_a_player_who_is_gone_with_his_history_is_named(months):
    key = some_rating().player_id
    with connection.constraint_checks_disabled():
        by_hand("DELETE FROM players_historicalplayer WHERE id = %s", key)
        by_hand("DELETE FROM players_player WHERE id = %s", key)
        assert (
            f"register, player of key {key}, who is not on the register: he has ratings, and neither a line on it nor a history"
            in verify("--quick")[1]
        )
        transaction.set_rollback(True)


def test_merged_and_hidden_players_and_corrected_months_break_nothing():
    twin, stays = bureau(3, twice=(0, 3))
    merge_players(twin, stays, reason="They are one.", at=AT, sure=True)
    rerating = publish_again(rerate())
    assert rerating.state == "published"
    for hidden in Player.objects.exclude(pk__in=[twin.pk, stays.pk]).filter(merged_into=None):
        hidden.hidden_since = date(2024, 6, 1)
        hidden.save()
    assert verify() == (0, "")
    revisions = set(Seal.objects.values_list("revision__number", flat=True))
    assert revisions == {1, 2}
    take_back(rerating, reason="They are two.", at=AT)
    assert verify() == (0, "")
    assert Seal.objects.latest("number").revision.number == 3


def test_a_list_that_is_filled_later_is_sealed_then():
    builders.federation()
    later = builders.add_list("later", system="uscf", position=7)
    before = list(Seal.objects.values_list("hash", flat=True))
    fill_list(later, date(2024, 3, 1), at=timezone.now())
    hashes = list(Seal.objects.values_list("hash", flat=True))
    assert hashes[: len(before)] == before
    assert set(Seal.objects.filter(number__gt=len(before)).values_list("code", flat=True)) == {"later"}
    assert verify() == (0, "")
    row = Rating.objects.filter(list=later).select_related("player").first()
    by_hand(
        "UPDATE ratings_rating SET raw = raw + 5 WHERE run_id = %s AND list_id = %s AND player_id = %s",
        row.run_id, row.list_id, row.player_id,
    )  # fmt: skip
    assert f"{row.player}: raw is" in verify()[1]


def test_a_list_that_lost_its_seal_is_not_sealed_anew_with_one_that_is_filled():
    builders.federation()
    lost = Seal.objects.latest("number")
    lost.delete()
    assert "its seal is gone" in verify()[1]
    fill_list(builders.add_list("later", system="uscf", position=7), lost.revision.period.month, at=timezone.now())
    status, wrong = verify()
    assert status == 1
    assert "its seal is gone" in wrong


def test_a_list_may_be_filled_before_the_months_of_an_earlier_release_are_sealed():
    """That release hashed other parts of the input."""
    builders.federation()
    Seal.objects.all().delete()
    RatingRun.objects.update(input_hash="0" * 64)
    fill_list(builders.add_list("later", system="uscf", position=7), date(2024, 3, 1), at=timezone.now())
    assert verify("--begin") == (0, "")


def test_a_list_filled_after_a_re_rating_was_taken_back_is_sealed_in_each_revision_that_shows_it(months):
    take_back(publish_again(rerate(first=MONTHS[0])), reason="It was right before.", at=AT)
    later = builders.add_list("later", system="uscf", position=7)
    fill_list(later, MONTHS[0], at=timezone.now())
    assert verify() == (0, "")
    sealed = Seal.objects.filter(list=later, revision__period__month=MONTHS[0])
    assert set(sealed.values_list("revision__number", flat=True)) == {1, 3}


@pytest.mark.parametrize("column", ["score", "average_opponent"])
def test_a_performance_on_a_list_of_another_system_changed_by_hand_is_found(column):
    builders.federation()
    fill_list(builders.add_list("later", system="uscf", position=7), date(2024, 3, 1), at=timezone.now())
    row = Performance.objects.filter(list__code="later").select_related("player").first()
    by_hand(
        f"UPDATE ratings_performance SET {column} = COALESCE({column}, 0) + 1 WHERE run_id = %s AND list_id = %s"
        " AND section_id = %s AND player_id = %s",
        row.run_id, row.list_id, row.section_id, row.player_id,
    )  # fmt: skip
    assert f"list later of 2024-03, performances, {row.player}: {column} is" in verify()[1]


def sealed_anew() -> None:
    """As if what stands in the newest month had stood there when it was published."""
    newest = PublishedRun.objects.select_related("run").latest("period__month").run
    Seal.objects.filter(revision__run=newest).delete()
    for revision in newest.revisions.all():
        seal_revision(revision, at=timezone.now())


@pytest.mark.parametrize(("system", "name"), [("uscf", "rating"), ("icu", "rating"), ("cfc", "games")])
def test_a_standing_changed_before_it_was_published_is_found(system, name):
    """The list shows it nowhere, and the next month is calculated from it."""
    builders.federation()
    fill_list(builders.add_list("later", system=system, position=7), date(2024, 3, 1), at=timezone.now())
    rows = Rating.objects.filter(list__code="later", published__isnull=False)
    row = rows.select_related("player", "run__period").first()
    changed = row.standing | {name: row.standing[name] + 900}
    Rating.objects.filter(run=row.run_id, list=row.list_id, player=row.player_id).update(standing=changed)
    sealed_anew()
    status, wrong = verify()
    assert status == 1
    assert f"list later of {row.run.period}, {row.player}: {name} of his standing is {changed[name]}" in wrong


def test_an_order_changed_before_it_was_published_is_found(months):
    newest = PublishedRun.objects.latest("period__month").run
    rows = Rating.objects.select_related("player").filter(run=newest, list__code="main", position__isnull=False)
    first, last = rows.earliest("position"), rows.latest("position")
    for row, place, rank in ((first, 5000, last.rank), (last, 1, 1), (first, last.position, last.rank)):
        rows.filter(player=row.player_id).update(position=place, rank=rank)
    sealed_anew()
    status, wrong = verify()
    assert status == 1
    assert "the order of the list is not that of its ratings" in wrong
    for row, place in ((last, 5000), (first, first.position), (last, last.position)):
        rows.filter(player=row.player_id).update(position=place, rank=row.rank)
    sealed_anew()
    assert verify() == (0, "")
    rows.filter(player=last.player_id).update(rank=1)
    sealed_anew()
    assert (
        f"list main of {newest.period}, {last.player}: rank is 1 and should be {last.rank}, by the ratings"
        in verify()[1]
    )


def test_a_game_changed_by_hand_is_not_said_of_the_rules_of_other_lists():
    builders.federation()
    fill_list(builders.add_list("later", system="uscf", position=7), date(2024, 3, 1), at=timezone.now())
    game = Game.objects.filter(section__period__month=date(2024, 3, 1), result="1-0").earliest("pk")
    by_hand("UPDATE events_game SET result = '0-1' WHERE id = %s", game.pk)
    wrong = verify()[1]
    assert wrong.startswith("month 2024-03: its games, penalties")
    assert "list later of 2024-03, " in wrong
    assert "its rules" not in wrong


def test_a_month_that_is_said_to_be_brought_in_and_has_games_is_found(months):
    """It would not be calculated again."""
    newest = PublishedRun.objects.select_related("period").latest("period__month")
    by_hand("UPDATE ratings_ratingrun SET kind = 'history' WHERE id = %s", newest.run_id)
    status, wrong = verify("--quick")
    assert status == 1
    assert (
        f"month {newest.period}: its lists were brought in (list of a former bureau), and yet it has sections to rate and"
        " performances and activity"
    ) in wrong


def test_a_list_of_another_system_is_calculated_again_whatever_the_run_says_of_it():
    builders.federation()
    fill_list(builders.add_list("later", system="uscf", position=7), date(2024, 3, 1), at=timezone.now())
    row = Performance.objects.filter(list__code="later").select_related("player").first()
    by_hand("UPDATE ratings_ratingrun SET list_hashes = '{}' WHERE id = %s", row.run_id)
    assert verify() == (0, "")
    by_hand(
        "UPDATE ratings_performance SET score = score + 1 WHERE run_id = %s AND list_id = %s AND section_id = %s"
        " AND player_id = %s",
        row.run_id, row.list_id, row.section_id, row.player_id,
    )  # fmt: skip
    assert f"list later of 2024-03, performances, {row.player}: score is" in verify()[1]


def test_performances_of_a_list_that_is_not_filled_are_found():
    builders.federation()
    later = builders.add_list("later", system="uscf", position=7)
    row = Performance.objects.filter(run__period__month=date(2024, 3, 1)).select_related("player").first()
    row.list = later
    row.save(force_insert=True)
    status, wrong = verify()
    assert status == 1
    assert "list later of 2024-03" in wrong


def test_what_cannot_be_read_is_found_and_hides_nothing(months):
    """Neither of a seal, nor of the files, nor of a month."""
    first, second, third = PublishedRun.objects.select_related("period").order_by("period__month")[:3]
    make_downloads(first.run_id, at=timezone.now())
    Download.objects.filter(run=first.run, name="SHA256SUMS").update(content=b"\xff")
    Seal.objects.filter(revision__run=first.run, code="main").update(lines=zlib.compress(b"no row"))
    Rating.objects.filter(run=first.run, list__code="main").exclude(recent=None).update(recent=b"\x01")
    Performance.objects.filter(run=third.run, list__code="main").update(score=F("score") + 1)
    status, wrong = verify()
    assert status == 1
    assert f"files of {first.period}: what stands there cannot be read: UnicodeDecodeError" in wrong
    assert re.search(r"list main, seal \d+: what stands there cannot be read: ValueError", wrong)
    assert f"month {second.period}: what stands there cannot be read: ValueError" in wrong
    assert f"list main of {third.period}, performances" in wrong


def test_a_month_whose_run_lost_its_ids_is_not_taken_for_one_of_the_first_release():
    """Lists with ages are not calculated again there."""
    builders.federation()
    fill_list(builders.add_list("later", system="uscf", position=7), date(2024, 3, 1), at=timezone.now())
    run = RatingRun.objects.get(publication__period__month=date(2024, 3, 1))
    RunPerson.objects.filter(run=run).update(number="")
    assert verify() == (0, "")  # none was kept before it either
    person = RunPerson.objects.filter(run=run).first()
    RunPerson.objects.create(
        run_id=run.pk - 1, player_id=person.player_id, registered=person.registered, number="101000001"
    )
    assert f"month 2024-03, {person.player}: its run kept no Chess SA id of him" in verify()[1]


def test_text_that_is_no_text_is_found_and_hides_nothing(months):
    """SQLite keeps any bytes; PostgreSQL a date after all dates."""
    second = PublishedRun.objects.select_related("period").order_by("period__month")[1]
    if connection.vendor == "sqlite":
        by_hand(
            "UPDATE players_player SET club = CAST(%s AS TEXT) WHERE id = (SELECT min(id) FROM players_player)", b"\xff"
        )
    else:
        by_hand("UPDATE players_player SET registered_at = 'infinity' WHERE id = (SELECT min(id) FROM players_player)")
    Performance.objects.filter(run=second.run, list__code="main").update(score=F("score") + 1)
    status, wrong = verify()
    assert status == 1
    assert wrong.startswith("register: what stands there cannot be read: ")
    assert f"list main of {second.period}, performances" in wrong


def test_who_is_changed_while_the_register_is_compared_is_no_finding(months):
    """A site in use: between the query of the history and that of the register an officer saves a player."""
    changed, forged = Player.objects.order_by("pk")[:2]
    by_hand("UPDATE players_player SET club = 'forged' WHERE id = %s", forged.pk)
    saved = []

    def saves(execute, sql, parameters, many, context):
        answer = execute(sql, parameters, many, context)
        if not saved and "players_historicalplayer" in sql and sql.startswith("SELECT"):
            saved.append(sql)
            changed.club = "another"
            save_player(changed)
        return answer

    with connection.execute_wrapper(saves):
        found = list(register_findings())
    assert saved
    assert [finding.player for finding in found] == [forged.pk]


@pytest.mark.parametrize("table", ["events_game", "ratings_publishedrun", "ratings_revision"])
def test_what_is_published_again_while_a_month_is_compared_is_no_finding(months, table):
    amend(Section.objects.order_by("period__month", "pk")[1], left_out, reason="It was no rated section.", at=AT)
    corrected, published_again = rerate(), []

    def publishes(execute, sql, parameters, many, context):
        answer = execute(sql, parameters, many, context)
        if not published_again and f'FROM "{table}"' in sql:
            published_again.append(sql)
            assert publish_again(corrected).state == "published"
        return answer

    with connection.execute_wrapper(publishes):
        assert verify() == (0, "")
    assert published_again


def test_a_month_that_is_no_month_is_found_after_what_else_was_changed(months):
    """SQLite keeps any bytes; PostgreSQL a date before all dates."""
    by_hand("UPDATE ratings_rating SET published = published + 150 WHERE player_id = %s", some_rating().player_id)
    month = "x'ff00'" if connection.vendor == "sqlite" else "'-infinity'"
    by_hand(f"UPDATE events_ratingperiod SET month = {month} WHERE id = (SELECT min(id) FROM events_ratingperiod)")
    status, wrong = verify()
    assert status == 1
    assert "what stands there cannot be read" in wrong
    assert ", as it was sealed" in wrong
    assert wrong.rstrip().endswith("what is published is not what was published")


@pytest.mark.parametrize(
    ("table", "column", "text"),
    [("ratings_seal", "sealed_at", "2026-99-99 08:00:00"), ("events_ratingperiod", "month", "0001-99-99"),
     ("events_ratingperiod", "published_at", "2026-99-99 08:00:00"), ("ratings_ratingrun", "started_at", "2026-99-99 08:00:00"),
     ("ratings_ratingrun", "finished_at", "2026-99-99 08:00:00"), ("players_player", "birth_date", "2026-99-99")],
)  # fmt: skip
def test_a_day_of_no_calendar_is_found_and_hides_nothing(months, table, column, text):
    newest = PublishedRun.objects.select_related("period").latest("period__month").period
    by_hand("UPDATE ratings_rating SET published = published + 150 WHERE player_id = %s", some_rating().player_id)
    value = text if connection.vendor == "sqlite" else "-infinity"
    by_hand(f"UPDATE {table} SET {column} = %s WHERE id = (SELECT min(id) FROM {table})", value)
    status, wrong = verify()
    assert status == 1
    assert "what stands there cannot be read" in wrong
    assert f"list main of {newest}, " in wrong


def test_an_opening_balance_may_bring_activity_and_a_former_list_may_not(tmp_path):
    (player,) = register_players([NewPlayer("Mokoena", "Naledi", region=region())], at=timezone.now())
    path = tmp_path / "standings.csv"
    path.write_text(f"id,list,raw,published,activity\n{player.number},main,1400,1400,7\n")
    call_command("opening_balance", str(path), month="2024-02", confirm=True, stdout=StringIO())
    assert Activity.objects.get().games == 7
    assert verify() == (0, "")
    by_hand("UPDATE ratings_ratingrun SET players = 70")
    assert verify()[1].startswith("month 2024-02: players is 70 and should be 1, by its lists")
    by_hand("UPDATE ratings_ratingrun SET players = 1")
    by_hand("UPDATE ratings_ratingrun SET kind = 'history'")
    assert verify()[1].startswith(
        "month 2024-02: its lists were brought in (list of a former bureau), and yet it has activity"
    )


def test_a_second_revision_of_what_was_brought_in_is_found_though_it_is_sealed(tmp_path):
    """No calculation stands against its figures."""
    (player,) = register_players([NewPlayer("Mokoena", "Naledi", region=region())], at=timezone.now())
    path = tmp_path / "standings.csv"
    path.write_text(f"id,list,raw,published\n{player.number},main,1400,1400\n")
    call_command("opening_balance", str(path), month="2024-02", confirm=True, stdout=StringIO())
    first = Revision.objects.get()
    copied = RatingRun.objects.get(pk=first.run_id)
    copied.pk = None
    RatingRun.objects.update(state=RatingRun.State.REPLACED)
    copied.save(force_insert=True)
    rows = "INSERT INTO ratings_rating ({0}) SELECT {1} FROM ratings_rating"
    with connection.cursor() as cursor:
        columns = [column.name for column in connection.introspection.get_table_description(cursor, "ratings_rating")]
        values = [{"run_id": str(copied.pk), "raw": "1900", "published": "1900"}.get(name, name) for name in columns]
        cursor.execute(rows.format(", ".join(f'"{name}"' for name in columns), ", ".join(values)))
    seal_revision(
        Revision.objects.create(
            period=first.period, number=2, run=copied, published_at=timezone.now(), reason="It was wrong."
        ),
        at=timezone.now(),
    )
    PublishedRun.objects.update(run=copied)
    for words in ((), ("--quick",)):
        status, wrong = verify(*words)
        assert status == 1
        assert "month 2024-02: it was brought in, and has a revision 2" in wrong


def test_a_former_rating_with_another_day_is_found(tmp_path):
    """It is found no more by its month, and counts as missing (article 49)."""
    (player,) = register_players([NewPlayer("Mokoena", "Naledi", region=region())], at=timezone.now())
    path = tmp_path / "standings.csv"
    path.write_text(f"id,list,raw,published,raw_2\n{player.number},main,1400,1400,1390\n")
    call_command("opening_balance", str(path), month="2024-02", confirm=True, stdout=StringIO())
    assert verify() == (0, "")
    by_hand("UPDATE ratings_formerrating SET month = '2024-01-02'")
    assert f"list main of 2024-02, revision 1, {player}: his row is missing" in verify()[1]
    by_hand("UPDATE ratings_formerrating SET month = '2024-01-01'")
    by_hand(
        "INSERT INTO ratings_formerrating (run_id, month, list_id, player_id, raw)"
        " SELECT run_id, '2024-01-02', list_id, player_id, raw FROM ratings_formerrating"
    )
    assert f"list main of 2024-02, revision 1, {player}: his row was added" in verify()[1]


def test_what_a_run_took_from_the_register_is_found_to_be_missing():
    """It would be taken from the register of today, and a lawful correction there be found to be wrong."""
    builders.federation()
    fill_list(builders.add_list("later", system="uscf", position=7), date(2024, 3, 1), at=timezone.now())
    run = RatingRun.objects.get(publication__period__month=date(2024, 3, 1))
    person = run.people.order_by("player_id").first()
    player = person.player
    person.delete()
    what = "what its run took from the register of him is missing"
    assert f"month 2024-03, {player}: {what}\n" in verify()[1]
    others = run.people.count()
    run.people.all().delete()
    assert f"month 2024-03, {player}: {what} ({others} further rows of it differ)" in verify()[1]


@pytest.mark.parametrize(("change", "found"), [
    (lambda rows: zlib.compress(rows) + b"and more", "the rows kept in its seal cannot be read"),
    (lambda rows: zlib.compress(rows)[:-1], "the rows kept in its seal cannot be read"),
    (lambda rows: zlib.compress(b"\n".join(rows.split(b"\n")[::-1])), "the rows kept in its seal stand in another order"),
])  # fmt: skip
def test_the_rows_kept_in_a_seal_are_whole_and_in_order(months, change, found):
    seal = Seal.objects.filter(code="main").first()
    Seal.objects.filter(pk=seal.pk).update(lines=change(zlib.decompress(bytes(seal.lines))))
    assert f"list main of {seal.revision.period}, revision 1: {found}" in verify("--quick")[1]


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("UPDATE ratings_ratinglist SET system = 'chessa' WHERE code = 'later'",
         "list later of 2024-03: it has figures, and no system calculates it"),
        ("UPDATE ratings_runperson SET number = '' WHERE player_id = (SELECT min(player_id) FROM ratings_runperson)",
         "its run kept no Chess SA id of him, as every run does since"),
        ("INSERT INTO ratings_activity (games, list_id, player_id, run_id) SELECT 9, list_id, player_id, run_id"
         " FROM ratings_rating WHERE list_id = (SELECT id FROM ratings_ratinglist WHERE code = 'later')",
         "list later of 2024-03, activity, "),
    ],
)  # fmt: skip
def test_what_keeps_a_list_of_another_system_from_being_calculated_again_is_found(sql, found):
    builders.federation()
    fill_list(builders.add_list("later", system="uscf", position=7), date(2024, 3, 1), at=timezone.now())
    by_hand(sql)
    status, wrong = verify()
    assert status == 1
    assert found in wrong


def test_a_former_list_stands_before_the_months_of_this_bureau(months):
    newest = PublishedRun.objects.select_related("period").latest("period__month")
    Performance.objects.filter(run=newest.run_id).delete()
    Activity.objects.filter(run=newest.run_id).delete()
    by_hand("UPDATE ratings_ratingrun SET kind = 'history' WHERE id = %s", newest.run_id)
    assert f"and yet {MONTHS[0]:%Y-%m} before it is of this bureau" in verify("--quick")[1]


def test_a_finding_shows_what_cannot_be_seen(months):
    player = Player.objects.first()
    by_hand("UPDATE players_player SET club = %s WHERE id = %s", "Mopane\u202e\nregister: fine", player.pk)
    wrong = verify("--quick")[1]
    assert "club is Mopane‹U+202E› register: fine and" in wrong


@pytest.mark.parametrize(
    "change", ["born = '1901-02-03'", "born = NULL", "registered = '1901-02-03'", "number = '999999999'"]
)
def test_of_whom_a_run_keeps_what_the_register_never_said_is_named(change):
    builders.federation()
    fill_list(builders.add_list("later", system="uscf", position=7), date(2024, 3, 1), at=timezone.now())
    person = RatingRun.objects.get(publication__period__month=date(2024, 3, 1)).people.order_by("player_id")[1]
    save_player(person.player)  # its row in the history of the same content changes nothing
    assert verify() == (0, "")
    by_hand(f"UPDATE ratings_runperson SET {change} WHERE player_id = %s", person.player_id)
    status, wrong = verify()
    assert status == 1
    assert f"month 2024-03, {person.player}: birth date, registration or Chess SA id that its run keeps" in wrong
    run = RatingRun.objects.get(pk=person.run_id)
    run.list_hashes = read_input(run.period).list_hashes  # which nothing seals
    run.save()
    assert f"month 2024-03, {person.player}: birth date" in verify()[1]
