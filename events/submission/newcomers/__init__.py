"""The table of a file's players who are not known for certain: who they are, and what the file does not say of new ones."""
