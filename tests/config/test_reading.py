"""What takes long reads as of one moment and keeps nobody from writing; a piece of work is done by one."""

import pytest

from tests.faults.bureau import KINDS, Bureau

READS = """
from datetime import timedelta
from subprocess import run
import sys
from django.utils import timezone
from accounts.models import Retention
from config.lib.database import reading, work_lock
WRITES = "import django; django.setup()\\nfrom accounts.models import Retention\\nRetention.objects.update(mail_days=77)"
LOCKS = "import django; django.setup()\\nfrom config.lib.database import work_lock\\nwith work_lock('x') as ours: print(ours)"

def other(code):
    return run([sys.executable, "-c", code], capture_output=True, text=True, timeout=15, check=True).stdout.strip()

with reading():
    before = Retention.objects.get().mail_days
    other(WRITES)
    print(Retention.objects.get().mail_days == before != 77)
print(Retention.objects.get().mail_days == 77)
Retention.objects.update(mail_days=78)
with work_lock("x") as ours:
    print(ours, other(LOCKS), other(LOCKS.replace("'x'", "'y'")))
print(other(LOCKS))
"""


@pytest.mark.parametrize("kind", KINDS)
def test_others_write_meanwhile_and_what_is_read_stays(kind, tmp_path):
    bureau = Bureau(kind, tmp_path / "bureau")
    try:
        assert bureau.python(READS).split() == ["True", "True", "True", "False", "True", "True"]
    finally:
        bureau.close()
