"""Spreadsheets, written for the tests by another program."""

import io
import zipfile
from collections.abc import Iterable
from typing import Any

import openpyxl

SHEET = "xl/worksheets/sheet1.xml"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def spreadsheet(*rows: Iterable[Any]) -> bytes:
    """An XLSX with one sheet of these rows."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def part_of(book: bytes, part: str) -> bytes:
    """What stands in one of the files of which a spreadsheet consists."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return archive.read(part)


def with_part(book: bytes, part: str, found: bytes, instead: bytes) -> bytes:
    """A spreadsheet with other words in one of the files of which it consists."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as archive, zipfile.ZipFile(packed, "w") as changed:
        for member in archive.infolist():
            content = archive.read(member)
            if member.filename == part:
                assert found in content
                content = content.replace(found, instead)
            changed.writestr(member, content)
    return packed.getvalue()


def written(
    rows: str,
    texts: str = "",
    *,
    styles: str = "",
    book: str = "",
    sheet: str = "worksheets/a.xml",
    place: str = "",
    more: dict[str, str] | None = None,
) -> bytes:
    """The least that an XLSX has, with the rows of its sheet, shared texts, formats and properties of the workbook as they are
    given. `sheet`: how the workbook names the sheet's file; `place`: what that is called in the zip, if otherwise; `more`:
    further files."""
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}">{book}'
        '<sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": "<Relationships>"
        f'<Relationship Id="rId1" Type="{_RELATIONS}/worksheet" Target="{sheet}"/>'
        f'<Relationship Id="rId2" Type="{_RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>'
        f'<Relationship Id="rId3" Type="{_RELATIONS}/styles" Target="styles.xml"/></Relationships>',
        place or f"xl/{sheet}": f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}">{texts}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">{styles}</styleSheet>',
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (parts | (more or {})).items():
            archive.writestr(name, content)
    return packed.getvalue()
