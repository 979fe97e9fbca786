"""Lists that officers bring in, whatever they bring: sent, read by a worker, confirmed, taken by a worker, undone."""
