"""What the desk has for each kind of import."""

from collections.abc import Mapping

from ratings.models import ImportJob
from ratings.moving_in import fide_desk
from ratings.moving_in.jobs.desk import Desk
from ratings.moving_in.register.desk import DESK
from ratings.moving_in.standings.desk import HISTORY, OPENING, TRIAL

DESKS: Mapping[str, Desk] = {
    ImportJob.Kind.REGISTER: DESK,
    ImportJob.Kind.OPENING: OPENING,
    ImportJob.Kind.HISTORY: HISTORY,
    ImportJob.Kind.TRIAL: TRIAL,
    ImportJob.Kind.FIDE: fide_desk.DESK,
}
