"""Registering an event before its deadline (articles 13, 57, 60, 62)."""
