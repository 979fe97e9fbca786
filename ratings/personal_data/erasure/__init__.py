"""Erasure of a person's data: his name becomes a pseudonym, his results stay."""
