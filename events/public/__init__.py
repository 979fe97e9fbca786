"""The public pages of events."""
