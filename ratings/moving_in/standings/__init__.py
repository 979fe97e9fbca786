"""Standings on the desk: opening balance, lists of a former bureau, trial month."""
