"""The table of a file's players: rows are pasted at once, what cannot be read stays as typed, nothing typed is lost."""

import io
import json
import re
import time
import tracemalloc
import zipfile
from datetime import date
from html import unescape
from importlib import import_module
from random import Random
from string import ascii_lowercase

import openpyxl
import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from events.models import Upload
from events.rules.corrections import NEW
from events.submission.newcomers import queries
from events.submission.newcomers.pasted import place_rows, split_rows
from players.models import Player
from players.operations import NewPlayer, register_players
from tests.builders import Line, region, round_robin, trf
from tests.events.submission.world import FIRST, LAST, clean, codes, correction, known, played, table, taken
from tests.fuzz.readers import least_seconds

pytestmark = pytest.mark.django_db
NAMES = ("Adebe, Zodwa", "Bhengu, Thabo", "Cele, Lindiwe", "Duma, Sipho", "Fuze, Ayanda", "Gumede, Bongi")


FOLDED = re.compile(r'<details class="section"\s*>')


def unknown_file(*names: str) -> bytes:
    people = [Line(name, sex="") for name in names or NAMES]
    return trf(people, round_robin(len(people)), starts=FIRST, ends=LAST)


def new_players(desk) -> Upload:
    """A file of six players who are answered to be new."""
    upload = taken(played(), unknown_file())
    table(desk, upload, "others")
    return upload


def shown(desk, upload: Upload) -> str:
    return desk.get(f"/events/{upload.event_id}/results/{upload.pk}/players/").content.decode()


def given(upload: Upload) -> dict[str, str]:
    """What is taken of new players: field → value."""
    answers = upload.corrections.exclude(kind="player").values_list("kind", "key", "value")
    return {f"{kind}-{key}": value for kind, key, value in answers}


def typed(upload: Upload) -> dict[str, str]:
    return Upload.objects.get(pk=upload.pk).typed


def paste(desk, upload: Upload, text: str, cell: str = ""):
    return table(desk, upload, "paste", pasted=text, cell=cell)


def test_of_a_file_without_players_there_is_no_table(desk):
    upload = taken(played(), b"012 Open\n042 2024/02/03\n052 2024/02/04\n")
    answer = desk.get(f"/events/{upload.event_id}/results/{upload.pk}/players/")
    assert (answer.status_code, answer.url) == (302, f"/events/{upload.event_id}/results/")


def test_of_a_file_whose_players_are_all_known_the_page_says_so(desk):
    known()
    assert "All players of the file are on the register." in shown(desk, taken(played()))


def test_rows_without_names_fill_down_and_across_from_the_cell(desk):
    upload = new_players(desk)
    assert paste(desk, upload, "2010-03-04\tF\n2011-04-05\tm\n", "birth-2").status_code == 302
    assert given(upload) == {"birth-2": "2010-03-04", "sex-2": "F", "birth-3": "2011-04-05", "sex-3": "M"}


def test_who_serves_at_the_event_reads_the_year_of_a_birth_that_was_typed_alone(desk):
    """With the answers and findings, on the page of results and on the desk; those of an earlier release, too."""
    upload = new_players(desk)
    paste(desk, upload, "2010-03-04\tF", "birth-2")
    answer = upload.corrections.get(kind="birth")
    assert answer.answer == "Bhengu, Thabo: date of birth in 2010."
    before = "Bhengu, Thabo: date of birth 4 Mar 2010."
    upload.corrections.filter(kind="birth").update(answer=before)
    import_module("events.migrations.0022_years_of_typed_births").keep_years(apps, None)
    answer.refresh_from_db()
    assert (answer.answer, answer.value) == ("Bhengu, Thabo: date of birth in 2010.", "2010-03-04")


@pytest.mark.parametrize("separator", ["\t", ";"])
def test_rows_with_a_heading_find_their_lines_by_the_names_in_any_order(desk, separator):
    upload = new_players(desk)
    rows = [("First name", "Surname", "Gender", "DOB"), ("Sipho", "Duma", "Boy", "2010-03-04"),
            ("Zodwa", "Adebe", "dogter", "13/04/2011")]  # fmt: skip
    assert paste(desk, upload, "\n".join(map(separator.join, rows)), "birth-1").status_code == 302
    assert given(upload) == {"birth-4": "2010-03-04", "sex-4": "M", "birth-1": "2011-04-13", "sex-1": "F"}


