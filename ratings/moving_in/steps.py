"""What workers do with each kind of import job."""

from collections.abc import Mapping

from ratings.models import ImportJob
from ratings.moving_in import fide_work
from ratings.moving_in.jobs.worker import Steps
from ratings.moving_in.register import work
from ratings.moving_in.standings.work import HISTORY, OPENING, TRIAL

STEPS: Mapping[str, Steps] = {
    ImportJob.Kind.REGISTER: work.STEPS,
    ImportJob.Kind.OPENING: OPENING,
    ImportJob.Kind.HISTORY: HISTORY,
    ImportJob.Kind.TRIAL: TRIAL,
    ImportJob.Kind.FIDE: fide_work.STEPS,
}
