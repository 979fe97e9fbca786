"""Tokens: what a program sends instead of its user's password, limited in what it may do and for how long."""
