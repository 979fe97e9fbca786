"""The files of a published month: made once by the worker, fetched whole or in part."""

import csv
import hashlib
import io
import json
import zipfile
from datetime import UTC, date, datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command
from django.utils.http import http_date

from events.files.reader import read
from events.models import Guest, Readings
from players.models import Player
from ratings.downloads import operations
from ratings.downloads.operations import make_downloads
from ratings.downloads.tasks import rescue_downloads
from ratings.models import Download, PublishedRun, Rating, RatingRun
from tests.kept import kept
from tests.pages import builders

pytestmark = pytest.mark.django_db
NOW = datetime(2024, 5, 1, 8, 0, tzinfo=UTC)
OF_A_LIST = ("ratings", "mini-ratings", "swiss-manager", "fide", "full")


def unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def fetched(client, address: str) -> dict[str, bytes]:
    answer = client.get(f"/downloads/{address}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/zip")
    return unzipped(answer.content)


@pytest.fixture
@kept
def made():
    """Six players; all played in March, the first two again in April, both months published with their files."""
    people = builders.players(6)
    builders.round_robin(builders.event("March Open").sections.get(), people)
    builders.publish(builders.MARCH)
    section = builders.event("April Rapid", ends=date(2024, 4, 20), time_control=(15, 10)).sections.get()
    builders.round_robin(section, people[:2])
    builders.visitor(section, people[0])
    builders.publish(builders.APRIL)
    for run in RatingRun.objects.filter(publication__isnull=False):
        assert make_downloads(run.pk, at=NOW)
    return people


@pytest.mark.rule("chessa 25")
def test_every_list_of_every_month_has_its_files_under_addresses_that_stay(client, made):
    for code in ("main", "standard"):
        for kind in OF_A_LIST:
            of_march = client.get(f"/downloads/2024-03/{kind}_{code}.zip")
            assert of_march.status_code == 200
            assert client.get(f"/downloads/{kind}_{code}.zip").status_code == 200
    assert client.get("/downloads/2024-03/ratings_rapid.zip").status_code == 404
    assert client.get("/downloads/ratings_rapid.zip").status_code == 200
    latest = client.get("/downloads/ratings_main.zip")
    assert latest.content == client.get("/downloads/2024-04/ratings_main.zip").content


@pytest.mark.rule("chessa 25")
def test_the_list_has_all_players_and_the_ratings_of_the_month(client, made):
    ((name, content),) = fetched(client, "2024-03/ratings_main.zip").items()
    assert name == "ratings_main.csv"
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert [row["SURNAME"] for row in rows] == sorted(player.last_name for player in made)
    run = RatingRun.objects.get(publication__period__month=builders.MARCH)
    ratings = dict(Rating.objects.filter(run=run, list__code="main").values_list("player__number", "published"))
    assert {row["UNIQUE_NO"]: int(row["RATING"]) for row in rows} == {
        number: int(rating + rating.__class__("0.5")) for number, rating in ratings.items()
    }


@pytest.mark.rule("chessa 55")
def test_the_mini_list_has_who_is_active(client, made):
    Readings.objects.update(activity_months=1)
    Download.objects.all().delete()
    make_downloads(RatingRun.objects.get(publication__period__month=builders.APRIL).pk, at=NOW)
    rows = csv.DictReader(io.StringIO(fetched(client, "mini-ratings_main.zip")["mini-ratings_main.csv"].decode()))
    assert [row["SURNAME"] for row in rows] == ["Ashby", "Botha"]
    assert len(fetched(client, "ratings_main.zip")["ratings_main.csv"].splitlines()) == 7


@pytest.mark.parametrize(("whole", "shown"), [(False, "2001/01/01"), (True, "2001/07/19")])
def test_birth_dates_are_told_as_the_officers_decide(client, made, whole, shown):
    Readings.objects.update(whole_birth_dates=whole)
    Download.objects.all().delete()
    RatingRun.objects.update(whole_birth_dates=None)  # as before any were made
    for run in RatingRun.objects.filter(publication__isnull=False):
        make_downloads(run.pk, at=NOW)
    rows = csv.DictReader(io.StringIO(fetched(client, "ratings_main.zip")["ratings_main.csv"].decode()))
    assert {row["BDATE"] for row in rows} == {shown}
    for download in Download.objects.exclude(name__contains="ratings_").exclude(name="SHA256SUMS"):
        for content in unzipped(bytes(download.content)).values():
            assert not any(day in content for day in (b"07-19", b"07/19", b"19/07", b"010719"))


