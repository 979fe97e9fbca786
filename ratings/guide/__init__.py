"""How it works: the regulations in plain words, the four systems, a glossary, and where the figures come from."""
