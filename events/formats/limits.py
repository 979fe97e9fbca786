"""How much a tournament file may hold. Pure."""

MAX_BYTES = 5_000_000
MAX_LINES = 100_000
MAX_PLAYERS = 9999  # start numbers have four columns (TRF16, record 001)
MAX_ROUNDS = 142
