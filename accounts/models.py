"""Users of the bureau."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

LONGEST_ADDRESS = 254
# Django's own check accepts letters that become a Latin one when lowered, such as the Kelvin sign.
plain_letters = RegexValidator(
    r"\A[\x21-\x7e]*\Z", gettext_lazy("Write the address in plain Latin letters, without accents.")
)


class UserManager(BaseUserManager["User"]):
    """Creates users by e-mail address instead of a user name."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a user; without a password the user cannot log in until one is set. ValueError if `email` is empty."""
        if not email:
            raise ValueError("a user needs an e-mail address")
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """Return the address in lower case: capitals do not make another user."""
        return super().normalize_email(email).lower()

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the user with this address; the log-in calls it. Raises User.DoesNotExist."""
        return super().get_by_natural_key(self.normalize_email(username))

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a user who edits users."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractUser):
    """A person who logs in by e-mail address. The rights follow from the roles: `accounts.permissions`."""

    ERASABLE = True  # so that the trail asks for the name anew
    username = None  # type: ignore[assignment]
    email = models.EmailField("e-mail address", unique=True, validators=[plain_letters])
    is_officer = models.BooleanField("ratings officer", default=False)
    is_panel = models.BooleanField(
        "member of the appeals panel", default=False, help_text="Answers appeals (article 11); never an officer, too."
    )

    week_mail = models.BooleanField("asks for the week at a glance", default=False)
    event_mail = models.BooleanField("asks for a mail at each event that is sent in", default=False)
    erased_at = models.DateTimeField("name and address erased at", null=True, editable=False)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                condition=Q(is_panel=False) | Q(is_officer=False, is_superuser=False),
                name="user_of_panel_not_of_bureau",
                violation_error_message=(
                    "A member of the appeals panel is neither a ratings officer nor a superuser: whoever refuses an event"
                    " does not decide the appeal (article 11)."
                ),
            )
        ]

    def check_password(self, raw_password: str | None) -> bool:
        """Return whether a password is the user's, and hash it anew if it was kept by an older way: not over another one that
        was set meanwhile, as Django would."""

        def hash_anew(password: str) -> None:
            known = self.password
            self.set_password(password)
            self._password = None
            User.objects.filter(pk=self.pk, password=known).update(password=self.password)

        return raw_password is not None and check_password(raw_password, self.password, hash_anew)

    def has_perm(self, perm: str, obj: models.Model | AnonymousUser | None = None) -> bool:
        """Return whether one of the user's roles has the right `app.action_model`. Django would grant a superuser every one."""
        return perm in self.get_all_permissions()

    def has_module_perms(self, app_label: str) -> bool:
        """Return whether one of the user's roles has any right in an application."""
        return any(right.startswith(f"{app_label}.") for right in self.get_all_permissions())

    def __str__(self) -> str:
        return self.email


class MailRequest(models.Model):
    """A mail that was asked for, stored for an hour to limit their number. `address` is a keyed hash."""

    address = models.CharField(max_length=64)
    origin = models.CharField(max_length=45)
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.origin} at {self.at}"


class Mail(models.Model):
    """A mail of the bureau to one address: it waits to be sent, was sent, or was given up (`accounts.outbox`).

    `text` has a mark in the place of each secret link; `links`: mark → address, until the mail is sent or `links_until`.
    `lookup`: by which function the worker looks up, from `facts`, whether and what is sent; empty once that is known.
    `about`: key of the row that it tells of, as `accounts.trail.operations.key_of` gives it. `next_at`: not before when the
    next attempt is made; while a worker sends it, when it counts as lost.
    """

    class State(models.TextChoices):
        """How far it is."""

        WAITING = "waiting", "waiting"
        SENT = "sent", "sent"
        FAILED = "failed", "failed"

    kind = models.CharField(max_length=60)
    to = models.EmailField(max_length=LONGEST_ADDRESS)
    subject = models.CharField(max_length=500, blank=True)
    text = models.TextField(blank=True)
    secret = models.BooleanField(default=False)
    links = models.JSONField(default=dict, blank=True)
    links_until = models.DateTimeField(null=True)
    lookup = models.CharField(max_length=60, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    about = models.CharField(max_length=100, blank=True)
    about_name = models.CharField("about", max_length=300, blank=True)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField("next attempt", null=True)
    last_error = models.TextField("what went wrong", blank=True)
    created_at = models.DateTimeField("written", db_index=True)
    sent_at = models.DateTimeField("sent", null=True)
    again_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="again")

    class Meta:
        ordering = ["-created_at", "-pk"]
        default_permissions = ("view",)
        indexes = [models.Index("next_at", condition=Q(state="waiting"), name="mail_waiting")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", next_at__isnull=False, sent_at__isnull=True)
                | Q(state="sent", next_at__isnull=True, sent_at__isnull=False)
                | Q(state="failed", next_at__isnull=True, sent_at__isnull=True),
                name="mail_state_has_its_moment",
            ),
            models.CheckConstraint(
                condition=Q(secret=False) | Q(links_until__isnull=False),
                name="mail_links_expire",
            ),
        ]

    def __str__(self) -> str:
        # Without the address, which would stay on the trail.
        return self.subject or self.kind


