"""How files that were sent in before the one in force wrote a person's name: findings quote it."""

from collections.abc import Iterator

from django.db.models import Count, Q

from events.archive import submitted_tournament
from events.models import Section, Submission
from ratings.models import Amendment
from ratings.personal_data.person import Person, is_his_name


def names_in_earlier_files(person: Person) -> set[str]:
    """Return the names beside an id of his in all files of those of his sections that were sent in again or corrected by a new
    file, and on his lines before or after a correction; not another's, whose line had the id by mistake."""
    return {name for name in (*_in_files(person), *_in_corrections(person)) if is_his_name(name, person.called)}


def _in_files(person: Person) -> Iterator[str]:
    fide_ids = set(map(str, person.fide_ids))
    anew = Amendment.objects.exclude(file=None).values("section")
    sections = Section.objects.filter(pk__in=person.sections).annotate(sent=Count("submissions"))
    again = sections.filter(Q(sent__gt=1) | Q(pk__in=anew))
    files = Submission.objects.filter(section__in=again.values("pk"), file__replaced_at=None).exclude(format="abroad")
    for submission in files.select_related("file").order_by("pk").iterator(chunk_size=1):
        for entrant in submitted_tournament(submission).entrants:
            if entrant.national_id in person.numbers or entrant.fide_id in fide_ids:
                yield entrant.name


def _in_corrections(person: Person) -> Iterator[str]:
    for contents in Amendment.objects.filter(section__in=person.sections).values_list("before", "after"):
        for row in (row for content in contents for row in content.get("entries", ())):
            if row.get("player_id") in person.keys:
                yield row.get("name_in_file", "")
