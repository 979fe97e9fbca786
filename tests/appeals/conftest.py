from tests.registration.conftest import _static_files_by_their_own_names, administrator, browser_of  # noqa: F401
