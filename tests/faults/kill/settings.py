"""Settings of a bureau whose processes die at a chosen moment (`tests.faults.kill.moment`), and whose clock only rescues."""

from config import services
from tests.faults.kill.moment import watch
from tests.settings import *  # noqa: F403
from tests.settings import CACHES as TESTS_CACHES
from tests.settings import CELERY_BEAT_SCHEDULE as EVERYTHING
from tests.settings import REDIS_URL, VAR_DIR

CACHES = {**TESTS_CACHES, "pages": services.page_cache(REDIS_URL)}  # the tests' own has none
# What the hour or the day starts would make a difference between two bureaus of which only one lived to see it.
CELERY_BEAT_SCHEDULE = {name: entry for name, entry in EVERYTHING.items() if isinstance(entry["schedule"], float)}
watch(VAR_DIR)
