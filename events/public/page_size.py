"""How much of an event one page shows: with its crosstables, one of 9,998 players had 17 MB."""

from collections.abc import Iterable

from config.lib.shown_rows import MOST_SHOWN
from events.public.tables import SectionTable

# A player's lines take one to two kB, a round 60 bytes in the crosstable and 130 in the pairings: three MB together.
MOST_LINES = 1_500  # players of an event whose standings and crosstables are shown whole
MOST_CELLS = 16_500  # their rounds: those of as many players in eleven rounds
MOST_PAIRED = 5_000  # rounds of players up to which the pairings are shown, too


def fit_page(tables: Iterable[SectionTable]) -> None:
    """Cut the tables of an event to what its page shows; the tournament files and the API have all.

    Without the pairings of rounds if these are too many; of a still larger event the first MOST_SHOWN players of each section.
    """
    tables = list(tables)
    lines = sum(len(table.rows) for table in tables)
    cells = sum(len(table.rows) * len(table.rounds) for table in tables)
    for table in tables:
        if cells > MOST_PAIRED:
            table.pairings_left_out = bool(table.round_tables)
            table.round_tables = []
        if lines > MOST_LINES or cells > MOST_CELLS:
            table.more = max(0, len(table.rows) - MOST_SHOWN)
            table.rows = table.rows[:MOST_SHOWN]
