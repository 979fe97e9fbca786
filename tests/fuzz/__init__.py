"""Readers against bytes that nobody meant: a short form in the suite, a long one by `script/fuzz`."""
