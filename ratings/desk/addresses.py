"""Where on the desk something is decided."""

from django.urls import reverse


def review_address(event: int) -> str:
    """Return the address of the page on which an event is looked at and decided."""
    return reverse("admin:events_event_review", args=[event])


def page_address(model: str, key: int) -> str:
    """Return the address of a row's page in the admin. `model`: as `events_appeal`."""
    return reverse(f"admin:{model}_change", args=[key])


def begin_pattern() -> str:
    """Return the address that opens the first row of a tray, with `{}` in the place of the tray's code."""
    return reverse("begin-tray", args=["TRAY"]).replace("TRAY", "{}")


def list_address(model: str, query: str = "") -> str:
    """Return the address of a list in the admin, with the query of its filters."""
    address = reverse(f"admin:{model}_changelist")
    return f"{address}?{query}" if query else address
