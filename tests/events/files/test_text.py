"""Encodings and line ends."""

import pytest

from events.files.encodings import CODE_PAGES
from events.files.reader import read
from events.files.text import read_text
from tests.events.files.builders import player, trf, two

NAME = "Müller, Änne"
FILE = trf(player(1, "0000 - H", name=NAME, points="0.5")).decode()


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (two(), "ascii"),
        (FILE.encode(), "utf-8"),
        (FILE.encode("utf-8-sig"), "utf-8-sig"),
        (b"\xff\xfe" + FILE.encode("utf-16-le"), "utf-16-le"),
        (b"\xfe\xff" + FILE.encode("utf-16-be"), "utf-16-be"),
        (FILE.encode("utf-16-le"), "utf-16-le"),
        (FILE.encode("utf-16-be"), "utf-16-be"),
        (FILE.encode("cp1252"), "cp1252"),
    ],
)
def test_encodings_are_told_apart(content: bytes, encoding: str) -> None:
    tournament = read(content)
    assert tournament.encoding == encoding
    assert tournament.errors == ()
    assert tournament.entrants[0].name in (NAME, "Adendorff, Bets")


def test_the_fallback_is_the_senders() -> None:
    content = FILE.replace(NAME, "Łukasz, Ża  ").encode("cp1250")
    assert read(content, fallback_encoding="cp1250").entrants[0].name == "Łukasz, Ża"
    assert read(content).entrants[0].name != "Łukasz, Ża"


@pytest.mark.parametrize("fallback", ["no-such-encoding", "utf-8", "ascii", "base64"])
def test_a_fallback_that_does_not_fit_gives_way(fallback: str) -> None:
    text = read_text(b"012 M\x9dller\n", fallback)
    assert (text.encoding, text.guessed) == ("latin-1", True)


def test_a_guess_shows_three_names() -> None:
    names = ["Čech, Ana", "Núñez, Eva", "Öz, Ali", "Ürün, Can", "Şen, Efe"]
    content = (
        trf(*(player(number, name=name) for number, name in enumerate(names, 1))).decode().encode("cp1254", "replace")
    )
    tournament = read(content, fallback_encoding="cp1254")
    (guess,) = [finding for finding in tournament.findings if "guessed" in finding.code]
    assert guess.message.endswith(": Núñez, Eva; Öz, Ali; Ürün, Can.")
    assert tournament.sample_names == ("Núñez, Eva", "Öz, Ali", "Ürün, Can")


def test_an_encoding_that_is_known_has_no_names_to_judge() -> None:
    assert read(FILE.encode()).sample_names == ()
    assert read(two()).sample_names == ()
    assert read(FILE.encode("cp1252")).sample_names == (NAME,)


def test_a_guess_without_a_telling_letter_shows_no_name() -> None:
    tournament = read(two() + "### Ä\n".encode("cp1252"))
    assert tournament.sample_names == ()
    assert "none with a letter in question" in tournament.findings[0].message


@pytest.mark.parametrize("name", [name for name, _ in CODE_PAGES])
def test_every_code_page_to_choose_reads_its_own_letters(name: str) -> None:
    letters = bytes([*range(0xC0, 0xC6)]).decode(name)
    text = read_text(f"012 {letters}\n".encode(name), name)
    assert (text.encoding, text.guessed, text.lines) == (name, True, [f"012 {letters}"])


def test_code_pages_are_told_apart_and_fit_the_record() -> None:
    assert len(dict(CODE_PAGES)) == len({label for _, label in CODE_PAGES}) == len(CODE_PAGES)
    assert all(len(name) <= 20 for name, _ in CODE_PAGES)


def test_every_line_end_gives_the_same_tournament() -> None:
    lines = [player(1, "   2 w 1", points="1.0"), player(2, "   1 b 0")]
    tournaments = [read(trf(*lines, end=end)) for end in ("\n", "\r\n", "\r")]
    assert tournaments[0] == tournaments[1] == tournaments[2]
    assert tournaments[0].played_games == 1


def test_only_line_ends_part_lines() -> None:
    assert read_text("a\x0bb\x0cc\x85d\u2028e\nf".encode()).lines == ["a\x0bb\x0cc\x85d\u2028e", "f"]
