"""A player's public page."""
