"""The demonstration federation: invented people who play invented events, written through the bureau's own operations."""
