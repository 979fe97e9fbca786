"""Whether the bureau works: database, queue, workers, beat and disk, and what waits for them."""
