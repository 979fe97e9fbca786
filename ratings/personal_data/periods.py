"""Periods of retention in words."""

from collections.abc import Callable
from typing import Final

from django.utils.translation import ngettext

from accounts.models import RETENTION_LIMITS, Retention


def _days(count: int) -> str:
    return ngettext("%(count)s day", "%(count)s days", count) % {"count": count}


def _months(count: int) -> str:
    return ngettext("%(count)s month", "%(count)s months", count) % {"count": count}


def _years(count: int) -> str:
    return ngettext("%(count)s year", "%(count)s years", count) % {"count": count}


_UNITS: Final[dict[str, Callable[[int], str]]] = {"days": _days, "months": _months, "years": _years}


def periods(rules: Retention) -> dict[str, str]:
    """Return each period in the reader's language, by its field: `mail_days` → “90 days”."""
    return {field: _UNITS[field.rpartition("_")[2]](getattr(rules, field)) for field in RETENTION_LIMITS}
