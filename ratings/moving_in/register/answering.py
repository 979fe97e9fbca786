"""The officer's answers to lines of which the list does not say whom they mean. In bounded memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db import transaction
from django.db.models import Q

from players.merged import on_register, players_of
from players.models import Player
from ratings.models import ImportJob, ListedPlayer
from ratings.moving_in.jobs.operations import ImportRefusedError, State, locked_job
from ratings.moving_in.jobs.progress import Tell
from ratings.moving_in.register.lines import (
    candidates_of_row,
    counted,
    keep_lines,
    line_of,
    refuse_second_lines,
    row_chunks,
)
from ratings.moving_in.register.matching import (
    LEAVE_OUT,
    NEW,
    Difference,
    Kind,
    differences,
    matches,
    numbers_of,
    settled,
)

SAME = "same"  # of all doubtful lines: that they are the one player of the same name and birth date


def answer_lines(job: ImportJob, answers: Mapping[int, str]) -> None:
    """Keep answers, and compare their lines again: NEW, LEAVE_OUT, a player's Chess SA id, or "" to take an answer back.

    Raises ImportRefusedError if the job is not to be confirmed any more, or has no such line.
    """
    with transaction.atomic():
        present = locked_job(job.pk, State.READY)
        rows = {row.line: row for row in ListedPlayer.objects.filter(job=job, line__in=answers)}
        if unknown := answers.keys() - rows.keys():
            raise ImportRefusedError(f"There is an answer to line {min(unknown)}, where the list has no player.")
        numbers = [answer for answer in answers.values() if answer not in (NEW, LEAVE_OUT, "")]
        players = {row.player_id for row in rows.values()}
        players |= {player.pk for player in players_of(on_register(), numbers).values()}
        for line, answer in answers.items():
            rows[line].answer = answer[:10]
        # Whether a line is the second of its player depends on the others of him.
        mean_them = Q(player__in=players - {None}, kind__in=(Kind.CHANGED, Kind.UNCHANGED, Kind.REFUSED))
        others = ListedPlayer.objects.filter(mean_them, job=job).exclude(line__in=answers)
        compare_rows(job, [*rows.values(), *others])
        refuse_second_lines(job)
        # Another figure with each answer, so that a page of before is known (`as_shown`).
        present.summary = {**present.summary, **counted(job), "answer": present.summary.get("answer", 0) + 1}
        present.save(update_fields=["summary"])


def compare_rows(job: ImportJob, rows: Sequence[ListedPlayer]) -> None:
    """Compare lines again, with the answers that their rows have. Who may be meant by near names stays as it was found."""
    answers = {row.line: row.answer for row in rows if row.answer}
    found = differences([line_of(row) for row in rows], answers)
    keep_lines(job, [_with_candidates(*pair) for pair in zip(rows, found, strict=True)], answers)


def _with_candidates(row: ListedPlayer, found: Difference) -> Difference:
    before = candidates_of_row(row)
    if found.candidates or not before:
        return found
    if not row.answer and found.kind is Kind.NEW:
        known = Player.objects.filter(pk__in=[candidate.player for candidate in before]).select_related("region")
        return settled(found.line, matches(found.line, known))
    return replace(found, candidates=before)


def answer_doubtful(job: ImportJob, how: str, tell: Tell) -> None:
    """Answer all doubtful lines: SAME, NEW, LEAVE_OUT. Those to which the answer cannot be given stay doubtful."""
    doubtful = ListedPlayer.objects.filter(job=job, kind=Kind.DOUBTFUL)
    total, done = max(1, doubtful.count()), 0
    for rows in row_chunks(doubtful):
        numbers = numbers_of(candidate.player for row in rows for candidate in candidates_of_row(row))
        answered = []
        for row in rows:
            equal = [candidate.player for candidate in candidates_of_row(row) if candidate.equal]
            row.answer = how if how != SAME else numbers.get(equal[0], "") if len(equal) == 1 else ""
            if row.answer:
                answered.append(row)
        answers = {row.line: row.answer for row in answered}
        found = differences([line_of(row) for row in answered], answers)
        kept = [
            _with_candidates(*pair) for pair in zip(answered, found, strict=True) if pair[1].kind is not Kind.REFUSED
        ]
        if kept:
            keep_lines(job, kept, answers)
        done += len(rows)
        tell("Answering the doubtful lines", min(1.0, done / total))
