"""Each layout read back by a reader of its own, which knows only the layout's description."""

import csv
import io
import json
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.downloads.formats import chessa, fide, full, swiss_manager
from ratings.downloads.formats.listed import ListedPlayer, PublishedList, ascii_text

ANRI = ListedPlayer(
    rank=1,
    number="100000001",
    fide_id=14300001,
    last_name="Botha-Müller",
    first_name="Anri, jnr",
    born=date(2001, 1, 1),
    sex="F",
    title="WIM",
    federation="RSA",
    region="GAU",
    club="Mopane Chess Club",
    published=1718.5,
    raw=1700.25,
    weighted=1718.5,
    highest=1750.125,
    previous=1712.0,
    k=28.0,
    games=7,
    activity=12,
)
SIPHO = replace(
    ANRI, rank=2, number="100000002", fide_id=None, last_name="Dlamini", first_name="", born=None, sex="M", title="",
    region="", club="", published=999.4999, previous=None, k=None, games=0, activity=0,
)  # fmt: skip
MAIN = PublishedList(
    "main", "Main", True, "Rules", date(2026, 10, 1), date(2026, 11, 1), date(2026, 11, 1), (ANRI, SIPHO)
)


@pytest.mark.rule("chessa 25")
def test_the_list_as_chess_south_africas_site_gives_it():
    assert (
        chessa.chessa_csv(MAIN.players)
        == (
            "UNIQUE_NO,SURNAME,FIRSTNAME,BDATE,SEX,TITLE,RATING,FED\r\n"
            '100000001,Botha-Müller,"Anri, jnr",2001/01/01,F,WIM,1719,GAU\r\n'
            "100000002,Dlamini,,1900/01/01,M,,999,\r\n"
        ).encode()
    )


@pytest.mark.rule("chessa 25")
@pytest.mark.parametrize(("rating", "whole"), [(1499.5, 1500), (1499.4999999, 1499), (1500.0, 1500), (1500.5, 1501)])
def test_ratings_are_exported_as_the_nearest_whole_number(rating, whole):
    assert replace(ANRI, published=rating).rounded == whole


def test_swiss_managers_columns():
    heading, anri, sipho, rest = swiss_manager.fixed_text(MAIN).decode("ascii").split("\r\n")
    assert rest == ""
    assert heading == "ID number Name                              TitlFed  Nov26 GamesBorn  Flag"
    cut = [(0, 9), (10, 42), (44, 46), (48, 51), (53, 57), (59, 62), (64, 68), (70, 80)]
    assert [anri[start:end].strip() for start, end in cut] == [
        "100000001", "Botha-Muller, Anri, jnr", "wm", "RSA", "1719", "7", "2001", "w",
    ]  # fmt: skip
    assert [sipho[start:end].strip() for start, end in cut] == [
        "100000002", "Dlamini", "", "RSA", "999", "0", "0", "i",
    ]  # fmt: skip


def test_swiss_managers_table():
    text = swiss_manager.table(MAIN).decode("utf-8-sig")
    first, second = csv.DictReader(io.StringIO(text), delimiter=";")
    assert first == {
        "ID_No": "100000001", "Name": "Botha-Müller, Anri, jnr", "Title": "WIM", "Sex": "w", "Fed": "RSA",
        "Clubnumber": "", "ClubName": "GAU", "Birthday": "2001", "Rtg_Nat": "1719", "Fide_No": "14300001", "Rtg_Int": "",
    }  # fmt: skip
    assert (second["Birthday"], second["Fide_No"], second["Sex"]) == ("", "", "")


SINGLE = {
    "id": (0, 15), "name": (15, 76), "fed": (76, 80), "sex": (80, 84), "title": (84, 89), "w_title": (89, 94),
    "other": (94, 109), "foa": (109, 113), "rating": (113, 119), "games": (119, 123), "k": (123, 126),
    "birth": (126, 132), "flag": (132, 136),
}  # fmt: skip
COMBINED = {
    **{name: SINGLE[name] for name in ("id", "name", "fed", "sex", "title", "w_title")},
    "s": (109, 115), "s_games": (115, 119), "s_k": (119, 122), "r": (122, 128), "r_games": (128, 132), "r_k": (132, 135),
    "b": (135, 141), "b_games": (141, 145), "b_k": (145, 148), "birth": (148, 154), "flag": (154, 158),
}  # fmt: skip


def read_columns(content: bytes, columns: dict[str, tuple[int, int]]) -> list[dict[str, str]]:
    heading, *lines, last = content.decode("ascii").split("\r\n")
    assert last == ""
    assert max(map(len, (heading, *lines))) <= max(end for _, end in columns.values())
    return [{name: line[start:end].strip() for name, (start, end) in columns.items()} for line in lines]


