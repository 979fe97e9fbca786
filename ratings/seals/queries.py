"""Reads the seals of the published lists, for who keeps their hashes."""

from dataclasses import dataclass

from django.db.models import QuerySet

from ratings.models import RatingRun, Seal, System
from ratings.seals.hashes import statement


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A seal by its number and hash."""

    number: int
    hash: str


def newest_seal() -> ChainLink | None:
    """Return the newest seal, None before the first. One query."""
    row = Seal.objects.order_by("-number").values_list("number", "hash").first()
    return None if row is None else ChainLink(*row)


def first_sealed() -> int | None:
    """Return the key of the revision whose list was sealed first, None before that. One query."""
    return Seal.objects.order_by("number").values_list("revision", flat=True).first()


def seals() -> QuerySet[Seal]:
    """Return all seals, newest first, without the rows that they keep."""
    return Seal.objects.select_related("revision__period", "list").defer("lines", "salt").order_by("-number")


def seals_of(run_id: int, revision: int) -> list[Seal]:
    """Return the seals of a run's lists in a revision, in the lists' order. One query."""
    return list(seals().filter(revision__run=run_id, revision__number=revision).order_by("list__position"))


def has_sealed_input(run: RatingRun) -> bool:
    """Return whether the seals of a run's national lists hold what they were calculated from. One query."""
    return Seal.objects.filter(revision__run=run, list__system=System.CHESSA).exclude(input_hash="").exists()


def statement_of(seal: Seal) -> str:
    """Return the text whose SHA-256 is the hash of a seal, by what its row says."""
    return statement(
        seal.previous,
        number=seal.number,
        code=seal.code,
        month=f"{seal.revision.period.month:%Y-%m}",
        revision=seal.revision.number,
        rows=seal.rows,
        rows_hash=seal.rows_hash,
        input_hash=seal.input_hash,
    )
