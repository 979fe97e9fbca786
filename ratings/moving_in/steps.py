"""What workers do with each kind of import job."""

from collections.abc import Mapping

from ratings.models import ImportJob
from ratings.moving_in.jobs.worker import Steps
from ratings.moving_in.register import work

STEPS: Mapping[str, Steps] = {ImportJob.Kind.REGISTER: work.STEPS}
