"""How much a tournament file may hold. Pure."""

MAX_BYTES = 5_000_000
MAX_LINES = 100_000
MAX_PLAYERS = 9999  # start numbers have four columns (TRF16, record 001)
MAX_ROUNDS = 142
MAX_ROWS = 20_000  # lines of a table of results: more than a thousand players in twenty rounds need
