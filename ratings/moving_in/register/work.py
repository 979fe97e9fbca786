"""What workers do with a list of players."""

from ratings.moving_in.jobs.operations import State
from ratings.moving_in.jobs.worker import Steps
from ratings.moving_in.register.reading import compare, read
from ratings.moving_in.register.taking import take
from ratings.moving_in.register.undoing import undo

STEPS: Steps = {State.READING: read, State.COMPARING: compare, State.TAKING: take, State.UNDOING: undo}