def test_rows_without_heading_are_recognised_by_what_stands_in_them(desk):
    upload = new_players(desk)
    assert paste(desk, upload, "4\tSipho Duma\tM\t2010-03-04\n1\tZodwa Adebe\tF\t2011-04-13").status_code == 302
    assert given(upload) == {"birth-4": "2010-03-04", "sex-4": "M", "birth-1": "2011-04-13", "sex-1": "F"}


def test_one_wrong_date_rejects_no_other_and_stands_as_it_was_typed(desk):
    upload = new_players(desk)
    answered = paste(desk, upload, "31/02/2010\tF\n2011-04-05\tM", "birth-1")
    assert answered.status_code == 422
    assert given(upload) == {"sex-1": "F", "birth-2": "2011-04-05", "sex-2": "M"}
    for again in (answered.content.decode(), shown(desk, upload)):
        assert 'value="31/02/2010"' in again
        assert "No date of birth: write it as 2008-03-24." in again
    assert table(desk, upload, "keep", birth_1="2010-02-28").status_code == 302
    assert given(upload)["birth-1"] == "2010-02-28"
    assert typed(upload) == {"pasted": ""} or typed(upload) == {}


def test_a_date_that_can_be_two_days_is_not_guessed_unless_another_tells(desk):
    upload = new_players(desk)
    assert paste(desk, upload, "03/04/2010\n05/06/2011", "birth-1").status_code == 422
    assert given(upload) == {}
    assert table(desk, upload, "month").status_code == 302
    assert given(upload) == {"birth-1": "2010-03-04", "birth-2": "2011-05-06"}
    assert paste(desk, upload, "03/04/2010\n25/06/2011", "birth-3").status_code == 302
    assert (given(upload)["birth-3"], given(upload)["birth-4"]) == ("2010-04-03", "2011-06-25")
    assert paste(desk, upload, "03/04/2010\n06/25/2011", "birth-5").status_code == 422


def test_rows_that_another_has_pasted_meanwhile_stay(desk):
    upload = new_players(desk)
    page = shown(desk, upload)
    before = unescape(re.search(r'name="shown" value="([^"]*)"', page)[1])
    paste(desk, upload, "name\tborn\nZulu, Nobody\t2009-01-02")
    assert table(desk, upload, "keep", shown=before, pasted="", birth_1="2010-02-28").status_code == 302
    assert typed(upload)["pasted"] == "Zulu, Nobody\t2009-01-02"
    table(desk, upload, "keep", shown=before, pasted="Khoza, Somebody\t2008-01-02")
    assert typed(upload)["pasted"] == "Zulu, Nobody\t2009-01-02\nKhoza, Somebody\t2008-01-02"


def test_rows_of_nobody_stay_below_the_table(desk):
    upload = new_players(desk)
    answered = paste(desk, upload, "name\tborn\nDuma, Sipho\t2010-03-04\nZulu, Nobody\t2009-01-02")
    assert answered.status_code == 422
    assert typed(upload)["pasted"] == "Zulu, Nobody\t2009-01-02"
    assert "Zulu, Nobody\t2009-01-02</textarea>" in shown(desk, upload)


def test_all_new_players_that_the_page_showed_are_taken_back_together(desk):
    upload = new_players(desk)
    button = re.search(r'value="(undoall-\d+)"', shown(desk, upload))[1]
    upload.corrections.filter(key="1").delete()
    table(desk, upload, "new-1")
    table(desk, upload, button)
    assert list(upload.corrections.filter(kind="player").values_list("key", flat=True)) == ["1"]


def test_a_spreadsheet_fills_in_its_rows(desk):
    upload = new_players(desk)
    book = openpyxl.Workbook()
    for row in (["Name", "Birth date", "Sex", "Region"], ["Duma, Sipho", date(2010, 3, 4), "M", "Limpopo"]):
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    file = SimpleUploadedFile("list.xlsx", content.getvalue())
    limpopo = region("LCP").name
    assert table(desk, upload, "sheet", sheet=file).status_code in (302, 422)
    assert given(upload)["birth-4"] == "2010-03-04"
    assert ("Limpopo" in limpopo) <= (
        given(upload).get("region-4") == "LCP" or typed(upload).get("region-4") == "Limpopo"
    )


