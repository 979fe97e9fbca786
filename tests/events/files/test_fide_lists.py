"""FIDE's lists as they are downloaded: text and XML, of all kinds or one, zipped or not, whole or cut off."""

import encodings
import io
from datetime import date

import pytest

from events.files.fide_list.listed import KINDS, FideListError, Figure, ListedPlayer
from events.files.fide_list.reader import FideListReader, said_month
from events.files.fide_list.xml import BLOCK
from tests.events.files.fide_lists import COMBINED, LEGACY, MOKOENA, SINGLE, text, xml, zipped

WOMAN = MOKOENA | {"standard": (1850, 9, 20), "rapid": (1801, 0, 20), "foa": "AIM"}
READ = ListedPlayer(
    14300001, "Mokoena, Naledi", "RSA", "F", "WFM", 1990, Figure(1850, 20, 9), Figure(1801, 20), None, False
)


def opened(content, filename="players_list_foa.txt", **options):
    return FideListReader(io.BytesIO(content), filename=filename, **options)


def read(content, filename="players_list_foa.txt", **options):
    return list(opened(content, filename, **options).players())


@pytest.mark.parametrize(
    "content",
    [
        text(WOMAN),
        text(WOMAN, heading=LEGACY),
        xml(WOMAN),
        zipped(text(WOMAN)),
        zipped(xml(WOMAN), "players_list_xml_foa.xml"),
        text(WOMAN).replace(b"  \r\n", b"\r\n"),
    ],
)
def test_every_layout_of_the_combined_list(content):
    assert read(content) == [READ]  # the flag w is a woman's, and not an inactive player's


@pytest.mark.parametrize("kind", ["standard", "rapid", "blitz"])
@pytest.mark.parametrize("layout", [text, xml])
def test_a_list_of_one_kind(kind, layout):
    options = {"heading": SINGLE} if layout is text else {}
    content = layout(MOKOENA | {kind: (1700, 3, 40), "flag": "wi"}, kind=kind, **options)
    reader = opened(zipped(content, f"{kind}_rating_list.txt"), f"{kind}_oct26frl.zip")
    (player,) = reader.players()
    assert (reader.kinds, reader.month) == ((kind,), date(2026, 10, 1))
    assert {name: getattr(player, name) for name in KINDS} == dict.fromkeys(KINDS) | {kind: Figure(1700, 40, 3)}
    assert player.inactive
    with pytest.raises(FideListError, match="does not say which"):
        opened(content, "list")
    assert opened(content, "list", kind=kind).kinds == (kind,)


@pytest.mark.parametrize("more", ["<a{0}/>", '<a b{0}="c"/>', '<a xmlns:b{0}="c"/>', '<a xmlns="c{0}"/>'])
def test_an_xml_of_names_without_end_is_no_list_of_fide(more):
    """The parser keeps each: 12 MB of them took a gigabyte."""
    several = [xml({"name": "Öz, Ali"}).decode()]
    head, player, end = several[0].partition("<player>")[0], "<player>", "</playerslist>"
    content = head + "".join(f"{player}{more.format(number)}</player>" for number in range(100_000)) + end
    with pytest.raises(FideListError, match="this is not FIDE’s list"):
        read(content.encode())


@pytest.mark.parametrize("within", ["players", "player"])
def test_players_within_another_element_are_no_list_of_fide(within):
    """The parser keeps all that is in an element until its end: 49 MB of players took 382 MB."""
    inner = xml({"name": "Öz, Ali"}).decode().partition("<playerslist>")[2].partition("</playerslist>")[0]
    content = f"<playerslist><{within}>{inner * 10_000}</{within}></playerslist>"
    with pytest.raises(FideListError, match="without one"):
        read(content.encode())


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf<?xml version='1.0'", b"<?xml version='1.0'".ljust(BLOCK + 100)])
def test_no_name_of_an_encoding_without_end_is_kept(before):
    with pytest.raises(FideListError, match="unknown way"):
        read(before + b" encoding='" + b"x" * 60_000 + b"'?><playerslist/>")
    assert max(map(len, encodings._cache)) < 100


