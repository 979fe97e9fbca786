"""The site's settings, with a page of nothing."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.page_urls"
