import pytest
from django.conf import settings as configured


@pytest.fixture(autouse=True)
def _static_files_by_their_own_names(settings):
    """Pages name their style sheets without the fingerprints that `collectstatic` gives them."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**configured.STORAGES, "staticfiles": plain}


@pytest.fixture
def queries(django_assert_num_queries, client):
    """Ask for a page and hold the number of its queries."""

    def ask(address: str, expected: int):
        with django_assert_num_queries(expected):
            response = client.get(address)
        assert response.status_code == 200
        return response

    return ask
