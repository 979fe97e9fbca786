import pytest
from django.conf import settings as configured


@pytest.fixture(autouse=True)
def _static_files_by_their_own_names(settings):
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**configured.STORAGES, "staticfiles": plain}
