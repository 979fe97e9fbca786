"""Moving in: what a federation brings with it."""