def test_a_file_of_which_a_line_cannot_be_read_fills_in_nothing(desk):
    upload = new_players(desk)
    content = b'Name,Birth date\n"Duma, Sipho",2010-03-04\n"Zulu, 2009-01-02\n'
    answered = table(desk, upload, "sheet", sheet=SimpleUploadedFile("list.csv", content))
    assert answered.status_code == 422
    assert "Line 3: The quotation marks of this line do not close." in shown(desk, upload) + answered.content.decode()
    assert given(upload) == {}


def test_a_spreadsheet_that_would_keep_the_page_waiting_is_refused(desk):
    upload = new_players(desk)
    book = openpyxl.Workbook()
    for number in range(20_000):
        book.active.append([f"Duma{number}, Sipho", 2010])
    content = io.BytesIO()
    book.save(content)
    answered = table(desk, upload, "sheet", sheet=SimpleUploadedFile("list.xlsx", content.getvalue()))
    assert answered.status_code == 422
    assert "holds more than a list of players" in shown(desk, upload) + answered.content.decode()
    assert given(upload) == {}


def test_a_zip_of_a_wide_table_fills_no_memory(desk):
    """48 kB of it took 340 MB; a quarter is traced."""
    upload = new_players(desk)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("list.csv", "Surname,First name\n" + f"Cele,Sipho{',éa' * 120}\n" * 5_000)
    file = SimpleUploadedFile("list.zip", content.getvalue())
    tracemalloc.start()
    assert table(desk, upload, "sheet", sheet=file).status_code == 422
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 30_000_000


def test_what_is_said_of_all_lines_is_kept_in_few_queries(desk):
    """Of the 300 players of a page it took seven seconds, with the event locked."""

    def queries(count: int) -> int:
        names = [f"Duma{letter}, Sipho" for letter in ascii_lowercase[:count]]
        upload = taken(played(name=f"Open {count}"), unknown_file(*names))
        starts = [row["start"] for row in upload.report["lines"]]
        details = {
            f"{column}_{start}": text for start in starts for column, text in (("sex", "M"), ("birth", "1999-05-17"))
        }
        with CaptureQueriesContext(connection) as asked:
            table(desk, upload, "others")
            table(desk, upload, "", **details)
            table(desk, upload, "", **details | {f"sex_{start}": "F" for start in starts})
        assert upload.corrections.filter(kind="sex", value="F").count() == count
        assert upload.corrections.filter(kind="birth").count() == count
        return len(asked)

    assert queries(24) <= queries(6) + 6


def test_few_typed_names_are_looked_up_at_once(desk):
    """300 took the register 24 seconds, each time that the table was shown."""
    event = played()
    letters = "abcdefghijklmnopqrstuvwxyz"
    upload = taken(event, unknown_file(*(f"Duma{letter}, Sipho" for letter in letters)))
    rows = upload.report["lines"]

    def queries(count: int) -> int:
        typed = {f"other-{row['start']}": f"Zu{letters[place]}" for place, row in enumerate(rows[:count])}
        Upload.objects.filter(pk=upload.pk).update(typed=typed)
        with CaptureQueriesContext(connection) as asked:
            page = shown(desk, upload)
        assert ("This is looked up once others are settled." in page) == (count > 20)
        return len(asked)

    assert queries(26) == queries(20) > queries(0)


def test_a_table_with_columns_without_end_is_read_for_as_many_as_a_table_has(desk):
    """130 kB of it took 16 seconds."""
    upload = new_players(desk)
    file = SimpleUploadedFile("wide.csv", b'x,y\n"",' + b"," * 50_000 + b"z\n" + b"a,b\n" * 19_000)
    begun = time.process_time()
    assert table(desk, upload, "sheet", sheet=file).status_code == 422
    assert time.process_time() - begun < 5


