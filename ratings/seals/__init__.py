"""The hash chain of the published lists: each is sealed, and what was changed by hand is found (`manage.py verify`)."""
