"""PostgreSQL as Django's database, without the rows that it quotes in its errors."""