class WeekMail(models.Model):
    """The week at a glance that was mailed to a user: one for each week. `week`: the year and week of ISO 8601, `2024-W13`."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="week_mails")
    week = models.CharField(max_length=8)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["user", "week"], name="week_mail_once")]

    def __str__(self) -> str:
        return f"week {self.week}"


class Decision(models.Model):
    """A decision or a correction: who, as what, when, on what, what stood before and after, and why.

    Written by `accounts.trail.operations.record` only; the database refuses to change or delete a row (`trail.triggers`).
    `actor_name` and `actor_role` are those of the moment. `subject` and `part_of` are keys of rows as `key_of` gives them:
    the row that was decided on, and the event or other row on whose page it belongs. `before`, `after`: label → text.
    """

    at = models.DateTimeField("time", db_index=True)
    actor = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="decisions")
    actor_name = models.CharField("who", max_length=600)
    actor_role = models.CharField("as", max_length=60)
    action = models.CharField(max_length=60, db_index=True)
    subject = models.CharField(max_length=100, db_index=True)
    subject_name = models.CharField("on what", max_length=300)
    part_of = models.CharField(max_length=100, blank=True, db_index=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.subject_name}: {self.action}"


class Token(models.Model):
    """What a program of a user's sends instead of a password (`accounts.tokens`). Its secret is kept hashed only.

    `scopes`: what it may do, with blanks between; `last_day`: the last day on which it is taken.
    """

    class Scope(models.TextChoices):
        """What a token may do of that which its user may."""

        SUBMIT = "submit", gettext_lazy("send in files and submit events")
        READ_OWN = "read:own", gettext_lazy("read what only its user sees")

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.CharField("may", max_length=60)
    created_at = models.DateTimeField("made")
    last_day = models.DateField()
    last_used_at = models.DateTimeField("last used", null=True)
    withdrawn_at = models.DateTimeField("withdrawn", null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(
                fields=["user", "name"], condition=Q(withdrawn_at__isnull=True), name="token_of_a_name_once"
            )
        ]

    def __str__(self) -> str:
        return f"token “{self.name}”"

    def may(self, scope: Scope) -> bool:
        """Return whether the token has a scope."""
        return scope.value in self.scopes.split()


# Field → the least and the most that may be set, in the unit of its name.
RETENTION_LIMITS = {
    "mail_days": (7, 730),
    "login_days": (1, 365),
    "draft_months": (1, 24),
    "file_years": (2, 30),
    "report_months": (6, 120),
    "import_months": (1, 120),
    "account_years": (1, 30),
}


def _kept(name: str, field: str, default: int, help_text: str) -> "models.PositiveSmallIntegerField[Any, Any]":
    least, most = RETENTION_LIMITS[field]
    return models.PositiveSmallIntegerField(
        name,
        default=default,
        validators=[MinValueValidator(least), MaxValueValidator(most)],
        help_text=f"{help_text} From {least} to {most}.",
    )


class Retention(models.Model):
    """How long personal data is kept that no rating needs, and who answers questions about it.

    The table has one row, which its migration adds; read it by `accounts.retention.queries.retention`.
    """

    contact = models.EmailField(
        "address for questions about personal data",
        max_length=LONGEST_ADDRESS,
        blank=True,
        help_text="Public, on the page about personal data: whoever wants to see or to have erased what is kept writes there.",
    )
    mail_days = _kept("mails, days", "mail_days", 90, "After they were sent or given up.")
    login_days = _kept("failed log-ins, days", "login_days", 30, "The address that was typed, and the network.")
    draft_months = _kept("files never sent in, months", "draft_months", 3, "After they were last worked on.")
    file_years = _kept(
        "files sent in, years",
        "file_years",
        5,
        "After their month was published. Entries and games stay; what the checks found goes.",
    )
    report_months = _kept(
        "names and addresses of who wrote to the bureau, months", "report_months", 24, "After the answer."
    )
    import_months = _kept(
        "lines of lists brought in, months", "import_months", 12, "After the list was taken in or given up."
    )
    account_years = _kept(
        "closed accounts, years", "account_years", 3, "Then name and address are erased. Decisions stay."
    )

    class Meta:
        verbose_name = verbose_name_plural = "personal data"
        default_permissions = ("view", "change")
        constraints = [
            models.CheckConstraint(condition=Q(pk=1), name="retention_has_one_row"),
            *(
                models.CheckConstraint(condition=Q(**{f"{field}__range": limits}), name=f"retention_{field}_plausible")
                for field, limits in RETENTION_LIMITS.items()
            ),
        ]

    def __str__(self) -> str:
        return "Periods and contact"