def test_fides_single_list_as_text():
    anri, sipho = read_columns(fide.single_text(MAIN), SINGLE)
    assert anri == {
        "id": "100000001", "name": "Botha-Muller, Anri, jnr", "fed": "RSA", "sex": "F", "title": "WIM", "w_title": "WIM",
        "other": "", "foa": "", "rating": "1719", "games": "7", "k": "28", "birth": "2001", "flag": "w",
    }  # fmt: skip
    assert (sipho["birth"], sipho["flag"], sipho["k"], sipho["rating"]) == ("0", "i", "0", "999")
    heading = fide.single_text(MAIN).decode().splitlines()[0]
    assert [heading[start:end].strip() for start, end in (SINGLE["rating"], SINGLE["birth"])] == ["NOV26", "B-day"]


def test_fides_list_of_three_types_side_by_side():
    rapid = replace(MAIN, code="rapid", players=(replace(ANRI, published=1600.0, games=3, k=32.0),))
    blitz = replace(MAIN, code="blitz", players=(replace(SIPHO, published=1200.0),))
    anri, sipho = read_columns(fide.combined_text([MAIN, rapid, blitz]), COMBINED)
    assert [anri[name] for name in ("s", "r", "b", "s_games", "r_games", "b_games", "r_k")] == [
        "1719", "1600", "0", "7", "3", "0", "32",
    ]  # fmt: skip
    assert [sipho[name] for name in ("name", "s", "r", "b", "flag")] == ["Dlamini", "999", "0", "1200", "i"]
    players = ElementTree.fromstring(fide.combined_xml([MAIN, rapid, blitz])).findall("player")
    assert [player.findtext("rapid_rating") for player in players] == ["1600", "0"]
    assert [player.findtext("blitz_rating") for player in players] == ["0", "1200"]


def test_fides_xml():
    root = ElementTree.fromstring(fide.single_xml(MAIN))
    assert root.tag == "playerslist"
    first, second = ({field.tag: field.text or "" for field in player} for player in root)
    assert first == {
        "fideid": "100000001", "name": "Botha-Müller, Anri, jnr", "country": "RSA", "sex": "F", "title": "WIM",
        "w_title": "WIM", "o_title": "", "foa_title": "", "rating": "1719", "games": "7", "k": "28", "birthday": "2001",
        "flag": "w",
    }  # fmt: skip
    assert second["birthday"] == "0"


def test_every_figure_unrounded():
    first, second = csv.DictReader(io.StringIO(full.full_csv(MAIN).decode("utf-8-sig")))
    assert [float(first[name]) for name in ("published", "raw", "highest", "previous")] == [
        1718.5,
        1700.25,
        1750.125,
        1712,
    ]
    assert (first["birth_year"], first["activity"], first["fide_id"]) == ("2001", "12", "14300001")
    assert (second["previous"], second["birth_year"], second["k"], second["activity"]) == ("", "", "", "0")
    assert (first["club"], second["club"]) == ("Mopane Chess Club", "")
    document = json.loads(full.full_json(MAIN))
    assert [player["club"] for player in document["players"]] == ["Mopane Chess Club", ""]
    assert (document["list"], document["period"], document["list_date"]) == ("main", "2026-10", "2026-11-01")
    assert document["players"][0]["published"] == 1718.5
    assert document["players"][1]["previous"] is None
    assert "born" not in document["players"][0]


@given(st.floats(100, 4000))
def test_a_rating_comes_back_with_every_bit(rating):
    listing = replace(MAIN, players=(replace(ANRI, published=rating),))
    assert json.loads(full.full_json(listing))["players"][0]["published"] == rating
    (row,) = csv.DictReader(io.StringIO(full.full_csv(listing).decode("utf-8-sig")))
    assert float(row["published"]) == rating


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), min_size=1, max_size=70))
def test_no_name_breaks_a_layout(name):
    listing = replace(MAIN, players=(replace(ANRI, last_name=name, first_name=""),))
    (row,) = read_columns(fide.single_text(listing), SINGLE)
    assert (row["id"], row["rating"]) == ("100000001", "1719")
    assert swiss_manager.fixed_text(listing).count(b"\r\n") == 2
    (person,) = ElementTree.fromstring(fide.single_xml(listing))
    assert (person.findtext("name") or "").strip() == name.strip()


@pytest.mark.parametrize("character", ["\x01", "\x0b", "\ufffe", "\u2028", "\n"])
def test_a_character_that_is_no_text_breaks_no_file(character):
    listing = replace(MAIN, players=(replace(ANRI, last_name=f"Evil{character}Name"),))
    (person,) = ElementTree.fromstring(fide.single_xml(listing))
    assert person.findtext("name") == "Evil Name, Anri, jnr"
    assert len(fide.single_text(listing).decode().splitlines()) == 2
    assert len(swiss_manager.fixed_text(listing).decode().splitlines()) == 2


def test_letters_that_ascii_has_not():
    assert ascii_text("Søren Łukasz Großmann–O’Brien Ñandú 王") == "Soren Lukasz Grossmann-O'Brien Nandu ?"


def test_a_cell_that_a_spreadsheet_would_take_for_a_formula():
    listing = replace(MAIN, players=(replace(ANRI, last_name="=1+1"),))
    assert "'=1+1" in full.full_csv(listing).decode()
    assert ";'=1+1" in swiss_manager.table(listing).decode()
