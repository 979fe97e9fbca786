"""Results from abroad, sent in by the player or the team manager (articles 10, 43–46)."""
