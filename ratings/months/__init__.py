"""The month on the officers' desk: what is in it, what is missing, its run, and what is published."""
