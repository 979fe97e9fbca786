"""The site's settings for its tests, and for the processes that the tests start."""

import os
from pathlib import Path

from tests import prepared

prepared.begin()
# Nothing of the site's own data is touched.
os.environ.setdefault("VAR_DIR", str(Path(os.environ[prepared.FOLDER], "var")))
# The tests ask more often than a program may; those of the limit set their own.
os.environ.setdefault("API_REQUESTS_A_MINUTE", "900000")
os.environ.setdefault("API_TOKEN_REQUESTS_A_MINUTE", "900000")

from config.settings import *  # noqa: E402, F403

# Pages are rendered each time; the tests of their cache use it.
CACHES = {**CACHES, "pages": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}  # noqa: F405

PASSWORD_HASHERS = ["tests.hasher.QuickHasher"]
