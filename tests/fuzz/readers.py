"""What every reader promises, whatever the bytes: a result or its own errors, in a time that grows with the file."""

import io
import json
import math
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import _lru_cache_wrapper, cache, partial
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

from events.files.abroad_csv.reader import read_abroad_csv
from events.files.aoc_list import read_aoc_list
from events.files.collector import Report
from events.files.fide_list.listed import FideListError
from events.files.fide_list.reader import FideListReader
from events.files.reader import read
from events.files.register_list import RegisterReader
from events.files.sheet import sheet_rows
from events.files.trf.writer import write_trf26
from events.rules.findings import Finding
from players.identity import _FOLDED
from ratings.cases.answer import answer_document
from ratings.cases.document import DocumentError, parse_document
from ratings.cases.fields import CaseError
from ratings.opening.reading import read_entries, sent_files
from tests.events.files.spreadsheets import spreadsheet
from tests.events.files.test_reader import SAMPLES, check
from tests.ratings.systems.chessa_builder import document, event
from tests.ratings.systems.chessa_builder import player as chessa_player

SECONDS = 2.0  # of the processor, that 5 MB may take at most, where the yardstick takes YARDSTICK
YARDSTICK = 0.28
# What the yardstick misses: within minutes one reading took from 2.0 to 2.8 s, and the yardstick from 0.28 to 0.34.
_UNSTEADY = 1.2
LARGE = 5_000_000


@dataclass(frozen=True, slots=True)
class Target:
    """A reader with what it promises (`run` raises AssertionError where that is broken), and bytes to begin with."""

    run: Callable[[bytes], None]
    seeds: tuple[bytes, ...]
    json: bool = False


def least_seconds(run: Callable[[], object], within: float) -> float:
    """The processor's seconds of the quickest of five runs, or of the first that is within what it may take: a machine that
    others use stops a run midway, once in a while. Seconds of a slower machine count as much less as its yardstick takes more,
    and a sixth less for what that misses.

    Each run is a first one: what an earlier one found out of a text is forgotten.
    """
    least = math.inf
    for _ in range(5):
        forget_all()
        taken = _processor_seconds(run)
        if taken > within:
            taken /= slowness() * _UNSTEADY
        least = min(least, taken)
        if least <= within:
            break
    return least


def most_bytes(run: Callable[[], object]) -> int:
    """The most bytes that a run holds at once, of those that Python gives it. Tracing them takes its time."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def slowness() -> float:
    """How many times as long as YARDSTICK the yardstick takes now; 1 on a quick machine."""
    return max(1.0, _processor_seconds(_yardstick) / YARDSTICK)


def forget_all() -> None:
    """Forget what was computed of texts."""
    for forget in _keeping(len(sys.modules)):
        forget()
    _FOLDED.clear()


_MAY_KEEP = (_lru_cache_wrapper, FunctionType)


@cache
def _keeping(modules_loaded: int) -> list[Any]:
    """What forgets the kept results of functions, in whatever module."""
    rooms = ("config", "events", "players", "ratings")
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in rooms]
    functions = [one for module in modules for one in vars(module).values() if type(one) in _MAY_KEEP]
    return [getattr(one, way) for one in functions for way in ("cache_clear", "forget") if hasattr(one, way)]


def _processor_seconds(run: Callable[[], object]) -> float:
    begun = time.process_time()
    run()
    return time.process_time() - begun


def _yardstick() -> None:
    """What readers do most: cut a text, look cells up, make small objects, as many as a large file's: some machines have quick
    processors and slow memory."""
    text, kept = "1234 w 1  " * 1000, {}
    for line in range(1000):
        kept[line] = [(line, text[place : place + 4], kept.get(place)) for place in range(0, len(text), 10)]


def within_time(run: Callable[[bytes], None], content: bytes) -> None:
    """Run, and see that it took no longer than four times its share of SECONDS, since a run reads twice and writes twice what
    it was given; a small file may take a quarter of a second."""
    allowed = max(0.25, SECONDS * len(content) / LARGE * 4)
    taken = least_seconds(partial(run, content), allowed)
    assert taken <= allowed, f"{taken:.2f} s for {len(content)} bytes"


def _typed(findings: tuple[Finding, ...] | list[Finding]) -> None:
    for finding in findings:
        assert isinstance(finding, Finding)
        assert finding.message
        assert len(finding.message) < 2000


def tournament(content: bytes) -> None:
    """A tournament file of any format; what is written from it reads back and is written alike."""
    first = read(content)
    check(first)
    _typed(first.findings)
    if not first.errors:
        written = write_trf26(first)
        again = read(written)
        assert not again.errors, again.errors
        assert write_trf26(again) == written


def register(content: bytes) -> None:
    """A list of players."""
    reader = RegisterReader(io.BytesIO(content), regions={"GAU": "Gauteng", "WCP": "Western Cape"})
    for line in reader:
        assert line.last_name
    _typed(reader.findings)


def fide_list(content: bytes) -> None:
    """FIDE's list, as text or XML, zipped or not."""
    try:
        reader = FideListReader(io.BytesIO(content), filename="standard_rating_list.txt")
        try:
            for listed in reader.players():
                assert listed.fide_id > 0
        finally:
            reader.close()
    except FideListError as error:
        assert str(error)  # noqa: PT017 - the promise is that it says something


