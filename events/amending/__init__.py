"""Amending the rated content of sections that are published (articles 63, 64)."""
