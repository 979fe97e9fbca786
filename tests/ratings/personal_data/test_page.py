"""The public page about personal data tells what the settings say."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import RETENTION_LIMITS, Decision, Retention
from accounts.retention.queries import retention
from events.models import Readings
from tests.builders import officer

pytestmark = pytest.mark.django_db


def page(client, **headers):
    return client.get("/privacy/", headers=headers).content.decode()


def test_the_page_has_the_periods_of_the_settings(client):
    Retention.objects.update(mail_days=33, login_days=1, file_years=7, contact="privacy@example.org")
    text = page(client)
    assert "33 days after they were sent" in text
    assert "1 day;" in text
    assert "7 years after the month was published" in text
    assert 'href="mailto:privacy@example.org"' in text


def test_without_an_address_one_writes_to_the_federation(client):
    assert "mailto:" not in page(client)
    assert "Write to Chess South Africa" in page(client)


@pytest.mark.parametrize("contact", ["", "privacy@example.org"])
def test_the_desk_says_while_there_is_no_address(client, contact):
    Retention.objects.update(contact=contact)
    client.force_login(officer())
    text = client.get("/admin/accounts/retention/", follow=True).content.decode()
    assert ("No address is set" in text) is not bool(contact)


def test_the_page_tells_when_files_have_whole_birth_dates(client):
    words = "have the whole date"
    assert words not in page(client)
    Readings.objects.update(whole_birth_dates=True)
    assert words in page(client)


def test_every_page_leads_to_it_and_it_speaks_afrikaans(client):
    assert 'href="/privacy/"' in client.get("/").content.decode()
    assert "Persoonlike data" in page(client, accept_language="af")


@pytest.mark.parametrize("field", sorted(RETENTION_LIMITS))
def test_a_period_outside_its_limits_is_refused_by_the_page_and_by_the_table(client, field):
    client.force_login(officer())
    least, most = RETENTION_LIMITS[field]
    form = {name: getattr(retention(), name) for name in RETENTION_LIMITS} | {"contact": "", "reason_for_change": "law"}
    address = f"/admin/accounts/retention/{retention().pk}/change/"
    form["seen_version"] = ""
    for wrong in (least - 1, most + 1):
        client.post(address, form | {field: wrong})
        assert getattr(retention(), field) not in (least - 1, most + 1)
        with pytest.raises(IntegrityError), transaction.atomic():
            Retention.objects.update(**{field: wrong})
    for right in (least, most):
        answer = client.post(address, form | {field: right})
        assert answer.status_code == 302, answer.context["adminform"].errors
        assert getattr(retention(), field) == right
    assert Decision.objects.filter(subject=f"accounts.retention {retention().pk}").first().reason == "law"
