"""What the desk has for each kind of import."""

from collections.abc import Mapping

from ratings.moving_in.jobs.desk import Desk

DESKS: Mapping[str, Desk] = {}
