from pathlib import Path

from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure() -> None:
    """The middleware that serves static files would look through them all for every new test client, 50 ms each time."""
    settings.WHITENOISE_AUTOREFRESH = True
