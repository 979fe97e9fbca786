"""What rows of others hold of a person: of players who were taken for him and are not, and of reports that he wrote."""

import json
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, Final

from django.db.models import Q, QuerySet

from accounts.models import Mail
from accounts.trail.operations import key_of
from events.archive import read_tournament
from events.models import Correction, Entry, ErrorReport, Guest, Section, SubmissionFinding, Upload
from events.rules.corrections import DETAILS, PLAYER, corrections_from
from events.rules.tournament import Entrant, Tournament
from players.models import Player
from ratings.merging.versions import before_merge, forget_versions_of_others
from ratings.models import Amendment, ImportJob, Merge, RunPerson
from ratings.personal_data.erasure.files import Sought
from ratings.personal_data.erasure.former_names import Slip
from ratings.personal_data.erasure.names import Names
from ratings.personal_data.erasure.texts import rows_naming
from ratings.personal_data.erasure.ties import Ties
from ratings.personal_data.person import Person

_FOUND: Final = ("findings", "unreadable", "cleaned")  # of an import's summary: what quotes its list
_MERGED: Final = {
    "merge of ": "merge",
    "undone: merge of ": "undone: merge",
}  # as `ratings.merging.operations` writes them


def sections_naming(person: Person, names: Names) -> frozenset[int]:
    """Return the sections whose files name a person: those in which he played or held an office, those from abroad in which he
    was met, and those in which a line with his name or id is another's by now."""
    of_line, of_guest = Q(), Q(player__in=person.keys)
    for name in names.sure:
        of_line |= Q(name_in_file__iexact=name)
        of_guest |= Q(name__iexact=name)
    ids = person.fide_ids
    numbers = [row.number for row in person.players]
    of_line |= Q(fide_id_in_file__in=ids) | Q(chess_sa_id_in_file__in=numbers)
    lines = Entry.objects.filter(of_line).values_list("section", flat=True)
    guests = Guest.objects.filter(of_guest | Q(fide_id__in=ids)).values_list("section", flat=True)
    return person.named_in | {*lines, *guests}


def forget_answers(person: Person, names: Names, ties: Ties, sought: Sought) -> None:
    """Delete what was typed about him in the tables of new players, as his line lacked it, and that it was, and put the
    pseudonym for what his line is called in who it is, which may be his surname alone: of each file that was sent, in which he
    may have another start number than in the last one."""
    told_of = rows_naming(Correction, [Correction._meta.get_field("answer")], names, ties)
    typed_for = {row.upload_id for row in told_of if row.kind in (*DETAILS, PLAYER.code)}
    uploads = Upload.objects.filter(pk__in=typed_for).select_related("file", "section").order_by("pk")
    for upload in uploads.iterator(chunk_size=1):
        his = _starts_of(upload, person, sought)
        about_him = upload.corrections.filter(key__in=map(str, his))
        findings = SubmissionFinding.objects.filter(submission=upload.submission_id)
        answers = about_him.filter(kind__in=DETAILS)
        findings.filter(message__in=answers.values("answer")).delete()
        answers.delete()
        for said in about_him.filter(kind=PLAYER.code, answer__contains=" (start number "):
            called, line, who = said.answer.partition(" (start number ")
            left = f"{names.pseudonym}{line}{who}"
            findings.filter(message=said.answer).update(message=left)
            question = said.question.replace(called, names.pseudonym)
            upload.corrections.filter(pk=said.pk).update(answer=left, question=question)


def _starts_of(upload: Upload, person: Person, sought: Sought) -> set[int]:
    """Return the start numbers that he has in a file."""
    answers = list(upload.corrections.all())
    corrections = corrections_from((answer.kind, answer.key, answer.value) for answer in answers)
    found = {start for start, number in corrections.players.items() if number in sought.numbers}
    found |= {line["start"] for line in upload.report.get("matched", ()) if line["number"] in sought.numbers}
    lines = [
        Entrant(int(answer.key), answer.answer.partition(":")[0], "", "")
        for answer in answers
        if answer.kind in DETAILS
    ]
    if upload.file.replaced_at is None:
        lines += read_tournament(bytes(upload.file.content), upload.name, corrections).entrants
    read = corrections.applied(Tournament("", "", entrants=tuple(lines)))
    found |= {line.number for line in read.entrants if sought.is_on(line) or sought.is_on(_in_full(line))}
    if upload.section is not None and _has_its_numbers(upload.section, upload):
        found.update(upload.section.entries.filter(player__in=person.keys).values_list("number", flat=True))
    return found


def _in_full(line: Entrant) -> Entrant:
    """Return a line with the first name that was typed, too."""
    return replace(line, name=f"{line.last_name or line.name} {line.first_name}")


