"""Players, titles, regions with their administrators, provinces."""

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from simple_history.models import HistoricalRecords

from config.lib import formatting
from config.lib.days import BIRTH_YEARS
from players.identity import CHESS_SA_DIGITS, CHESS_SA_ID, LONGEST_FOLDED
from players.pseudonyms import PSEUDONYM

nine_digits = RegexValidator(f"^{CHESS_SA_ID}$", "A player's number has nine digits.")


class Province(models.Model):
    """One of the nine provinces (article 4.3)."""

    code = models.CharField(max_length=3, unique=True)
    name = models.CharField(max_length=60, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Region(models.Model):
    """A region within a province (article 4.4), a provincial body, or a body that hosts national events."""

    code = models.CharField(max_length=3, unique=True, validators=[RegexValidator(r"^[A-Z]{3}$", "Three capitals.")])
    name = models.CharField(max_length=60)
    province = models.ForeignKey(Province, null=True, blank=True, on_delete=models.PROTECT, related_name="regions")
    provincial = models.BooleanField(
        "provincial body",
        default=False,
        help_text="Its administrator acts for every region of the province, too (article 62.3).",
    )
    rules_url = models.URLField(
        "rules of its own", blank=True, help_text="Where they are published; they do not contradict these (article 59)."
    )
    rules_approved = models.DateField("approved on", null=True, blank=True, help_text="By the council of the region.")

    class Meta:
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(
                condition=Q(rules_url="", rules_approved__isnull=True)
                | (~Q(rules_url="") & Q(rules_approved__isnull=False)),
                name="region_rules_with_their_day",
                violation_error_message="Rules of its own have both: where they are published, and the day of approval.",
            ),
            models.CheckConstraint(
                condition=Q(provincial=False) | Q(province__isnull=False),
                name="provincial_body_of_a_province",
                violation_error_message="A provincial body has its province: choose that, too.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.name}"


class RegionalAdministrator(models.Model):
    """A user's term as administrator of a region's events (articles 57, 58)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="administrations")
    region = models.ForeignKey(Region, on_delete=models.PROTECT, related_name="administrators")
    since = models.DateField()
    until = models.DateField(null=True, blank=True, help_text="The first day no longer in office.")
    history = HistoricalRecords()

    class Meta:
        ordering = ["-since", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["region"], condition=Q(until__isnull=True), name="one_administrator_in_office_a_region"
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="administration_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} for {self.region}"


class Title(models.Model):
    """A title that FIDE awards; `position` orders them, highest first."""

    code = models.CharField(max_length=3, primary_key=True)
    name = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField(unique=True)

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.code


# What of a player is shown to those alone who keep his line: days (the public reads the years), and all of it.
DAYS = ("birth_date", "died_on")
PRIVATE = (*DAYS, "email")


class Player(models.Model):
    """A player on the bureau's register. Birth date and e-mail address are never shown in public."""

    ERASABLE = True  # so that the trail asks for the name anew
    number = models.CharField("Chess SA id", max_length=CHESS_SA_DIGITS, unique=True, validators=[nine_digits])
    fide_id = models.PositiveBigIntegerField("FIDE id", null=True, blank=True, unique=True)
    last_name = models.CharField(max_length=80)
    first_name = models.CharField(max_length=80, blank=True)
    folded_name = models.CharField(max_length=LONGEST_FOLDED, editable=False, db_index=True)
    birth_date = models.DateField(null=True, blank=True)
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    died_on = models.DateField(
        "died on",
        null=True,
        blank=True,
        help_text="Lists that count from a later day leave the player out. Public is the year alone.",
    )
    hidden_since = models.DateField(
        "hidden since",
        null=True,
        blank=True,
        help_text=(
            "At the player’s own wish, or that of a child’s parents: public pages say “Hidden player” in his place, without"
            " number, and show no page of his; blank it to show him again. Files of published months that were made before"
            " stay as they are."
        ),
    )
    sex = models.CharField(max_length=1, blank=True, choices=[("M", "male"), ("F", "female")])
    title = models.ForeignKey(Title, null=True, blank=True, on_delete=models.PROTECT)
    region = models.ForeignKey(Region, null=True, blank=True, on_delete=models.PROTECT, related_name="players")
    federation = models.CharField(
        max_length=3, default="RSA", validators=[RegexValidator("^[A-Z]{3}$", "Three capitals, as RSA.")]
    )
    club = models.CharField(max_length=80, blank=True)
    email = models.EmailField(
        "e-mail address",
        max_length=254,
        blank=True,
        help_text="Of the player, a parent or the team manager. Links for results from abroad go only there. Never public.",
    )
    registered_at = models.DateTimeField()
    erased_at = models.DateTimeField(
        "erased at", null=True, editable=False, help_text="When his data was erased; his name is a pseudonym since."
    )
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="merged",
        help_text="The player whom his number leads to, who is not merged himself. Not on the register any more.",
    )
    history = HistoricalRecords()

    class Meta:
        ordering = ["last_name", "first_name", "number"]
        constraints = [
            models.CheckConstraint(condition=~Q(merged_into=F("pk")), name="player_merged_into_another"),
            models.CheckConstraint(condition=Q(number__regex=f"^{CHESS_SA_ID}$"), name="player_number_has_nine_digits"),
            models.CheckConstraint(condition=Q(sex__in=["", "M", "F"]), name="player_sex_known_or_blank"),
            models.CheckConstraint(
                condition=Q(birth_year__isnull=True) | Q(birth_year__range=BIRTH_YEARS),
                name="player_birth_year_plausible",
                violation_error_message="The year of birth is one from 1880 to 2100.",
            ),
            models.CheckConstraint(
                condition=Q(birth_date__isnull=True) | Q(birth_date__year=F("birth_year")),
                name="player_birth_year_agrees",
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True)
                | Q(
                    last_name__regex=PSEUDONYM,
                    first_name="",
                    fide_id__isnull=True,
                    birth_date__isnull=True,
                    sex="",
                    club="",
                    email="",
                    hidden_since__isnull=False,
                ),
                name="player_erased_has_a_pseudonym_alone",
                violation_error_message="The player’s data was erased: he has a pseudonym alone.",
            ),
            models.CheckConstraint(
                condition=Q(died_on__isnull=True) | Q(birth_year__isnull=True) | Q(died_on__year__gte=F("birth_year")),
                name="player_died_after_birth",
                violation_error_message="The day of death lies before the birth: correct one of them.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.number})"

    @property
    def died_in(self) -> int | None:
        """The year of death, which is public; None for the living."""
        return self.died_on.year if self.died_on else None

    @property
    def name(self) -> str:
        """First name first, as pages show it."""
        return f"{self.first_name} {self.last_name}".strip()


class RegisterImport(models.Model):
    """A list of players that was taken into the register. The players' histories name it as reason of the change."""

    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    filename = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    new = models.PositiveIntegerField()
    changed = models.PositiveIntegerField()
    unchanged = models.PositiveIntegerField()
    left_out = models.PositiveIntegerField()
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"register import {self.pk}"


class FideList(models.Model):
    """A rating list of FIDE's that was taken, with what it changed on the register.

    `kinds`: letters of `FideRating.Kind` that it holds; `dropped_at`: when an older list was taken in its stead.
    """

    month = models.DateField(help_text="The first day of the month whose list it is.")
    kinds = models.CharField(max_length=3)
    at = models.DateTimeField("taken at")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    filename = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    listed = models.PositiveIntegerField("players on the list", default=0)
    new = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    gone = models.PositiveIntegerField(default=0)
    questions = models.PositiveIntegerField(default=0)
    dropped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = "FIDE list"
        constraints = [models.CheckConstraint(condition=Q(month__day=1), name="fide_list_of_a_month")]

    def __str__(self) -> str:
        return f"FIDE list of {formatting.month(self.month)}"


class FideRating(models.Model):
    """A player's rating on the latest list of FIDE's, apart from the national ratings. Who is unrated there has no row."""

    class Kind(models.TextChoices):
        """The kinds of FIDE's ratings."""

        STANDARD = "S", "standard"
        RAPID = "R", "rapid"
        BLITZ = "B", "blitz"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="fide_ratings")
    kind = models.CharField(max_length=1, choices=Kind.choices)
    rating = models.PositiveSmallIntegerField()
    k = models.PositiveSmallIntegerField(null=True, blank=True)
    games = models.PositiveSmallIntegerField(null=True, blank=True, help_text="In the month before the list.")
    inactive = models.BooleanField(null=True, blank=True, help_text="Unknown if the list does not say it of the kind.")
    list = models.ForeignKey(FideList, on_delete=models.PROTECT, related_name="ratings")

    class Meta:
        verbose_name = "FIDE rating"
        constraints = [
            models.UniqueConstraint(fields=["player", "kind"], name="one_fide_rating_of_a_kind"),
            models.CheckConstraint(condition=Q(kind__in=["S", "R", "B"]), name="fide_rating_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: FIDE {self.get_kind_display()} {self.rating}"


class FideListed(models.Model):
    """What FIDE's lists say of anybody on them, opponents abroad above all, from one month until before another.

    A person has another row for each time something changed; `until` is empty in the present one. Not public as a whole.
    """

    fide_id = models.PositiveBigIntegerField()
    name = models.CharField(max_length=80)
    federation = models.CharField(max_length=3)
    sex = models.CharField(max_length=1)
    birth_year = models.PositiveSmallIntegerField(null=True)
    standard = models.PositiveSmallIntegerField(null=True)
    rapid = models.PositiveSmallIntegerField(null=True)
    blitz = models.PositiveSmallIntegerField(null=True)
    since = models.DateField()
    until = models.DateField(null=True)

    class Meta:
        verbose_name = "person on FIDE’s list"
        constraints = [models.UniqueConstraint(fields=["fide_id", "since"], name="fide_listed_once_a_month")]

    def __str__(self) -> str:
        return f"{self.name} ({self.fide_id})"


class FideQuestion(models.Model):
    """Whether a player on the register is a person of FIDE's list; the answer holds for all later lists.

    `listed`: what the list says of the person, which a yes takes over; soon after an answer nothing.
    """

    class Answer(models.TextChoices):
        """Who the person is."""

        OPEN = "", "not answered"
        SAME = "same", "the same person"
        OTHER = "other", "somebody else"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="fide_questions")
    fide_id = models.PositiveBigIntegerField()
    listed = models.JSONField()
    why = models.CharField(max_length=300)
    list = models.ForeignKey(FideList, on_delete=models.PROTECT, related_name="+")
    answer = models.CharField(max_length=5, blank=True, choices=Answer.choices)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["player__last_name", "player__first_name", "fide_id"]
        verbose_name = "question about a FIDE id"
        constraints = [
            models.UniqueConstraint(fields=["player", "fide_id"], name="asked_once_about_a_fide_id"),
            models.CheckConstraint(
                condition=Q(answer="", answered_at__isnull=True)
                | Q(answer__in=["same", "other"], answered_at__isnull=False),
                name="fide_question_answered_with_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: FIDE {self.fide_id}"
