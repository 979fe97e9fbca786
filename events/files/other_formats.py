"""Describes, for the user, files that are not tournament files. Pure."""

import re

_READ = (
    "Send the tournament as a TRF file (Swiss-Manager: FIDE report), Swiss-Manager’s TUNX file, the three files of a "
    "SwissPerfect tournament in a zip, or a table of results saved as CSV with the columns round, white_id or white, "
    "black_id or black, and result."
)
_WORKBOOKS = (b"xl/workbook", b"opendocument.spreadsheet")
_WORKBOOK = "a spreadsheet’s workbook; save the sheet with the results as CSV and send that"
_SWISSPERFECT = (
    "one of the three files of a SwissPerfect tournament; send its .ini, .trn and .sco together, or in a zip"
)
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a zip archive or an Office document; unpack it and send the tournament file that it holds"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "a gzip archive; unpack it and send the tournament file that it holds"),
    (b"Rar!", "a RAR archive; unpack it and send the tournament file that it holds"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it and send the tournament file that it holds"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG photograph"),
    (b"GIF8", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"{\\rtf", "a rich text document"),
    (b"SQLite format 3", "an SQLite database, which Sharly Chess uses; export a TRF there"),
    (b"\0\x01\0\0Standard Jet DB", "an Access database, which Papi uses; export a TRF there"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word document; save a sheet with the results as CSV"),
)
_DBASE_VERSIONS = frozenset({0x03, 0x83, 0x30, 0xF5, 0x8B})


def describe_signature(content: bytes) -> str:
    """Return what the first bytes show a file to be, or ""."""
    if content.startswith(b"PK\x03\x04") and any(name in content for name in _WORKBOOKS):
        return _WORKBOOK
    for signature, name in _SIGNATURES:
        if content.startswith(signature):
            return name
    if _is_dbase(content):
        return _SWISSPERFECT
    return ""


def describe_text(lines: list[str]) -> str:
    """Return what a text without tournament records seems to be."""
    head = "\n".join(line[:500] for line in lines[:50])
    start = head.lstrip().lower()
    if re.match(r"<(?:!doctype html|html|head|body|pre|table)", start) or "<html" in start:
        return "a web page; export the file itself instead of saving the page"
    if start.startswith("<"):
        return "an XML file"
    if start.startswith(("{", "[{")):
        return "a JSON file"
    if re.search(r"(?m)^\[Event ", head):
        return "a PGN file of games"
    if re.search(r"(?m)^\d{3}\|", head):
        return "a Vega file (.tdf); export a TRF there"
    if start.startswith("[tournament info]"):
        return _SWISSPERFECT
    if re.match(r"id[ _](?:number|no)", start):
        return "a rating list"
    first = next((line for line in lines if line.strip()), "")
    if re.search(r"[;,\t].*[;,\t]", first):
        return "a table (CSV) whose heading is not known here"
    if _share_of_controls(head) > 0.05:
        return "a binary file of an unknown program"
    return "a text without any tournament record"


def wrong_format(description: str) -> str:
    """Return the message for a file of another format, from its description."""
    return f"This seems to be {description}. {_READ}"


def is_markup(lines: list[str]) -> bool:
    """Return whether the text begins like a web page or another XML document."""
    first = next((line for line in lines if line.strip()), "")
    return re.match(r"\s*<[!?A-Za-z]", first) is not None


def _is_dbase(content: bytes) -> bool:
    # Version, date of change (yy mm dd), number of records, length of the header: 32 bytes for each field plus 1 or 264.
    if len(content) < 33 or content[0] not in _DBASE_VERSIONS:
        return False
    header = int.from_bytes(content[8:10], "little")
    return 1 <= content[2] <= 12 and 1 <= content[3] <= 31 and 65 <= header <= 8225 and header % 32 in (1, 8)


def _share_of_controls(text: str) -> float:
    if not text:
        return 0.0
    return sum(char < " " and char not in "\t\r\n\f\x1a" for char in text) / len(text)