def test_nobody_is_asked_for_details_before_it_is_said_that_he_is_new(desk):
    event = played()
    upload = taken(event, unknown_file())
    assert 'name="birth-1"' not in shown(desk, upload)
    assert "Details of new players" not in desk.get(f"/events/{event.pk}/results/").content.decode()
    paste(desk, upload, "name\tborn\nAdebe, Zodwa\t2010-03-04")
    assert given(upload) == {}
    assert "typed: 2010-03-04" in shown(desk, upload)
    table(desk, upload, "new-1")
    assert given(upload) == {"birth-1": "2010-03-04"}


@pytest.mark.rule("chessa 16")
def test_a_birth_date_given_for_a_new_player_finds_out_no_birth_date_of_the_register(desk):
    """Taken back that he is new, the date waits beside the line and is not compared with the register's."""
    register_players(
        [NewPlayer("Adebe", "Zodwa", birth_date=date(2010, 3, 4), region=region("LCP"))], at=timezone.now()
    )
    upload = taken(played(), unknown_file())
    table(desk, upload, "new-1")
    table(desk, upload, "keep", birth_1="2010-03-04")
    table(desk, upload, "undo-1")
    upload.refresh_from_db()
    assert [line["start"] for line in upload.report["questions"]] == [1]
    assert "same birth date" not in json.dumps(upload.report)
    assert upload.typed["birth-1"] == "2010-03-04"


def test_somebody_else_is_found_by_name(desk):
    somebody = register_players([NewPlayer("Zwane", "Zola", region=region())], at=timezone.now())[0]
    upload = taken(played(), unknown_file())
    assert table(desk, upload, "search-1", other_1="zwane").status_code == 302
    page = shown(desk, upload)
    assert re.search(rf'name="who-1"\s+value="{somebody.number}"\s+checked', page)
    table(desk, upload, "take-1")
    assert upload.corrections.get().value == somebody.number


def test_all_with_the_same_name_and_birth_date_are_taken_at_once(desk):
    """The gender differs, so that none is matched by itself."""
    people = known()
    Player.objects.update(sex="F", region=region())
    upload = taken(played(), clean())
    assert len(upload.report["questions"]) == 6
    assert table(desk, upload, "same").status_code == 302
    assert sorted(upload.corrections.values_list("value", flat=True)) == sorted(player.number for player in people)


def test_a_name_with_what_cannot_be_seen_is_compared_with_signs_for_it(desk):
    player = known()[0]
    name = f"{player.last_name}, {player.first_name}"
    Player.objects.update(sex="F", region=region())
    upload = taken(played(), clean().replace(f"{name} ".encode(), f"{name[:4]}\u202e{name[4:]}".encode()))
    report = json.dumps(upload.report, ensure_ascii=False)
    assert "\u202e" not in report
    assert report.count("U+202E") > 1
    assert "\u202e" not in shown(desk, upload)


def test_what_another_browser_has_entered_meanwhile_stays(desk):
    upload = new_players(desk)
    before = json.dumps({"birth-1": ""})
    table(desk, upload, "keep", birth_1="2010-03-04")
    answered = table(desk, upload, "keep", birth_1="2011-05-06", sex_1="F", shown=before)
    assert answered.status_code == 422
    assert "You typed 2011-05-06" in answered.content.decode()
    assert given(upload) == {"birth-1": "2010-03-04", "sex-1": "F"}


def test_what_was_typed_comes_along_with_a_corrected_file(desk):
    upload = new_players(desk)
    table(desk, upload, "keep", birth_1="31/02/2010", birth_2="2010-03-04")
    again = taken(upload.event, unknown_file("Zungu, Zodwa", *NAMES[1:]), name="again.trf")
    assert given(again) == {"birth-2": "2010-03-04"}
    assert "birth-1" not in again.typed
    table(desk, again, "keep", birth_3="32/02/2010")
    third = taken(upload.event, unknown_file("Zungu, Zama", *NAMES[1:]), name="third.trf")
    assert third.typed["birth-3"] == "32/02/2010"


