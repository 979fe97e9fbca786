"""What would keep a played event from being rated: withdrawing it, and keeping its results back (article 57.3)."""
