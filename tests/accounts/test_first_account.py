"""The first account of an empty bureau, which `serve --empty` opens."""

import pytest

from accounts.models import Decision, User
from accounts.operations import AccountError, open_first_account
from demo.build import is_empty
from tests.builders import CLOCK

pytestmark = pytest.mark.django_db


def test_it_is_an_officer_and_superuser_and_there_is_one():
    user = open_first_account("Chief@example.org", "mopane-mopane", at=CLOCK)
    assert (user.email, user.is_officer, user.is_superuser, user.is_staff) == ("chief@example.org", True, True, True)
    assert user.check_password("mopane-mopane")
    assert Decision.objects.get().action == "account opened"
    assert open_first_account("other@example.org", "mopane-mopane", at=CLOCK) is None
    assert User.objects.count() == 1


def test_what_is_no_address_opens_nothing():
    with pytest.raises(AccountError, match="chief: Enter a valid email address"):
        open_first_account("chief", "mopane-mopane", at=CLOCK)
    assert not User.objects.exists()


def test_a_bureau_that_has_begun_gets_no_demonstration():
    open_first_account("chief@example.org", "mopane-mopane", at=CLOCK)
    assert not is_empty()
