"""Reads what can be fetched of a published month."""

import io
import zipfile
from dataclasses import dataclass

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext, gettext_noop

from config.lib import formatting
from ratings.downloads.operations import CASE_FILE, SUMS
from ratings.lists.definitions import ListDefinition
from ratings.models import Download


@dataclass(frozen=True, slots=True)
class DownloadRow:
    """A file and what it is for."""

    name: str
    size: str
    sha256: str
    purpose: str


@dataclass(frozen=True, slots=True)
class DownloadGroup:
    """The files of one list, or those of the whole month."""

    heading: str
    rows: list[DownloadRow]


_OF_A_LIST = {
    "ratings": gettext_noop("The list as Chess South Africa’s site gives it, for the programs that read that: CSV."),
    "mini-ratings": gettext_noop("That list with active players only (article 55): CSV."),
    "swiss-manager": gettext_noop("For Swiss-Manager: text in columns, and a table with headings."),
    "fide": gettext_noop("In the layout of FIDE’s lists, for programs that read those: text and XML."),
    "sealed": gettext_noop("The rows of the list as they are sealed, by which its hash is computed again: text."),
    "full": gettext_noop("Every figure unrounded, with club and region, for analysis: CSV and JSON."),
}
_OF_THE_MONTH = {
    "fide_combined.zip": gettext_noop(
        "Standard, rapid and blitz side by side in the layout of FIDE’s lists: text and XML."
    ),
    "tournaments.zip": gettext_noop("Every rated section of the month as a tournament file: TRF26."),
    CASE_FILE: gettext_noop("All that the month’s calculation takes and gives, to calculate it again yourself: JSON."),
    SUMS: gettext_noop("The checksums of all files."),
}


def download_groups(run: int, lists: list[ListDefinition]) -> list[DownloadGroup]:
    """Return the files of a run by list, then those of the whole month; empty while they are being made. One query."""
    rows = Download.objects.filter(run=run).order_by("pk").values_list("name", "size", "sha256")
    files = {name: (formatting.in_style(filesizeformat(size)), digest) for name, size, digest in rows}
    groups = []
    for listing in lists:
        of_list = {f"{kind}_{listing.code}.zip": purpose for kind, purpose in _OF_A_LIST.items()}
        groups.append(DownloadGroup(gettext("%(name)s list") % {"name": listing.name}, _rows(files, of_list)))
    groups.append(DownloadGroup(gettext("The whole month"), _rows(files, _OF_THE_MONTH)))
    return [group for group in groups if group.rows]


def _rows(files: dict[str, tuple[str, str]], purposes: dict[str, str]) -> list[DownloadRow]:
    return [DownloadRow(name, *files[name], gettext(purpose)) for name, purpose in purposes.items() if name in files]


def case_document(run: int) -> bytes | None:
    """Return the case of a run's month out of its file, as JSON; None while it is being made. One query."""
    packed = Download.objects.filter(run=run, name=CASE_FILE).values_list("content", flat=True).first()
    if packed is None:
        return None
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return archive.read(archive.namelist()[0])