def test_the_old_xml_with_the_id_as_attribute():
    content = b"""<playerslist><player FIDEID="2811747"><name>Idrew, Haedg</name><country>IRL</country><sex>M</sex>
        <title>wm</title><rating>2197</rating><flag>i</flag><birthday>1962-09-14</birthday></player></playerslist>"""
    assert read(content) == [
        ListedPlayer(2811747, "Idrew, Haedg", "IRL", "M", "WIM", 1962, Figure(2197), None, None, True)
    ]


def test_a_line_that_its_other_titles_move_to_the_right():
    moved = text(WOMAN | {"other": "NA,FA,IA,FT,DI,O"})
    assert len(moved.splitlines()[1]) == len(COMBINED) - len("Flag") + 5
    assert read(moved) == [READ]
    assert read(moved.replace(b"  \r\n", b"\r\n")) == [READ]


def test_what_the_list_does_not_know_is_none():
    (player,) = read(text({"standard": (0, 0, 0), "born": 0, "title": "WH", "sex": "", "name": "A\\b\tc"}))
    assert (player.standard, player.birth_year, player.title, player.sex, player.name) == (None, None, "", "", "A b c")


def test_a_federation_has_three_letters_once_it_is_composed():
    """The letter U+0958 is stored as two."""
    (player,) = read(xml({"federation": "\u0958" * 3}))
    assert len(player.federation) == 3


@pytest.mark.parametrize(("rating", "unread"), [("3999", 0), ("4000", 1), ("18x0", 1)])
def test_a_player_who_cannot_be_read_is_left_out_and_named(rating, unread):
    reader = opened(text({}, {"fide_id": 2, "standard": (rating, 0, 0)}))
    assert len(list(reader.players())) == 2 - unread
    assert [place.partition(":")[0] for place in reader.unreadable] == ["line 3"] * unread


@pytest.mark.parametrize("layout", ["text", "XML"])
def test_names_with_characters_that_cannot_be_seen_are_cleaned_and_told(layout):
    people = [
        {},
        {"fide_id": 2, "name": "Ce~le, Bets"},
        *({"fide_id": 3 + more, "name": "Du~be"} for more in range(25)),
    ]
    content = text(*people) if layout == "text" else xml(*people)
    reader = opened(content.replace(b"~", b"\xad" if layout == "text" else "\u200b".encode()))
    names = [player.name for player in reader.players()]
    assert names[:3] == ["Mokoena, Naledi", "Cele, Bets", "Dube"]
    assert reader.cleaned[0] == f"{'line 3' if layout == 'text' else 'player 2'}: Cele, Bets"
    assert (len(reader.cleaned), reader.cleaned_names) == (20, 26)
    assert reader.unreadable == []


def test_more_than_a_hundred_of_them_are_another_file():
    bad = {"standard": ("x", 0, 0)}
    assert len(read(text(*[bad] * 100, {}))) == 1
    with pytest.raises(FideListError, match=r"More than 100 players cannot be read, the first on line 2"):
        read(text(*[bad] * 101, {}))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "empty"),
        (b"Name;FIDE id\r\n", "Line 1: these are not the columns"),
        (text({}).replace(b"Fed Sex", b"Sex Fed"), "Line 1: these are not the columns"),
        (text({}, {})[:-60], "Line 3, the last one, is cut off"),
        (COMBINED.encode() + b"\n" + b"x" * 2000, "more than 1000 characters"),
        (xml({}, {})[:-30], "cannot be read after 1 players, at line "),
        (b"<playerslist>\n</playerslist>", "no player"),
        (b"<html></html>", "no “playerslist”"),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><playerslist/>", "document type"),
        (b"<playerslist>" + b"<player>" + b"<x/>" * 20_000, "tags without one"),
        (xml(*[{}] * 300).replace(b"<sex>", b"<x/>" * 100 + b"<sex>"), "players of more tags than FIDE gives them"),
        (text({}) + b" \r\n" * 10_001, "10001 blank ones"),
        (
            b"<playerslist>" + b"".join(b"<x%d%b/>" % (i, b"x" * 9_000) for i in range(20)),
            "elements of thousands of names",
        ),
        (b"<playerslist><x>" + b"y" * 2_000_000, "a megabyte or 10000 tags without one"),
        (zipped(text(*[{}] * 50))[:-40], "cut off or damaged"),
        (zipped(text({}), "readme.md"), "0 files of text or XML"),
        (zipped(text({})).replace(b"players_list", b"\xffplayers_lis", 1), "cut off or damaged"),
    ],
)
def test_what_cannot_be_read_says_where_and_why(content, why):
    with pytest.raises(FideListError, match=why):
        read(content)