def test_an_answer_leads_to_the_next_open_question_and_a_settled_section_is_folded(desk):
    known()
    event = played("A", "B")
    first, second = event.sections.order_by("pk")
    one = taken(event, clean(dated=False, control="60+30"), section=first, name="a.trf")
    two = taken(event, trf([Line(name, sex="") for name in NAMES], round_robin(6), starts=FIRST, ends=LAST, name="B"),
                section=second, name="b.trf")  # fmt: skip
    days = {f"_{number}": (FIRST if number < 3 else LAST).isoformat() for number in range(1, 6)}
    assert correction(desk, one, "days", **days)["Location"].endswith(f"#u{one.pk}-control")
    answered = correction(desk, one, "control", which="registration", reason="The clocks showed it.")
    assert answered["Location"].endswith(f"#u{two.pk}-players")
    page = desk.get(f"/events/{event.pk}/results/").content.decode()
    assert len(FOLDED.findall(page)) == 1
    assert "a.trf: nothing is open" in page
    assert f'href="#u{two.pk}-players"' in page
    table(desk, two, "others")
    table(desk, two, "keep", **{f"birth_{start}": "2010-03-04" for start in range(1, 7)})
    done = table(desk, two, "keep", **{f"sex_{start}": "F" for start in range(1, 7)})
    assert desk.get(done["Location"])["Location"] == f"/events/{event.pk}/results/#declaration"
    assert len(FOLDED.findall(desk.get(f"/events/{event.pk}/results/").content.decode())) == 2


TEXTS = ("2010-03-04", "13/04/2011", "03/04/2010", "31/02/2010", "2010", "soon", "")
SEXES = ("M", "f", "girl", "?", "")


@pytest.mark.parametrize("seed", [1, 2])
def test_a_hundred_answers_at_random_lose_nothing_that_was_typed(desk, seed):
    """After each, every field shows what was typed last, as it was typed or as it was read."""
    random = Random(seed)
    register_players([NewPlayer("Adebee", "Zodwa", region=region())], at=timezone.now())
    upload = taken(played(), unknown_file())
    last: dict[str, str] = {}
    for _ in range(50):
        upload.refresh_from_db()
        new = set(upload.corrections.filter(kind="player", value=NEW).values_list("key", flat=True))
        start = str(random.randint(1, 6))
        if start not in new or random.random() < 0.15:
            table(desk, upload, random.choice([f"new-{start}", f"undo-{start}", "others"]))
        else:
            sent = {f"birth_{start}": random.choice(TEXTS), f"sex_{start}": random.choice(SEXES)}
            table(desk, upload, random.choice(["keep", "quiet", f"undo-{start}"]), **sent)
            last |= {name.replace("_", "-"): text for name, text in sent.items()}
        stored = given(upload) | typed(upload)
        for name, text in last.items():
            assert stored.get(name, "") in (text, READ.get(text)), (name, text)
    page = unescape(shown(desk, upload))
    for name, text in last.items():
        if name.partition("-")[2] in set(upload.corrections.filter(value=NEW).values_list("key", flat=True)):
            assert re.search(rf'name="{name}"\s+value="({re.escape(text)}|{re.escape(READ.get(text, text))})"', page), (
                name
            )
    assert codes(upload) is not None


READ = {"13/04/2011": "2011-04-13", "f": "F", "girl": "F", "03/04/2010": "2010-04-03"}


def test_a_copied_part_of_a_spreadsheet_is_split():
    assert split_rows('a\t"b\nc"\n\nd\te\n') == [["a", "b\nc"], ["d", "e"]]
    assert split_rows("Modise, Karabo\nNkosi, Thandi") == [["Modise, Karabo"], ["Nkosi, Thandi"]]
    assert split_rows("name,born\nKarabo Modise,2010-03-04") == [["name", "born"], ["Karabo Modise", "2010-03-04"]]


@pytest.mark.parametrize(
    ("cells", "rows", "count"),
    [
        (" ".join(["ab", "cd", "ef", "gh"] * 2000), 200, 200),  # names of 24,000 letters
        (" ".join("abcd" * 2000), 200, 200),
        ("\t".join(["q"] * 190), 13_000, 3000),  # columns that have to be guessed
        ("Zola, Mia", 20_000, 3000),
    ],
)
def test_a_table_of_5_mb_is_placed_while_somebody_waits(cells, rows, count):
    lines = [{"start": number, "name": f"Newling{number:04}x, Qwerty"} for number in range(1, count + 1)]
    table = [["Name"], *([cells] for _ in range(rows))] if count == 200 else [cells.split("\t")] * rows
    assert least_seconds(lambda: place_rows(table, lines, regions=["Gauteng"]), 2.0) <= 2.0


