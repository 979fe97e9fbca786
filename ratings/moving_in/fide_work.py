"""What workers do with FIDE's list that was sent: compare it with the register, take it once an officer has confirmed."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from config.lib.database import long_work
from config.lib.texts import shortened
from events.files.fide_list.listed import FideListError, ListedPlayer
from ratings.models import FideChange, ImportJob
from ratings.moving_in.fide_matching import Comparison, FideDifference, Kind, differences
from ratings.moving_in.fide_operations import (
    FewerPlayersError,
    OlderListError,
    Progress,
    SentFideList,
    compare_list,
    take_list,
)
from ratings.moving_in.jobs.files import opened
from ratings.moving_in.jobs.operations import ImportRefusedError, State, drop_file
from ratings.moving_in.jobs.progress import Tell
from ratings.moving_in.jobs.worker import Steps
from ratings.periods import parse_month

_READING, _COMPARING, _TAKING = "Reading the list", "Comparing it with the register", "Taking the list"


def compare(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Compare the list with the register and keep what it changes, for the page; return how many there are of each kind.

    For a list that is taken only if the officer says so, return the option and the reason. Raises ImportRefusedError.
    """
    tell(_READING, 0)
    try:
        with _sent(job) as sent:
            comparison = compare_list(sent, at=at, progress=_part(tell, _READING, 0, 0.9))
    except OlderListError as error:
        return {"option": "older", "refusal": str(error)}
    except FewerPlayersError as error:
        return {"option": "fewer", "refusal": str(error)}
    except FideListError as error:
        raise ImportRefusedError(str(error)) from error
    tell(_COMPARING, 0.9)
    return {
        "month": f"{comparison.month:%Y-%m}",
        "kinds": list(comparison.kinds),
        "listed": len(comparison.ids),
        "unreadable": comparison.unreadable,
        "cleaned": comparison.cleaned,
        "cleaned_names": comparison.cleaned_names,
        "counts": _keep_changes(job, comparison, tell),
    }


def take(job: ImportJob, tell: Tell, at: datetime) -> dict[str, Any]:
    """Take the list that was confirmed. Raises ImportRefusedError if it means something else than the officer saw."""
    tell(_READING, 0)
    try:
        with _sent(job) as sent:
            with long_work():
                comparison = compare_list(sent, at=at, progress=_part(tell, _READING, 0, 0.4))
            done = take_list(sent, comparison, at=at, by=job.asked_by, progress=_part(tell, _TAKING, 0.4, 0.95))
    except FideListError as error:
        raise ImportRefusedError(str(error)) from error
    counts = {
        Kind.NEW: done.new,
        Kind.CHANGED: done.changed,
        Kind.UNCHANGED: done.unchanged,
        Kind.QUESTION: done.questions,
        Kind.GONE: done.gone,
    }
    if counts != job.summary["counts"]:
        raise ImportRefusedError(
            "The register or the list held has changed since this was compared: compare it again, then take it."
        )
    drop_file(job)
    return {**job.summary, "list": done.pk}


@contextmanager
def _sent(job: ImportJob) -> Iterator[SentFideList]:
    options = job.options
    with opened(job) as file:
        yield SentFideList(
            Path(file.name),
            job.filename,
            parse_month(options["month"]),
            options.get("kind", ""),
            bool(options.get("older")),
            bool(options.get("fewer")),
        )


def _part(tell: Tell, stage: str, first: float, last: float) -> Progress:
    """Return what is told the bytes read, for a stage that goes from one share of the work to another."""

    def progress(done: int, total: int) -> None:
        tell(stage, first + (last - first) * min(done / max(total, 1), 1))

    return progress


def _keep_changes(job: ImportJob, comparison: Comparison, tell: Tell) -> dict[str, int]:
    counts = Counter[Kind]()
    position = 0
    with transaction.atomic():
        FideChange.objects.filter(job=job).delete()
        for chunk in differences(comparison):
            counts.update(difference.kind for difference in chunk)
            shown = [difference for difference in chunk if difference.kind is not Kind.UNCHANGED]
            FideChange.objects.bulk_create(
                _change(job, number, difference) for number, difference in enumerate(shown, position + 1)
            )
            position += len(shown)
            tell(_COMPARING, 0.9 + 0.1 * min(1, counts.total() / comparison.most))
    return {kind: counts[kind] for kind in Kind}


def _change(job: ImportJob, position: int, difference: FideDifference) -> FideChange:
    return FideChange(
        job=job,
        position=position,
        kind=difference.kind,
        player=difference.player,
        name=shortened(str(difference.player), 200),
        listed=shortened(in_words(difference.listed), 200) if difference.listed else "",
        changes=difference.changes,
        why=shortened(difference.why, 300),
    )


def in_words(person: ListedPlayer) -> str:
    """Return who somebody on the list is: FIDE id, name, federation, year of birth, title."""
    born = f"born {person.birth_year}" if person.birth_year else ""
    facts = (str(person.fide_id), person.name, person.federation, born, person.title)
    return ", ".join(fact for fact in facts if fact)


STEPS: Steps = {State.READING: compare, State.COMPARING: compare, State.TAKING: take}
