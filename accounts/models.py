"""Users of the bureau."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models

LONGEST_ADDRESS = 254
# Django's own check lets some letters pass that only look like a Latin one when capitals are not told apart.
plain_letters = RegexValidator(r"\A[\x21-\x7e]*\Z", "Write the address in plain Latin letters, without accents.")


class UserManager(BaseUserManager["User"]):
    """Users are made with an e-mail address instead of a user name."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A user with this address; without a password he cannot log in until he sets one."""
        if not email:
            raise ValueError("a user needs an e-mail address")
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """In small letters: an address is one user's, however it is typed."""
        return super().normalize_email(email).lower()

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user with this address, as the log-in asks for him."""
        return super().get_by_natural_key(self.normalize_email(username))

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A user who may do everything, the users themselves included."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractUser):
    """Somebody who logs in, by e-mail address. What he may do follows from his roles: `accounts.permissions`."""

    username = None  # type: ignore[assignment]
    email = models.EmailField("e-mail address", unique=True, validators=[plain_letters])
    is_officer = models.BooleanField("ratings officer", default=False)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    @property
    def of_bureau(self) -> bool:
        """Whether he decides for the bureau: an officer or a superuser."""
        return self.is_officer or self.is_superuser

    def __str__(self) -> str:
        return self.email


class MailRequest(models.Model):
    """That somebody asked for a mail, kept for an hour to limit how many. The address is not readable."""

    address = models.CharField(max_length=64)
    origin = models.CharField(max_length=45)
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.origin} at {self.at}"
