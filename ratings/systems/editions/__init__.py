"""The figures of every regulation, by edition, each with its source. They stand nowhere else."""
