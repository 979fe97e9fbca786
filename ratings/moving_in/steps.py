"""What workers do with each kind of import job."""

from collections.abc import Mapping

from ratings.moving_in.jobs.worker import Steps

STEPS: Mapping[str, Steps] = {}
