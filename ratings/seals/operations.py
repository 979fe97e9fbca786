"""Seals published lists. The caller holds the transaction of the publication; the clock is passed in."""

import secrets
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from ratings.models import RatingList, Revision, Seal
from ratings.seals.hashes import rows_hash_of, seal_hash
from ratings.seals.queries import first_sealed, statement_of
from ratings.seals.rows import lists_of, packed, rows_of


def seal_revision(revision: Revision, *, at: datetime, older: bool = False, only: RatingList | None = None) -> int:
    """Seal the lists of a revision that have rows and are not sealed in it, in the lists' order, or `only` one. Return how
    many.

    `older`: it was published before lists were sealed, by a release that hashed other parts of the input.
    """
    sealed = set(revision.seals.values_list("list", flat=True))
    filled = set(lists_of(revision.run_id)) - sealed
    if only is not None:
        filled &= {only.pk}
    for rating_list in RatingList.objects.filter(pk__in=filled):
        _seal(revision, rating_list, at=at, input_hash="" if older else revision.run.input_hash)
    return len(filled)


def seal_filled(revisions: Iterable[Revision], rating_list: RatingList, *, at: datetime) -> None:
    """Seal a list that was filled, in the revisions that show it; all lists of those that were published before lists were
    sealed.

    Another list without a seal has lost it: to seal it anew would hide what `verify` says of it.
    """
    first = first_sealed()
    for revision in revisions:
        older = not revision.seals.exists() and (first is None or revision.pk < first)
        seal_revision(revision, at=at, older=older, only=None if older else rating_list)


def seal_older(*, at: datetime) -> int:
    """Seal what was published before lists were sealed, in the order of its publication. Return how many lists.

    What was published after the first sealed list had a seal, and lost it.
    """
    with transaction.atomic():
        revisions = Revision.objects.select_related("period").order_by("published_at", "pk")
        if (first := first_sealed()) is not None:
            revisions = revisions.filter(pk__lt=first)
        return sum(seal_revision(revision, at=at, older=True) for revision in revisions)


def _seal(revision: Revision, rating_list: RatingList, *, at: datetime, input_hash: str) -> None:
    last = Seal.objects.select_for_update().order_by("-number").only("number", "hash").first()
    number, previous = (last.number + 1, last.hash) if last else (1, "")
    rows, salt = rows_of(revision.run_id, rating_list.pk), secrets.token_hex(32)
    seal = Seal(
        number=number,
        revision=revision,
        list=rating_list,
        code=rating_list.code,
        rows=len(rows),
        salt=salt,
        lines=packed(rows),
        rows_hash=rows_hash_of(salt, rows),
        input_hash=input_hash,
        previous=previous,
        sealed_at=at,
    )
    seal.hash = seal_hash(statement_of(seal))
    seal.save(force_insert=True)
