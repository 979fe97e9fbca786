"""Reads the files of an opening balance, of former lists or of a list to compare with, against the register and the lists."""

import hashlib
import io
import zipfile
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date

from config.lib.days import next_month
from config.lib.editions import Edition
from config.lib.zips import START, SentZip
from events.files.codes import Code as FileCode
from events.files.collector import MAX_LISTED, Report, quotable
from events.files.sheet import MAX_BYTES, is_spreadsheet
from events.rules.findings import Finding, Severity
from players.identity import is_another_name
from players.merged import leading_on, on_register
from players.pseudonyms import is_pseudonym
from ratings.lists.definitions import ListDefinition, list_definitions
from ratings.opening.document import OnList, is_document, read_document
from ratings.opening.entries import MOST_STANDINGS, Code, Entry, ReadFile
from ratings.opening.standings import National, Remark, Total, national, national_totals, on_list, other_total, remarks
from ratings.opening.table import read_table
from ratings.systems import chessa
from ratings.systems.chessa.columns import day

_MOST_FILES = 100  # of a zip; there is one for each list
_MOST_BYTES = MAX_BYTES // 2  # of all of them, which are in memory together
_AT_ONCE = 10_000  # ids that are asked for in one query


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it was sent; `list`: the code of the list that it is of, where it does not say so itself."""

    content: bytes
    filename: str
    list: str = ""


@dataclass(frozen=True, slots=True)
class Standings:
    """What files say of the standings after a month, by players of the register, with what was filled in.

    `players` are ids ascending, the rows of `columns`; `others`: list id → player → place on a list of another system;
    `entries`: what the files say, by Chess SA id; `left_out`: what they say of players who are not on the register. With
    errors nothing but the findings means anything.
    """

    month: date
    findings: Sequence[Finding]
    edition: Edition
    sha256: str
    players: Sequence[int] = ()
    numbers: Sequence[str] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    entries: Sequence[Entry] = ()
    left_out: Sequence[Entry] = ()
    columns: National | None = None
    others: Mapping[int, Mapping[int, OnList]] = field(default_factory=dict)
    totals: Sequence[Total] = ()
    remarks: Sequence[Remark] = ()

    @property
    def errors(self) -> list[Finding]:
        """The findings that block the import."""
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]


def sent_files(content: bytes, filename: str, list_code: str = "") -> list[SentFile]:
    """Return what a file holds: several tables of a zip, one for each list, or else the file itself."""
    whole = [SentFile(content, filename, list_code)]
    if not content.startswith(START):
        return whole
    try:
        with SentZip(io.BytesIO(content)) as archive:
            members = archive.files
            too_large = sum(member.file_size for member in members) > _MOST_BYTES
            if too_large or not 2 <= len(members) <= _MOST_FILES or is_spreadsheet(archive):
                return whole
            files = [SentFile(archive.read(member), member.filename, list_code) for member in members]
    except zipfile.BadZipFile:
        return whole  # its reader says what is wrong with it
    return files if sum(map(_unpacked_bytes, files)) <= _MOST_BYTES else whole


def _unpacked_bytes(file: SentFile) -> int:
    """Return how many bytes a file has, a spreadsheet's unpacked."""
    if file.content.startswith(START):
        with suppress(zipfile.BadZipFile), SentZip(io.BytesIO(file.content)) as archive:
            return sum(member.file_size for member in archive.files)
    return len(file.content)


def read_entries(files: Sequence[SentFile], month: date, listings: Sequence[ListDefinition]) -> ReadFile:
    """Return the entries of all files together. A finding names its file where there are several."""
    names = {listing.code: (listing.name, listing.is_national) for listing in listings}
    systems = {listing.code: (listing.name, str(listing.system)) for listing in listings}
    entries: list[Entry] = []
    findings: list[Finding] = []
    report = Report()
    seen: dict[tuple[str, int | None, str], str] = {}
    for file in files:
        if is_document(file.content):
            read = read_document(file.content, month=month, lists=systems, chosen=file.list)
        else:
            read = read_table(file.content, month=month, lists=names, chosen=file.list, filename=file.filename)
        called = f"{file.filename}: " if len(files) > 1 else ""
        findings += [replace(finding, message=f"{called}{finding.message}") for finding in read.findings]
        for entry in read.entries:
            first = seen.setdefault((entry.number, entry.fide_id, entry.list), file.filename)
            if first != file.filename:
                message = f"{called}{quotable(entry.number) or entry.fide_id} is in {first} for this list, too. Leave one out."
                report.take(Code.PLAYER_TWICE, _finding(Code.PLAYER_TWICE, message, entry))
        entries += read.entries
        if len(entries) > MOST_STANDINGS:
            message = f"There are more than {MOST_STANDINGS:,} standings: no more were read. Send a list at a time."
            report.add(FileCode.TOO_MANY_LINES, message)
        if report.is_full or len(entries) > MOST_STANDINGS:
            break
    return ReadFile(entries, [*findings, *report.findings()])


