"""The conformance table: every rule of the four rating systems, where it lives in the code, and which tests show it.

`python -m tests.conformance` writes docs/conformance.md. Nothing is run for it: rules are data (`rules/*.toml`), places and
tests are read from the sources.
"""
