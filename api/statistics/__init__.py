"""Statistics of the published lists."""
