"""With a token: one's own events, the files of their sections, and sending them in."""
