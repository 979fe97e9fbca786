"""Processes killed at seeded moments of the bureau's work: `script/kill`, and a short form in the suite."""
