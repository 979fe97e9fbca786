"""The rating systems. Pure: no Django, no I/O, no rounding but where the rules round."""
