"""Files of whole records and cells, put together oddly: they go further into the readers than bytes that were changed."""

from hypothesis import example, given
from hypothesis import strategies as st

from events.files.trf.lines import COLUMN_TAGS, KEPT_TAGS, TEXT_TAGS
from tests.events.files import builders
from tests.fuzz.readers import tournament

# What a cell, or the text of a record, may be put together from.
_PIECES = st.sampled_from([
    "", " ", "  ", "\t", ",", ";", "; ", ", ", ".", ":", "-", "/", "'", '"', '""', "(", ")", "#", "###", "+", "=", "\u00a0",
    "0", "1", "2", "3", "00", "12", "9999", "10000", "1.0", "0.5", "99.5", "1/2", "½", "1-0", "180000001", "14300001", "0081",
    "2024/03/01", "24/03/01", "2024-03-02", "1.3.2024", "2010/00/00", "90+30", "5400+30", "40/5400+30:1800+30", "W300-B240",
    "G/60", "15 min + 10 sec", "Mokoena", "van der Merwe", "Cele, A", "Öz, Ali", "IA Grace Tenza (14300001)", "e\u0301", "Ж",
    "RSA", "rsa", "XXX", "m", "w", "GM", "bye", "Swiss", "FIDE_DUTCH", "TRF26", "TRF 2025 sample", "NRS", "001", "013",
])  # fmt: skip
TEXTS = st.lists(_PIECES, max_size=6).map("".join)
_TAGS = st.sampled_from(
    [*sorted(TEXT_TAGS | COLUMN_TAGS | KEPT_TAGS), "###", "XXR", "XXC", "XXZ", "BBW", "RSA", "ZIM", "999", "%"]
)
_RECORDS = st.tuples(_TAGS, TEXTS).map(lambda record: f"{record[0]} {record[1]}")
_CELLS = st.sampled_from(["  0000 - " + sign for sign in "HFZU+-=10 "] + [" " * 10, "     - H"])


@st.composite
def _players(draw: st.DrawFn) -> str:
    """A player's line without its tag and number, most of whose columns are right."""
    sex, title = draw(st.sampled_from(["m", "w", " "])), draw(st.sampled_from(["GM", "WCM", "", "g"]))
    name, rating = draw(TEXTS).replace("\t", ""), draw(st.sampled_from(["1500", "0", "", "9999"]))
    federation = draw(st.sampled_from(["RSA", "rsa", "ZIM", "", "XXX", "ßa"]))
    identifier = draw(st.sampled_from(["180000001", "14300001", "", "0", "0081", "A12", "123456789012"]))
    born = draw(st.sampled_from(["1990/05/17", "1990/00/00", "", "1990", "90/05/17", "2091/01/01"]))
    points, rank = draw(st.sampled_from(["1.0", "", "0.5", "99.5"])), draw(st.sampled_from(["1", "", "9999"]))
    games = "".join(draw(st.lists(_CELLS, max_size=4)))
    return f"{sex}{title:>3} {name:33.33} {rating:>4} {federation:3} {identifier:>11} {born:10} {points:>4} {rank:>4}{games}"


@st.composite
def _files(draw: st.DrawFn) -> list[str]:
    """Lines of a file, whose first two players have met."""
    players = [f"001 {number:4} {line}" for number, line in enumerate(draw(st.lists(_players(), max_size=3)), 3)]
    national = [f"RSA {number:4} {line}" for number, line in enumerate(draw(st.lists(_players(), max_size=3)), 1)]
    return draw(st.permutations([*draw(st.lists(_RECORDS, max_size=8)), *players, *national]))


_DETAILS = st.tuples(
    st.sampled_from(["name", "city", "federation", "start", "end", "arbiter", "deputies", "time control", "rounds"]),
    TEXTS,
)
_COLUMNS = st.sampled_from([
    "white_id", "black_id", "white_number", "white_born", "black_born", "white_federation", "date", "white_rating",
    "white_title", "black_sex", "black_fide_id", "black_region", "white_club", "board",
])  # fmt: skip
_RESULTS = st.sampled_from(["1-0", "0-1", "½-½", "1/2-1/2", "+:-", "-:+", "1:0", "0.5-0.5", "*", "1F-0F"])


@st.composite
def _tables(draw: st.DrawFn) -> str:
    """A table of results with details above it."""
    separator = draw(st.sampled_from(",;\t"))
    more = draw(st.lists(_COLUMNS, max_size=3, unique=True))
    rows = draw(
        st.lists(st.tuples(TEXTS, TEXTS, _RESULTS, *[st.just("") | TEXTS for _ in more]), min_size=1, max_size=4)
    )

    def line(cells):
        return separator.join('"' + cell.replace('"', '""') + '"' for cell in cells)

    games = [
        [str(number), f"A{number} {white}", f"B{number} {black}", *cells]
        for number, (white, black, *cells) in enumerate(rows, 1)
    ]
    heading = ["round", "white", "black", "result", *more]
    return "\n".join([*map(line, draw(st.lists(_DETAILS, max_size=5))), "", *map(line, [heading, *games])])


@given(_files(), st.sampled_from(["utf-8", "cp1252", "utf-8-sig"]))
@example(["### TRF 2025 sample", "013 Baobabs                              1    2"], "utf-8")
@example(["112 van der Merwe, Jan Piet;"], "utf-8")
def test_what_is_written_from_any_records_is_written_alike_when_it_was_read_back(records, coding):
    tournament(builders.two() + "\n".join(records).encode(coding, "ignore"))


@given(_tables())
@example('deputies,"van der Merwe, Jan Piet;"\n\nround,white,black,result\n1,"Nel, P","Zulu, T",1-0\n')
def test_what_is_written_from_any_table_is_written_alike_when_it_was_read_back(table):
    tournament(table.encode())
