"""The register of players from a list: read and compared, confirmed, taken, undone."""
