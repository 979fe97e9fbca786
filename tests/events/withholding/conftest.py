from tests.events.registration.conftest import administrator, browser_of  # noqa: F401
