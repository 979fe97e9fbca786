"""Settings of a bureau that is used for a while: the tests' own, with the cache of rendered pages."""

from config import services
from tests.settings import *  # noqa: F403
from tests.settings import CACHES as TESTS_CACHES
from tests.settings import REDIS_URL

CACHES = {**TESTS_CACHES, "pages": services.page_cache(REDIS_URL)}
