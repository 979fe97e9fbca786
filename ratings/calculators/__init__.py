"""Calculators: anybody's own games through the four rating systems, by the very code that rates."""
