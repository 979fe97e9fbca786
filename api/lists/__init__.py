"""Published lists and their months."""
