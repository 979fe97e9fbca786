"""Operations that keep nothing: rating cases and the check of a tournament file."""
