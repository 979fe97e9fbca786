"""Rating lists: their definitions and the published ones."""
