"""Reads what was corrected of sections that are published."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from config.kept_reads import kept
from config.lib import formatting
from events.amending.differences import ContentDifference, differences
from ratings.models import Amendment


@dataclass(frozen=True, slots=True)
class SectionCorrection:
    """What a published correction changed of a section, when and why."""

    section: int
    name: str
    on: date
    reason: str
    differences: list[ContentDifference]

    @property
    def day_text(self) -> str:
        """The day, `12 May 2026`."""
        return formatting.day(self.on)


def section_corrections(sections: Iterable[int]) -> list[SectionCorrection]:
    """Return the corrections of sections that are in force, latest first; no query where none of them was corrected."""
    chosen = kept(_corrected_sections) & set(sections)
    if not chosen:
        return []
    rows = Amendment.objects.filter(section__in=chosen, applied_at__isnull=False).select_related("section")
    return [
        SectionCorrection(
            row.section_id,
            row.section.name,
            timezone.localdate(row.applied_at),
            row.reason,
            differences(row.before, row.after),
        )
        for row in rows.order_by("-applied_at", "-pk")
    ]


def _corrected_sections() -> frozenset[int]:
    return frozenset(Amendment.objects.filter(applied_at__isnull=False).values_list("section_id", flat=True))