def test_namesakes_of_5_mb_are_placed_while_somebody_waits():
    lines = [{"start": number, "name": "Zola, Mia"} for number in range(1, 10_000)]
    table = [["Name", "Born"], *[["Zola, Mia", "2000"]] * 19_998]
    placed = []
    assert least_seconds(lambda: placed.append(place_rows(table, lines, regions=["Gauteng"])), 1.0) <= 1.0
    assert placed[0] is not None
    assert len(placed[0].left) == 19_998
    assert not placed[0].cells


def test_a_namesake_is_told_by_the_number_only_of_a_line_of_that_name():
    lines = [{"start": number, "name": "Zola, Mia"} for number in (1, 2, 4)] + [{"start": 3, "name": "Nkosi, Thandi"}]
    table = [
        ["No", "Name", "Born"],
        ["2", "Mia Zola", "2001"],
        ["3", "Mia Zola", "2002"],
        ["1", "Thandi Nkosi", "2003"],
    ]
    placed = place_rows(table, lines, regions=[])
    assert placed is not None
    assert placed.cells == {"birth-2": "2001", "birth-3": "2003"}
    assert placed.left == ["3\tMia Zola\t2002"]


def test_rows_that_tell_nobody_are_placed_nowhere():
    lines = [{"start": 1, "name": "Modise, Karabo"}, {"start": 2, "name": "Nkosi, Thandi"}]
    assert place_rows([["2010-03-04"]], lines, regions=[]) is None
    in_order = place_rows([["2010-03-04"], ["2011-03-04"]], lines, regions=[])
    assert in_order is not None
    assert in_order.cells == {"birth-1": "2010-03-04", "birth-2": "2011-03-04"}
    initials = place_rows([["K Modise", "F"]], lines, regions=[])
    assert initials is not None
    assert initials.cells == {"sex-1": "F"}


def starts_on(page: str) -> list[int]:
    """The lines in whose cells a date of birth can be typed."""
    return [int(start) for start in re.findall(r'name="birth-(\d+)"', page)]


def test_of_more_lines_than_a_page_has_those_come_next_of_which_something_is_left_to_say(desk, monkeypatch):
    """Those after the first were never shown, and the table never done."""
    monkeypatch.setattr(queries, "MOST_ROWS", 4)
    upload = taken(played(), unknown_file())
    table(desk, upload, "others")
    table(desk, upload, "others")
    page = shown(desk, upload)
    assert "2 more lines are shown when these are settled" in page
    assert starts_on(page) == [1, 2, 3, 4]
    assert paste(desk, upload, "2010-03-04\tF\n" * 3 + "nonsense\tF", "birth-1").status_code == 422
    assert starts_on(shown(desk, upload)) == [4, 5, 6, 1]
    assert "more lines" not in shown(desk, upload)
    assert table(desk, upload, "keep", birth_4="2010-03-04").status_code == 302
    assert starts_on(shown(desk, upload))[:2] == [5, 6]
    answered = paste(desk, upload, "2010-03-04\tF\n" * 2, "birth-5")
    assert answered.url.startswith(f"/events/{upload.event_id}/results/?")


def test_what_could_not_be_read_of_other_lines_is_not_read_again_with_each_cell(desk):
    """Each such id was looked for on the register, hundreds with each cell that was typed."""
    upload = new_players(desk)
    ids = "\n".join(f"{290000000 + number}" for number in range(1, 6))
    assert paste(desk, upload, ids, "id-1").status_code == 422
    with CaptureQueriesContext(connection) as asked:
        table(desk, upload, "quiet", birth_6="2010-03-04")
    before_and_after = 2 * 5  # as the page shows them
    assert sum('"number" = \'29' in query["sql"] for query in asked) <= before_and_after
