"""Moving in: the standings that a federation brings with it, former published lists, and the trial month."""
