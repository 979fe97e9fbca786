"""The readings of the regulations that officers choose on the desk."""
