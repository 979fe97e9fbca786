"""Sections, their rounds, players and games."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_noop

from events.models.days import days_constraints
from events.rules.game_result import BYES, Result
from events.rules.sizes import LONGEST_NAME
from players.identity import CHESS_SA_DIGITS

_BYES = sorted(result.value for result in BYES)
LONGEST_TIE_BREAKS = 200
RESULT_CHOICES = [(result.value, result.value) for result in Result]


class Format(models.TextChoices):
    """How a section is paired (article 17)."""

    SWISS = "swiss", gettext_noop("Swiss")
    ROUND_ROBIN = "round-robin", gettext_noop("round-robin")
    DOUBLE_ROUND_ROBIN = "double-round-robin", gettext_noop("double round-robin")
    TEAM = "team", gettext_noop("team")
    SCHEVENINGEN = "scheveningen", gettext_noop("Scheveningen")


ROUND_ROBINS = frozenset({Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN})
TEAM_FORMATS = frozenset({Format.TEAM, Format.SCHEVENINGEN})


class Section(models.Model):
    """A sub-group of an event, rated as a unit (article 4.2).

    `period`: the rating period in which its games count, set at acceptance. `results_hash`: a hash of its games, to detect
    results that are submitted twice. `tie_breaks`: the codes that its file names, with commas.
    """

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="sections")
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    position = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(max_length=18, choices=Format.choices, default=Format.SWISS)
    disabled = models.BooleanField("for disabled players only", default=False)
    base_minutes = models.PositiveSmallIntegerField("base time, minutes")
    increment_seconds = models.PositiveSmallIntegerField("increment, seconds a move", default=0)
    planned_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    starts = models.DateField()
    ends = models.DateField()
    period = models.ForeignKey(
        "events.RatingPeriod", null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="sections"
    )
    results_hash = models.CharField(max_length=64, blank=True, editable=False)
    tie_breaks = models.CharField(max_length=LONGEST_TIE_BREAKS, blank=True, editable=False)

    class Meta:
        ordering = ["event", "position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "position"], name="section_position_unique_in_event"),
            models.UniqueConstraint(
                fields=["results_hash"], condition=~Q(results_hash=""), name="section_results_submitted_once"
            ),
            *days_constraints("section"),
        ]

    def __str__(self) -> str:
        return f"{self.event.name}, {self.name}" if self.name else self.event.name


class Round(models.Model):
    """A round and the day on which it was played (article 13.3)."""

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    date = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["section", "number"]
        constraints = [
            models.UniqueConstraint(fields=["section", "number"], name="round_number_unique_in_section"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.section}, round {self.number}"


class Team(models.Model):
    """A team of a section, with name and number as the file gives them."""

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=LONGEST_NAME)

    class Meta:
        ordering = ["section", "number"]
        constraints = [models.UniqueConstraint(fields=["section", "number"], name="team_number_once_in_section")]

    def __str__(self) -> str:
        return self.name


class Entry(models.Model):
    """A player in a section, with name, ids, number, points and rank as the file gives them.

    `board`: the place in the `team`'s order, of teams only; `region`: the one that a player without a region gets when the
    event is accepted (article 14.5).
    """

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveSmallIntegerField("start number")
    name_in_file = models.CharField(max_length=LONGEST_NAME)
    chess_sa_id_in_file = models.CharField("Chess SA id in the file", max_length=CHESS_SA_DIGITS, blank=True)
    fide_id_in_file = models.PositiveBigIntegerField("FIDE id in the file", null=True, blank=True)
    rating_in_file = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.DecimalField(max_digits=5, decimal_places=1)
    rank = models.PositiveSmallIntegerField()
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.CASCADE, related_name="entries")
    board = models.PositiveSmallIntegerField(null=True, blank=True)
    match_reason = models.CharField(max_length=200, help_text="Why the file's line was taken for this player.")
    region = models.ForeignKey(
        "players.Region", null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["section", "rank", "number"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["section", "player"], name="entry_player_once_in_section"),
            models.UniqueConstraint(fields=["section", "number"], name="entry_number_once_in_section"),
            models.CheckConstraint(
                condition=Q(team__isnull=True, board__isnull=True) | Q(team__isnull=False, board__gte=1),
                name="entry_board_in_a_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name_in_file}"


class Guest(models.Model):
    """An opponent abroad with a FIDE rating, or else a performance (articles 10, 44).

    `player` is set if the opponent is on the register; the game counts by the FIDE rating nevertheless.
    """

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="guests")
    player = models.ForeignKey(
        "players.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="met_abroad"
    )
    name = models.CharField(max_length=LONGEST_NAME)
    federation = models.CharField(max_length=3, blank=True)
    fide_id = models.PositiveBigIntegerField(null=True, blank=True)
    fide_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    performance = models.PositiveSmallIntegerField(null=True, blank=True)
    fide_list = models.DateField(
        "FIDE’s list", null=True, blank=True, help_text="The month whose list has this FIDE rating, if it was compared."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(fide_rating__isnull=False) | Q(performance__isnull=False), name="guest_has_a_rating"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rating_text(self) -> str:
        """The rating before the adjustment of article 45, with its kind."""
        return f"FIDE {self.fide_rating}" if self.fide_rating is not None else f"performance {self.performance}"


class Game(models.Model):
    """A game, or a player's round without one, with the player as `white` and no `black`.

    Against a guest the guest's side is empty and `guest` is set.
    """

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="games")
    round = models.PositiveSmallIntegerField()
    white = models.ForeignKey("players.Player", null=True, on_delete=models.PROTECT, related_name="games_as_white")
    black = models.ForeignKey("players.Player", null=True, on_delete=models.PROTECT, related_name="games_as_black")
    guest = models.ForeignKey(Guest, null=True, blank=True, on_delete=models.CASCADE)
    result = models.CharField(max_length=9, choices=RESULT_CHOICES)
    colour_known = models.BooleanField(default=True)

    class Meta:
        ordering = ["section", "round", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["section", "round", "white"], name="game_white_once_a_round"),
            models.UniqueConstraint(fields=["section", "round", "black"], name="game_black_once_a_round"),
            models.CheckConstraint(condition=~Q(white=F("black")), name="game_between_two_players"),
            models.CheckConstraint(
                condition=Q(guest__isnull=True, white__isnull=False)
                | Q(guest__isnull=False, white__isnull=True, black__isnull=False)
                | Q(guest__isnull=False, white__isnull=False, black__isnull=True),
                name="game_sides_complete",
            ),
            models.CheckConstraint(
                condition=(Q(result__in=_BYES) & Q(black__isnull=True, guest__isnull=True))
                | (~Q(result__in=_BYES) & (Q(black__isnull=False) | Q(guest__isnull=False))),
                name="game_bye_has_no_opponent",
            ),
            models.CheckConstraint(
                condition=Q(result__in=[result.value for result in Result]), name="game_result_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section}, round {self.round}: {self.white} – {self.black or self.guest} {self.result}"
