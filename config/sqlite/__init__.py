"""SQLite as Django's database, which is never asked what it can do."""
