"""Personal data: what is kept of whom, why, how long and who sees it."""
