"""How much a file may hold. Pure."""

MAX_BYTES = 5_000_000  # of a tournament file, and of an attachment
MOST_FILES = 20  # that are sent at once for the sections of an event
LARGEST = f"at most {MAX_BYTES // 1_000_000} MB"
MAX_LINES = 100_000
MAX_PLAYERS = 9999  # start numbers have four columns (TRF16, record 001)
MAX_ROUNDS = 142
MAX_RATING = 9999  # four columns (TRF16, record 001)
LONGEST_TEXT = 1000  # characters of what a file says of the tournament, as its name
MOST_DEPUTIES, MOST_TIME_CONTROLS, MOST_TIE_BREAKS = 100, 30, 30
MOST_RECORDS = 999  # of a kind, about the tournament or a team: a team's number has three columns (TRF26, record 310)
MAX_ROWS = 10_000  # lines of a table of results: those of a thousand players in twenty rounds
MOST_COLUMNS = 200  # of a table; those of a dozen are known
MOST_CELLS = 10 * MOST_COLUMNS  # of its line: spreadsheets add blank ones
MAX_CELLS = 100_000  # rounds of players in a TRF: those of five thousand players in twenty rounds


def size_in_mb(size: int) -> str:
    """Return a size in bytes above MAX_BYTES in MB, with as many decimals as show that it is above: `6.1`, `5.000001`."""
    texts = (f"{size / 1_000_000:.{decimals}f}" for decimals in range(1, 7))
    return next(text for text in texts if float(text) * 1_000_000 > MAX_BYTES)
