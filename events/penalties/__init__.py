"""Penalties for forfeits and withdrawals (articles 51–54)."""
