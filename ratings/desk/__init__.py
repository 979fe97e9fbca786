"""The first page of the desk: what waits for an officer or the appeals panel, and how far the month is."""