@pytest.mark.parametrize("place", range(1, 10))
def test_a_document_type_that_begins_in_one_block_and_ends_in_the_next_is_seen(place):
    """Entities within entities would make hundreds of megabytes of a name."""
    content = b"<?xml version='1.0'?>".ljust(BLOCK - place) + b"<!DOCTYPE a [<!ENTITY b 'c'>]><playerslist/>"
    with pytest.raises(FideListError, match="document type"):
        read(content)


@pytest.mark.parametrize(
    "encoding",
    [
        "utf-7",
        "utf-16",
        "utf-32",
        "gb18030",
        "cp037",
        "idna",
        "punycode",
        "undefined",
        "rot13",
        "hex",
        "klingon",
        "",
        "x y",
    ],
)
def test_an_xml_says_whatever_it_likes_of_its_encoding(encoding):
    with pytest.raises(FideListError, match="The XML"):
        read(f"<?xml version='1.0' encoding='{encoding}'?>".encode() + xml({"name": "Öz, Ali"}))


@pytest.mark.parametrize("encoding", ["windows-1252", "iso-8859-15"])
def test_an_xml_in_another_encoding_is_read_by_what_it_says(encoding):
    head = f"<?xml version='1.0' encoding='{encoding}'?>"
    (player,) = read(head.encode() + xml({"name": "Öz, Ali"}).decode().encode(encoding))
    assert player.name == "Öz, Ali"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_no_document_type_hides_in_letters_of_two_bytes(encoding):
    content = "<!DOCTYPE a [<!ENTITY b 'Ali'>]>" + xml({"name": "Öz, &b;"}).decode()
    with pytest.raises(FideListError):
        read(content.encode(encoding))


@pytest.mark.parametrize(
    ("filename", "said", "month"),
    [
        ("players_list_foa.txt", date(2026, 10, 1), date(2026, 10, 1)),
        ("players_list_oct26.zip", None, date(2026, 10, 1)),
        ("players_list_oct26.zip", date(2026, 9, 1), None),
        ("players_list_foa.txt", None, None),
    ],
)
def test_the_month_is_that_of_the_name_or_said(filename, said, month):
    reader = opened(text({}), filename)
    if month:
        assert said_month(reader, said) == month
    else:
        with pytest.raises(FideListError, match=r"month|not of 2026-09"):
            said_month(reader, said)


def test_the_bytes_read_are_counted_for_the_progress():
    reader = opened(zipped(text(*[{}] * 9)))
    assert 0 < reader.done < reader.total
    list(reader.players())
    assert reader.done == reader.total == len(text(*[{}] * 9))


def test_our_own_list_in_this_layout_can_be_read():
    from ratings.downloads.formats.fide import combined_text

    assert opened(combined_text([])).kinds == ("standard", "rapid", "blitz")


def test_the_trap_of_a_zip_that_unpacks_for_ever(monkeypatch):
    monkeypatch.setattr("events.files.fide_list.reader.MAX_BYTES", 1_000)
    with pytest.raises(FideListError, match="Unpacked the file has more than"):
        read(zipped(text(*[{}] * 50)))


@pytest.mark.parametrize("char", ["\u200b", "\u202e", "\ufe0f", "\U000e0101", "\u3164", "\u034f"])
def test_a_name_is_composed_and_without_what_cannot_be_seen(char):
    (player,) = read(xml(MOKOENA | {"name": f"Moko{char}ena, Zoe\u0308"}), "players_list_xml_foa.xml")
    assert player.name == "Mokoena, Zoë"
