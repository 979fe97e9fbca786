"""Reads SwissPerfect's exports: a zip of a tournament's `.ini` (settings), `.trn` (players) and `.sco` (results)."""