def read_standings(files: Sequence[SentFile], month: date, *, leave_out_unknown: bool = False) -> Standings:
    """Return the standings that files give, matched with the register. A few queries.

    `leave_out_unknown`: players who are not on the register are left out with a note instead of an error.
    """
    listings = list_definitions()
    read = read_entries(files, month, listings)
    edition = chessa.edition_for(next_month(next_month(month)))
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.content).digest())
    standings = Standings(month, read.findings, edition, digest.hexdigest())
    people = dict[str, tuple[int, str]]()
    by_fide: dict[int, str] = {}
    rows = on_register().order_by().values_list("pk", "number", "fide_id", "first_name", "last_name")
    for pk, number, fide_id, first, last in rows.iterator(chunk_size=20_000):
        people[number] = pk, f"{first} {last}".strip()
        if fide_id:
            by_fide[fide_id] = number
    of_list = _led_on(read.entries, people)
    entries, left_out, findings = _of_register(of_list, people, by_fide, leave_out_unknown=leave_out_unknown)
    twice = {(row.code, row.line, row.column) for row in read.findings if row.code == Code.PLAYER_TWICE}
    findings = [*read.findings, *(row for row in findings if (row.code, row.line, row.column) not in twice)]
    standings = replace(standings, findings=findings, entries=entries, left_out=left_out)
    if standings.errors:
        return standings
    numbers = sorted({entry.number for entry in entries}, key=lambda number: people[number][0])
    codes = {listing.code: listing for listing in listings}
    ours = [entry for entry in entries if codes[entry.list].is_national]
    columns = national(ours, {number: row for row, number in enumerate(numbers)}, edition)
    others: dict[int, dict[int, OnList]] = {}
    for entry in entries:
        listing = codes[entry.list]
        place = None if listing.is_national else on_list(entry, str(listing.system))
        if place is not None:
            others.setdefault(listing.id, {})[people[entry.number][0]] = place
    totals = [total for total in national_totals(columns) if total.players]
    totals += [
        other_total(listing.code, list(others[listing.id].values())) for listing in listings if listing.id in others
    ]
    return replace(
        standings,
        players=[people[number][0] for number in numbers],
        numbers=numbers,
        names={number: people[number][1] for number in numbers},
        columns=columns,
        others=others,
        totals=totals,
        remarks=remarks(columns, numbers, ours, day(next_month(next_month(month))), edition),
    )


def _led_on(entries: Sequence[Entry], people: Collection[str]) -> list[Entry]:
    """Return the entries, with the present Chess SA ids of those who are there with an id that leads on."""
    unknown = sorted({entry.number for entry in entries} - {*people, ""})
    led: dict[str, str] = {}
    for start in range(0, len(unknown), _AT_ONCE):
        led |= leading_on(unknown[start : start + _AT_ONCE])
    return [replace(entry, number=led.get(entry.number, entry.number)) for entry in entries] if led else [*entries]


def _of_register(
    entries: Sequence[Entry],
    people: Mapping[str, tuple[int, str]],
    by_fide: Mapping[int, str],
    *,
    leave_out_unknown: bool,
) -> tuple[list[Entry], list[Entry], list[Finding]]:
    """Return the entries of players on the register, each with his Chess SA id, those of the others, and the findings."""
    known: list[Entry] = []
    left_out: list[Entry] = []
    unknown: dict[str, Entry] = {}
    report = Report()
    owners: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        number = entry.number or by_fide.get(entry.fide_id or 0, "")
        if number not in people:
            left_out.append(entry)
            unknown.setdefault(entry.number or f"FIDE {entry.fide_id}", entry)
            continue
        if owners.setdefault((number, entry.list), entry) is not entry:
            message = f"{number} stands at {owners[number, entry.list].place}, too. Take one of them out."
            report.take(Code.PLAYER_TWICE, _finding(Code.PLAYER_TWICE, message, entry))
        name = people[number][1]
        if entry.name and is_another_name(entry.name, name):
            message = f"{number} is {name} on the register, and {quotable(entry.name)} here. Is the id right?"
            if is_pseudonym(name):  # Hazard: findings are kept, and the list has the name that was erased.
                message = f"The data of {number} was erased at the player’s wish: the name here was not compared."
            report.take(Code.ANOTHER_NAME, _finding(Code.ANOTHER_NAME, message, entry))
        known.append(replace(entry, number=number))
    code = Code.PLAYER_LEFT_OUT if leave_out_unknown else Code.UNKNOWN_PLAYER
    findings = list(report.findings())
    mend = "He is left out." if leave_out_unknown else "Bring the register first (import_register), or take him out."
    for count, (number, entry) in enumerate(unknown.items(), start=1):
        if count > MAX_LISTED:
            more = f"{len(unknown) - MAX_LISTED} more players are not on the register and are not listed."
            findings.append(Finding(code.severity, code.value, more))
            break
        message = f"No player on the register has the id {quotable(number)}. {mend}"
        padded = f"{entry.fide_id or 0:09d}"
        if padded in people:
            message = (
                f"No player on the register has the id {number}, but {padded} is {people[padded][1]}: a spreadsheet drops zeros"
                " at the front. Make the column text, and enter the id with all nine figures."
            )
        findings.append(_finding(code, message, entry))
    return known, left_out, findings


def _finding(code: Code, message: str, entry: Entry) -> Finding:
    place = entry.place
    text = f"{place.path}: {message}" if place.path else message
    return Finding(code.severity, code.value, text, place.line, place.column, place.end_column, heading=place.heading)
