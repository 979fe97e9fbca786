"""Sending in the results of an event: upload, checks, corrections, declaration (articles 57, 61)."""
