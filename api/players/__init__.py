"""Players, regions and provinces."""