def birth_dates(client) -> set[str]:
    files = (fetched(client, f"2024-{month}/ratings_main.zip")["ratings_main.csv"] for month in ("03", "04"))
    return {row["BDATE"] for content in files for row in csv.DictReader(io.StringIO(content.decode()))}


def make_all() -> None:
    rescue_downloads()
    for run in RatingRun.objects.filter(publication__isnull=False):
        make_downloads(run.pk, at=NOW)


def test_what_has_files_made_anew_tells_no_birth_date_that_they_did_not_tell(client, made):
    """The erasure of one player, while the dates are told for the months to come, told those of all others."""
    Readings.objects.update(whole_birth_dates=True)
    Download.objects.all().delete()
    make_all()
    assert birth_dates(client) == {"2001/01/01"}


def test_birth_dates_that_are_no_longer_wanted_go_from_the_files_of_all_months(client, made):
    words, told = "have the whole date", "2001/07/19"
    Readings.objects.update(whole_birth_dates=True)
    Download.objects.all().delete()
    RatingRun.objects.update(whole_birth_dates=None)
    make_all()
    assert birth_dates(client) == {told}
    Readings.objects.update(whole_birth_dates=False)
    assert words in client.get("/privacy/").content.decode()
    make_all()
    assert birth_dates(client) == {"2001/01/01"}
    assert words not in client.get("/privacy/").content.decode()


def test_what_the_files_of_before_have_is_noted(made):
    note = import_module("ratings.migrations.0034_whole_birth_dates").note_births
    for whole in (True, False):
        Readings.objects.update(whole_birth_dates=whole)
        Download.objects.all().delete()
        RatingRun.objects.update(whole_birth_dates=None)
        make_all()
        RatingRun.objects.update(whole_birth_dates=None)
        note(apps, None)
        assert set(RatingRun.objects.values_list("whole_birth_dates", flat=True)) == {whole}


def test_the_tournaments_read_back_as_they_were_rated(client, made):
    files = fetched(client, "2024-04/tournaments.zip")
    ((name, content),) = files.items()
    assert name.endswith("-april-rapid.trf")
    tournament = read(content, name)
    assert not tournament.errors
    assert (tournament.name, tournament.ends, str(tournament.time_control)) == (
        "April Rapid",
        date(2024, 4, 20),
        "15+10",
    )
    assert {entrant.national_id for entrant in tournament.entrants} - {""} == {player.number for player in made[:2]}
    assert tournament.played_games == 2
    assert Guest.objects.get().name in {entrant.name for entrant in tournament.entrants}
    lines = content.decode().splitlines()
    ashby = next(line for line in lines if line.startswith("001") and "Ashby" in line)
    assert (ashby[14:47].strip(), ashby[69:79]) == ("Ashby, Tom", "2001/00/00")
    national = next(line for line in lines if line.startswith("RSA") and "Ashby" in line)
    assert national[57:68].strip() == made[0].number


def test_a_section_that_is_too_fast_is_not_among_the_tournaments(client):
    people = builders.players(4)
    builders.round_robin(builders.event("Bullet", time_control=(1, 0)).sections.get(), people)
    builders.round_robin(builders.event("Standard").sections.get(), people)
    builders.publish(builders.MARCH)
    make_downloads(RatingRun.objects.get(publication__isnull=False).pk, at=NOW)
    (name,) = fetched(client, "tournaments.zip")
    assert name.endswith("-standard.trf")


