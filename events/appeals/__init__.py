"""Refusals, appeals and requests for permission (articles 11, 18)."""
