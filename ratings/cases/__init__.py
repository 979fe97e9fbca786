"""Rating cases: one JSON form for all systems, read with a message that names the place. Pure."""
