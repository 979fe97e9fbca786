"""Typing a small section's results into a crosstable."""
