"""Lets the user judge a guessed encoding: sample names, findings, and the encodings to choose from. Pure."""

from collections.abc import Iterable

from events.files.codes import Code
from events.files.collector import Report
from events.files.text import Coding, Text

# Python's name and the label. The first is the default guess.
CODE_PAGE = "cp1252"  # of a file that does not declare one (formats.md 2)
CODE_PAGES: tuple[tuple[str, str], ...] = (
    ("cp1252", "Western European (Windows 1252)"),
    ("cp1250", "Central European (Windows 1250)"),
    ("cp1251", "Cyrillic (Windows 1251)"),
    ("cp1253", "Greek (Windows 1253)"),
    ("cp1254", "Turkish (Windows 1254)"),
    ("cp1257", "Baltic (Windows 1257)"),
    ("iso-8859-15", "Western European with the euro (ISO 8859-15)"),
    ("latin-1", "Western European (ISO 8859-1, Latin-1)"),
    ("iso-8859-2", "Central European (ISO 8859-2, Latin-2)"),
    ("cp850", "Western European (DOS 850)"),
    ("cp437", "English (DOS 437)"),
    ("cp852", "Central European (DOS 852)"),
    ("mac-roman", "Western European (old Macintosh)"),
)
_SAMPLE_NAMES = 3
_SAMPLE_LENGTH = 60


def sample_names(text: Text | Coding, names: Iterable[str]) -> tuple[str, ...]:
    """Return up to three names with letters that differ between encodings; none unless the encoding was guessed."""
    if not text.guessed:
        return ()
    telling = dict.fromkeys(name[:_SAMPLE_LENGTH] for name in names if not name.isascii())
    return tuple(telling)[:_SAMPLE_NAMES]


def check_encoding(text: Text | Coding, samples: tuple[str, ...], report: Report) -> None:
    """Report undecodable bytes, UTF-16, and a guessed encoding with its sample names."""
    if text.damaged:
        message = f"The file calls itself {text.encoding} but holds bytes that have no meaning there. Export it again."
        report.add(Code.UNDECODABLE_TEXT, message)
    if text.encoding.startswith("utf-16"):
        report.add(Code.UNUSUAL_ENCODING, "The file is in UTF-16; it is read, but other programs expect UTF-8.")
    if text.guessed:
        report.add(
            Code.ENCODING_GUESSED,
            f"The file does not tell its encoding; it is read as {text.encoding}. Look at these names, and choose another "
            f"encoding if they are wrong: {'; '.join(samples) or 'none with a letter in question'}.",
        )
