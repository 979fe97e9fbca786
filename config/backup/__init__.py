"""Back-ups: all rows of the database and the kept keys in one file, which either database can be made from again."""