def _has_its_numbers(section: Section, upload: Upload) -> bool:
    """Return whether the players of a section have the start numbers of a file: that was the last one."""
    last = section.submissions.first()
    anew = Amendment.objects.filter(section=section).exclude(file=None)
    return last is not None and last.pk == upload.submission_id and not anew.exists()


def forget_former_merges(person: Person) -> set[int]:
    """Delete the versions of other players with what they had of him while they were taken for one, and take the names out of
    why. His own versions are still to be there. Return the keys of these players."""
    others = list(_once_merged(person))
    for other, merge in others:
        forget_versions_of_others(other, person.keys, own=before_merge(merge))
        for begins, reason in _MERGED.items():
            rows = Player.history.filter(id=other, history_change_reason__startswith=begins)
            rows.update(history_change_reason=reason)
    return {other for other, _ in others}


def forget_reports(person: Person, names: Names, ties: Ties) -> None:
    """Take name and address out of the reports that he wrote as the player whom they are about, and the address out of those
    whose reporter's name is taken for his; delete their mails to him."""
    for report in rows_naming(ErrorReport, [ErrorReport._meta.get_field("reporter_name")], names, ties):
        own = report.player_id in person.keys and report.role == ErrorReport.Role.PLAYER
        if not own and not _is_under_his_name(report, names, ties):
            continue
        versions = ErrorReport.history.filter(id=report.pk)
        addresses = {report.reporter_email, *versions.values_list("reporter_email", flat=True)}
        Mail.objects.filter(about=key_of(report), to__in=addresses).delete()
        gone = {"reporter_email": ""} | ({"reporter_name": names.pseudonym} if own else {})
        for rows in (ErrorReport.objects.filter(pk=report.pk), versions):
            rows.update(**gone)


def forget_lines_of_lists(sought: Sought) -> None:
    """Take what was found in lists that were brought in about one of his ids out of their rows: the list may have had another
    name beside it than the register ever had. Where his line stood in the place of the headings, they go, too."""
    named = Q(summary__has_key="columns")
    for text in (*sought.numbers, *(text for text in sought.private if text.isdecimal())):
        named |= Q(summary__icontains=text)
    for job in ImportJob.objects.filter(named).order_by("pk"):
        left = {
            part: [row for row in job.summary[part] if not sought.stands_in(json.dumps(row, ensure_ascii=False))]
            for part in _FOUND
            if part in job.summary
        }
        summary, options = job.summary | left, dict(job.options)
        if sought.is_typed("\t".join(heading for heading, _ in summary.get("columns", ()))):
            summary["columns"] = []
            options.pop("columns", None)
        if (summary, options) != (job.summary, job.options):
            ImportJob.objects.filter(pk=job.pk).update(summary=summary, options=options)


def _is_under_his_name(report: ErrorReport, names: Names, ties: Ties) -> bool:
    """Return whether the address in a report goes with its reporter's name: not from another's account, whose address is his
    own, nor where a player who is not he reports about himself, and is answered there."""
    if report.by_id is not None and report.by_id not in ties.users:
        return False
    if report.role == ErrorReport.Role.PLAYER and report.player_id is not None and report.answered_at is None:
        return False
    left: str = names.replaced(report.reporter_name, tied=ties.owns(report))
    return left != report.reporter_name


def born_on_his_day(person: Person, slips: Collection[Slip]) -> QuerySet[RunPerson]:
    """Return what runs used of his birth where it tells more than a year, for himself, for whom he was merged with, or for
    whose line had it by a slip."""
    rows = Q(player__in=person.keys)
    days = _values(Player.history.filter(id__in=person.keys), "birth_date")
    for other, _ in _once_merged(person):
        own = _values(Player.objects.filter(pk=other), "birth_date")
        rows |= Q(player=other, born__in=days - own)
    for slip in slips:
        if slip.bears_birth:
            rows |= Q(player=slip.row.pk, born=slip.version.birth_date)
    return RunPerson.objects.filter(rows, born__isnull=False).exclude(born__month=7, born__day=1)


def _once_merged(person: Person) -> Iterator[tuple[int, Merge]]:
    """Yield the keys of players with whom a merge of his was undone, or whose split handed him over, also by others between
    them, and that merge."""
    merges = list(Merge.objects.exclude(applied_at=None, undone_at=None).order_by("pk"))
    known, reached = set[int](), set(person.keys)
    while reached != known:
        known = set(reached)
        for merge in merges:
            if {merge.old_id, merge.new_id} & known:
                reached |= {merge.old_id, merge.new_id}
    for merge in merges:
        for other in {merge.old_id, merge.new_id} & reached.difference(person.keys):
            yield other, merge


def _values(rows: QuerySet[Any], column: str) -> set[Any]:
    return set(rows.exclude(**{column: None}).values_list(column, flat=True))