@pytest.mark.rule("chessa 25")
def test_the_month_is_calculated_again_from_its_case_file(client, made, tmp_path, capsys):
    ((name, content),) = fetched(client, "2024-04/case.zip").items()
    (tmp_path / name).write_bytes(content)
    call_command("rate", str(tmp_path / name))
    answer = json.loads(capsys.readouterr().out)
    expected = json.loads(content)["expected"]["players"]
    assert len(expected) == 6
    for number, lists in expected.items():
        for code, figures in lists.items():
            for figure, value in figures.items():
                assert answer["players"][number][code][figure] == pytest.approx(value, abs=1e-9), (number, code, figure)


def test_they_are_made_once_and_stay(client, made):
    run = RatingRun.objects.get(publication__period__month=builders.MARCH)
    before = client.get("/downloads/2024-03/ratings_main.zip").content
    Player.objects.filter(pk=made[0].pk).update(last_name="Renamed")
    assert make_downloads(run.pk, at=NOW + timedelta(days=1)) == 0
    assert client.get("/downloads/2024-03/ratings_main.zip").content == before


def test_those_that_were_overtaken_while_they_were_made_are_not_kept(made, monkeypatch):
    """As by an erasure: they would name him again."""
    run = RatingRun.objects.get(publication__period__month=builders.MARCH)
    run.downloads.all().delete()

    def slowly(*given, **named):
        yield from contents(*given, **named)
        PublishedRun.objects.filter(run=run).update(files_asked_at=NOW + timedelta(days=2))

    contents = operations._contents
    monkeypatch.setattr(operations, "_contents", slowly)
    assert make_downloads(run.pk, at=NOW + timedelta(days=2)) == 0
    assert not run.downloads.exists()
    monkeypatch.undo()
    assert make_downloads(run.pk, at=NOW + timedelta(days=2))


def test_made_again_elsewhere_they_have_the_same_bytes(made):
    run = RatingRun.objects.get(publication__period__month=builders.MARCH)
    before = dict(run.downloads.values_list("name", "sha256"))
    run.downloads.all().delete()
    make_downloads(run.pk, at=NOW + timedelta(days=9))
    assert dict(run.downloads.values_list("name", "sha256")) == before


def test_the_checksums_are_those_of_the_files(client, made):
    answer = client.get("/downloads/2024-04/SHA256SUMS")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    sums = dict(line.split("  ")[::-1] for line in answer.content.decode().splitlines())
    assert len(sums) >= 13
    for name, digest in sums.items():
        assert hashlib.sha256(client.get(f"/downloads/2024-04/{name}").content).hexdigest() == digest


def test_a_program_that_has_the_file_already_gets_a_short_answer(client, made):
    answer = client.get("/downloads/ratings_main.zip")
    assert answer.headers["Last-Modified"] == http_date(NOW.timestamp())
    for header, value in (
        ("If-None-Match", answer.headers["ETag"]),
        ("If-Modified-Since", answer.headers["Last-Modified"]),
    ):
        again = client.get("/downloads/ratings_main.zip", headers={header: value})
        assert (again.status_code, again.content) == (304, b"")


def test_part_of_a_file(client, made):
    whole = client.get("/downloads/ratings_main.zip")
    size = len(whole.content)
    part = client.get("/downloads/ratings_main.zip", headers={"Range": "bytes=10-19"})
    assert (part.status_code, part.content) == (206, whole.content[10:20])
    assert part.headers["Content-Range"] == f"bytes 10-19/{size}"
    assert part.headers["Content-Length"] == "10"
    behind = client.get("/downloads/ratings_main.zip", headers={"Range": f"bytes={size}-"})
    assert (behind.status_code, behind.headers["Content-Range"]) == (416, f"bytes */{size}")
    other = client.get("/downloads/ratings_main.zip", headers={"Range": "bytes=10-19", "If-Range": '"another"'})
    assert (other.status_code, other.content) == (200, whole.content)
    own = client.get("/downloads/ratings_main.zip", headers={"Range": "bytes=10-19", "If-Range": whole.headers["ETag"]})
    assert own.status_code == 206


@pytest.mark.parametrize(
    "address", ["2024-05/ratings_main.zip", "2024-04/nothing.zip", "2024-04/../x", "2023-01/", "x/"]
)
def test_what_is_not_there(client, made, address):
    assert client.get(f"/downloads/{address}").status_code == 404


