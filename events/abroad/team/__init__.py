"""A whole team’s results from abroad on one form: the event once, a row for each player (article 10)."""
