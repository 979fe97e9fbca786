"""Readers of tournament files, from bytes to a `Tournament` value with findings, and the writer. No Django, no I/O."""