def case(content: bytes) -> None:
    """A rating case, and its answer."""
    try:
        answer = answer_document(parse_document(content))
    except (DocumentError, CaseError) as error:
        assert str(error)  # noqa: PT017 - the promise is that it says something
    else:
        json.dumps(answer, allow_nan=False)


def opening(content: bytes) -> None:
    """The files of an opening balance or of former lists."""
    main: Any = SimpleNamespace(code="main", name="Main", system="chessa", is_national=True)
    _typed(read_entries(sent_files(content, "list.csv", "main"), date(2024, 2, 1), [main]).findings)


def newcomers(content: bytes) -> None:
    """A table of new players' details."""
    report = Report()
    for _, _, cells in sheet_rows(io.BytesIO(content), report, most_bytes=5_000_000, most_tags=200_000):
        assert all(isinstance(cell, str) for cell in cells)
    _typed(report.findings())


def aoc_list(content: bytes) -> None:
    """The AOC's list of arbiters."""
    _typed(read_aoc_list(content, begins=2024, today=date(2024, 4, 1)).findings)


def abroad_form(content: bytes) -> None:
    """The form for results abroad."""
    results = read_abroad_csv(content)
    _typed(results.findings)
    for player in results.players:
        assert player.name


def packed(content: bytes, name: str = "list.csv", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of one file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


_GAMES = [{"white": "a", "black": "b", "result": "1-0"}, {"white": "b", "black": "a", "result": "1/2-1/2"}]
_CASES = [
    document([chessa_player("a", 1500.0, highest=1600.0), chessa_player("b")], [event(*_GAMES)]),
    *(
        {"system": system, "players": [{"id": "a", **standing}, {"id": "b", **standing}], **more,
         "events": [{"id": "e", "ended": "2012-03-02", "games": _GAMES}]}
        for system, standing, more in (
            ("icu", {"type": "rated", "rating": 1500, "k": 24}, {}),
            ("uscf", {"rating": 1500, "games": 40}, {}),
            ("cfc", {"status": "established", "rating": 1500, "games": 40}, {"rules": "2012"}),
        )
    ),
]  # fmt: skip
_XML = (
    b"<?xml version='1.0'?><playerslist><player><fideid>14300001</fideid><name>Tenza, Grace</name><country>RSA</country>"
    b"<sex>F</sex><title></title><rating>1900</rating><games>0</games><k>20</k><birthday>1990</birthday></player></playerslist>"
)
_LIST = (
    b"ID Number      Name                            Fed Sex Tit WTit OTit    FOA MAR24 Gms K  B-day Flag\n"
    b"14300001       Tenza, Grace                    RSA F                        1900  0   20 1990  w   \n"
)
_FORM = (Path(__file__).parents[2] / "static/examples/results-abroad.csv").read_bytes()

_REGISTER = (
    b"UNIQUE_NO,SURNAME,FIRSTNAME,BDATE,SEX,TITLE,RATING,FED\n180000001,Mokoena,Naledi,1990-05-17,F,,1500,GAU\n",
    "Id;Surname;First name;Born\n180000001;Öz;Ali;17.5.1990\n".encode("cp1252"),
)
_PACKED = (packed(_REGISTER[0]), spreadsheet(["Id", "Surname", "Born"], ["180000001", "Mokoena", "1990-05-17"]))
_BALANCE = b"chess_sa_id,list,raw,published,highest,weighted\n180000001,main,1500.5,1500,1600,1500\n"

TARGETS = {
    "tournament": Target(tournament, tuple(SAMPLES.values())),
    "register": Target(register, _REGISTER + _PACKED),
    "newcomers": Target(newcomers, _REGISTER + _PACKED),
    "opening": Target(opening, (_BALANCE, packed(_BALANCE), *_PACKED)),
    "fide-list": Target(fide_list, (_LIST, _XML, packed(_LIST, "list.txt"), packed(_XML, "list.xml"))),
    "case": Target(case, tuple(json.dumps(one).encode() for one in _CASES), json=True),
    "abroad-form": Target(abroad_form, (_FORM, _FORM.replace(b",", b";"))),
    "aoc-list": Target(
        aoc_list, (b"Name,Title,Number,Federation,Year,Paid on\nGrace Tenza,IA,180000001,RSA,2024,2024-01-17\n",)
    ),
}
