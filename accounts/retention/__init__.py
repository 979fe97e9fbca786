"""How long personal data is kept that no rating needs."""
