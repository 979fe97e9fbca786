"""Merging two players: what goes from the one to the other, and back."""
