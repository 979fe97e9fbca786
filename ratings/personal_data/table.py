"""Which field of which model holds personal data, and what for: the one table from which the public page, the export and the
erasure follow. A field that could hold some and is in neither part makes a test fail.

A pattern names fields as `app.Model.field`, with `*` for any text; the first that fits counts. A model of former versions is
that of the rows themselves. What is listed under a purpose and is text, JSON or bytes may hold names; under NOT_PERSONAL it
does not, or the name in it is that of an event, a region or a list.
"""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Final

from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import models

from events.models import Arbiter
from players.models import Player
from ratings.personal_data.purposes import (
    ACCOUNT,
    ADDRESS,
    BIRTH,
    FIDE,
    FILES,
    IMPORTS,
    LETTERS,
    LOG_INS,
    MAILS,
    OFFICIALS,
    REGISTER,
    RESULTS,
    TRAIL,
    Purpose,
)

PERSONAL: Final[tuple[tuple[Purpose, str], ...]] = (
    (BIRTH, "players.Player.birth_date players.Player.birth_year players.Player.died_on ratings.RunPerson.born"),
    (ADDRESS, "players.Player.email events.AbroadLink.player events.AbroadLink.address"),
    (TRAIL, "*.history_user *.history_change_reason"),
    (
        REGISTER,
        "players.Player.number players.Player.fide_id players.Player.last_name players.Player.first_name"
        " players.Player.folded_name players.Player.hidden_since players.Player.sex players.Player.federation"
        " players.Player.club players.Player.merged_into ratings.RunPerson.* ratings.Merge.* ratings.DistinctPair.*"
        " ratings.LikelyDuplicate.*",
    ),
    (FIDE, "players.FideRating.player players.FideListed.* players.FideQuestion.* ratings.FideChange.*"),
    (
        IMPORTS,
        "ratings.ImportJob.* ratings.ImportPiece.content ratings.ListedPlayer.* players.RegisterImport.* players.FideList.*",
    ),
    (
        FILES,
        "events.SubmittedFile.content events.Submission.* events.SubmissionFinding.* events.Upload.* events.Correction.*"
        " ratings.Amendment.* ratings.AmendingFile.* events.Declaration.* events.UnsavedAnswer.* events.UnsavedRegistration.*"
        " events.Attachment.*",
    ),
    (
        RESULTS,
        "events.Entry.* events.Guest.* events.Game.* events.Penalty.* events.Team.name ratings.Rating.player"
        " ratings.Performance.player ratings.Activity.player ratings.FormerRating.player ratings.LiveRating.player"
        " ratings.Adjustment.* ratings.Download.content ratings.Rerating.* ratings.RatingRun.*",
    ),
    (
        OFFICIALS,
        "events.Arbiter.* events.Membership.* events.Appointment.* events.PastAppointment.* events.Event.organiser_name"
        " events.Event.organiser_number players.RegionalAdministrator.*",
    ),
    (ACCOUNT, "accounts.User.* accounts.User_* accounts.Token.* accounts.WeekMail.* sessions.Session.*"),
    (LOG_INS, "axes.* accounts.MailRequest.*"),
    (MAILS, "accounts.Mail.*"),
    (
        LETTERS,
        "events.Refusal.* events.Refusal_notified_users.* events.Appeal.* events.PermissionRequest.* events.ErrorReport.*"
        " events.WithdrawalRequest.* events.KeptBackReport.* events.NotRegisteredReport.*",
    ),
    (
        TRAIL,
        "accounts.Decision.* admin.LogEntry.* events.EventMove.* events.BodyApproval.* events.ReviewClaim.*"
        " ratings.Revision.* ratings.Notice.text ratings.Erasure.*",
    ),
)

NOT_PERSONAL: Final = (
    # The site's own bookkeeping.
    "config.* auth.* contenttypes.* accounts.Retention.*"
    # Regions, titles, events, sections, lists and months: no person.
    " players.Province.* players.Region.code players.Region.name players.Region.rules_url players.Region.rules_approved"
    " players.Title.name events.Event.name events.Event.place events.Event.federation events.Event.starts events.Event.ends"
    " events.Event.organising_body events.Event.results_url events.Event.page events.Section.name events.Section.starts"
    " events.Section.ends events.Section.results_hash events.Section.tie_breaks events.Round.date events.RatingPeriod.month"
    " ratings.RatingList.*"
    # Figures, and what is calculated of them; whose they are is in a field of its own.
    " ratings.Rating.recent ratings.Rating.standing ratings.FormerRating.month"
    " ratings.LiveList.* ratings.DuplicateSearch.*"
    # Keys and figures of the players, and no name; a published list is proved by them.
    " ratings.Seal.*"
    # Digests of contents, and names of files that the site itself makes.
    " events.SubmittedFile.sha256 ratings.Download.name ratings.Download.sha256"
)

_POSSIBLE = (
    models.CharField,
    models.TextField,
    models.BinaryField,
    models.JSONField,
    models.FileField,
    models.GenericIPAddressField,
    models.UUIDField,
)
_NAMED = ("fide_id", "fide_id_in_file", "birth_year", "sex")


def possible_fields() -> Iterator[tuple[str, "models.Field[Any, Any]"]]:
    """Yield each field of all models that could hold personal data, as `app.Model.field`: text, documents, bytes, days,
    addresses, ids of persons, and keys of persons."""
    people = (Player, get_user_model(), Arbiter, Session)
    for model in apps.get_models(include_auto_created=True):
        of = getattr(model, "instance_type", model)  # whose former versions it keeps
        for field in model._meta.concrete_fields:
            person = field.is_relation and field.related_model in people
            day = isinstance(field, models.DateField) and not isinstance(field, models.DateTimeField)
            plain = isinstance(field, _POSSIBLE) and not (field.choices or field.primary_key)
            if person or day or plain or field.name in _NAMED:
                yield f"{of._meta.label}.{field.name}", field


@lru_cache
def purpose_of(name: str) -> Purpose | None:
    """Return what a field holds personal data for; None if it holds none, or is in neither part of the table."""
    return next((purpose for purpose, patterns in PERSONAL if _fits(name, patterns)), None)


def is_not_personal(name: str) -> bool:
    """Return whether the table says of a field that it holds no personal data."""
    return _fits(name, NOT_PERSONAL)


def _fits(name: str, patterns: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns.split())
