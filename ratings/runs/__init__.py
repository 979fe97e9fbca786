"""The monthly run: from the events of a period to the figures of a snapshot."""
