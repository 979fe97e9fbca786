"""Who can log in to the demonstration. Their passwords are public: they are for a demonstration and for nothing else."""

from typing import NamedTuple


class Account(NamedTuple):
    """A user of the demonstration."""

    role: str
    email: str
    password: str


def accounts() -> tuple[Account, ...]:
    """The four users, one a role."""
    return tuple(
        Account(role, f"{name}@example.org", f"{name}-of-the-demonstration")
        for role, name in (
            ("Ratings officer", "officer"),
            ("Regional Administrator of Gauteng", "administrator"),
            ("Arbiter", "arbiter"),
            ("Superuser", "superuser"),
        )
    )