def test_the_page_says_what_each_is_for(client, made):
    text = client.get("/downloads/").content.decode()
    for download in Download.objects.filter(run__publication__period__month=builders.APRIL):
        assert f'href="/downloads/2024-04/{download.name}"' in text
        assert download.sha256 in text
    assert "Calculate this month yourself" in text
    assert 'href="/downloads/2024-03/"' in text
    assert "Go to the latest files" in client.get("/downloads/2024-03/").content.decode()


def test_before_a_publication_and_while_the_files_are_made_the_page_says_so(client):
    assert "No list is published yet." in client.get("/downloads/").content.decode()
    builders.round_robin(builders.event().sections.get(), builders.players(4))
    builders.publish(builders.MARCH)
    assert "are being made" in client.get("/downloads/").content.decode()
    assert client.get("/downloads/ratings_main.zip").status_code == 404


def test_what_a_lost_message_left_out_is_made_by_the_clock(made, worker_at_once):
    Download.objects.all().delete()
    rescue_downloads()
    assert set(Download.objects.values_list("run", flat=True)) == set(
        RatingRun.objects.filter(publication__isnull=False).values_list("pk", flat=True)
    )


def test_of_a_run_that_is_not_published_nothing_is_made():
    builders.round_robin(builders.event().sections.get(), builders.players(4))
    run = builders.calculate(builders.MARCH)
    assert make_downloads(run.pk, at=NOW) == 0


def test_a_list_of_another_system_has_no_federations_own_file(client):
    builders.add_list("uscf", starts_from="")
    builders.round_robin(builders.event().sections.get(), builders.players(4))
    builders.publish(builders.MARCH)
    make_downloads(RatingRun.objects.get(publication__isnull=False).pk, at=NOW)
    assert client.get("/downloads/ratings_uscf.zip").status_code == 404
    document = json.loads(fetched(client, "full_uscf.zip")["full_uscf.json"])
    assert document["players"][0]["activity"] is None


def test_the_files_give_the_hashes_that_stand_on_the_page_and_those_of_hidden_players_stay_closed(client):
    people = builders.federation()
    Player.objects.filter(pk=people[0].pk).update(hidden_since=date(2024, 4, 1))
    run = RatingRun.objects.filter(publication__isnull=False).latest("period__month")
    make_downloads(run.pk, at=NOW)
    chain = client.get("/api/v1/seals/").json()["results"]
    page = client.get("/downloads/").content.decode()
    assert chain[0]["hash"] in page
    assert chain[0]["hash"] in client.get("/lists/").content.decode()
    of_month = [seal for seal in chain if seal["period"] == f"{run.period.month:%Y-%m}"]
    for seal in of_month:
        files = fetched(client, f"sealed_{seal['list']}.zip")
        said = files[f"seal_{seal['list']}.txt"]
        assert hashlib.sha256(said).hexdigest() == seal["hash"]
        heading, *lines = files[f"sealed_{seal['list']}.tsv"].decode().splitlines()
        cells = [dict(zip(heading.split("\t"), line.split("\t"), strict=True)) for line in lines]
        for row in cells:
            if row["row"]:
                assert hashlib.sha256(f"{row['salt']}\n{row['row']}".encode()).hexdigest() == row["digest"]
        digests = "".join(f"{row['digest']}\n" for row in sorted(cells, key=lambda row: row["digest"]))
        assert hashlib.sha256(digests.encode()).hexdigest() == seal["rows_hash"]
        assert said.decode().split("\n")[-4:] == [str(len(cells)), seal["rows_hash"], seal["input_hash"], ""]
        closed = [row for row in cells if not row["row"]]
        assert [(row["salt"], row["number"]) for row in closed] == [("", "")] * len(closed)
        assert people[0].number not in {row["number"] for row in cells}
    assert {seal["list"] for seal in of_month} >= {"main"}
    assert [seal["previous"] for seal in chain[:-1]] == [seal["hash"] for seal in chain[1:]]
    assert chain[-1]["previous"] == ""
