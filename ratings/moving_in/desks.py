"""What the desk has for each kind of import."""

from collections.abc import Mapping

from ratings.models import ImportJob
from ratings.moving_in.jobs.desk import Desk
from ratings.moving_in.register.desk import DESK

DESKS: Mapping[str, Desk] = {ImportJob.Kind.REGISTER: DESK}
