"""Tests of merged players."""
