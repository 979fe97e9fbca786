"""The review of an event on one page of the officers' desk: its evidence, and the decisions on it."""
