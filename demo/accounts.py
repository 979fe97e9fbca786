"""The accounts of the demonstration. Hazard: their passwords are public; never load them into a database in real use."""

from typing import NamedTuple


class Account(NamedTuple):
    """A user of the demonstration."""

    role: str
    email: str
    password: str


def accounts() -> tuple[Account, ...]:
    """Return the users, one for each role."""
    return tuple(
        Account(role, f"{name}@example.org", f"{name}-of-the-demonstration")
        for role, name in (
            ("Ratings officer", "officer"),
            ("Regional Administrator of Gauteng", "administrator"),
            ("Arbiter", "arbiter"),
            ("Appeals panel", "panel"),
            ("Superuser", "superuser"),
        )
    )
