"""The texts of pages that are marked for translation, and the catalogues that translate them.

script/messages        write what is new into every catalogue and compile them
script/messages xx     begin the catalogue of another language
"""

import io
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = ROOT / "locale"
CODE = ("config", "accounts", "players", "events", "ratings", "api")
MARKS: dict[str, Any] = {
    "_": None,
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    "counted": (2, 3),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
COMMENTS = ("Translators:",)
_FORMATS = {"SHA-256"}
_LEFT_OUT = [
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"{%\s*blocktranslate.*?endblocktranslate\s*%}",
        r"{#.*?#}",
        r"{%.*?%}|{{.*?}}",
        r"<(code|pre|script)\b.*?</\1>",
    )
]
_ATTRIBUTE = re.compile(r'(?:aria-label|placeholder|alt)="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")
NAMED = re.compile(r"%\(\w+\)[sd]|\{\w*\}")


def messages() -> Catalog:
    """Return every text that is marked in templates and code, with the files in which it stands."""
    catalogue = Catalog()
    for path, source in _sources():
        place = str(path.relative_to(ROOT))
        for _, texts, comments, context in extract("python", io.BytesIO(source.encode()), MARKS, COMMENTS):
            catalogue.add(texts, None, [(place, None)], context=context, auto_comments=comments)
    return catalogue


def bare_texts(template: str) -> list[str]:
    """Return the texts of a template that are not marked: what stands there without tags, values, code and names of formats."""
    for left_out in _LEFT_OUT:
        template = left_out.sub(" ", template)
    texts = [*_ATTRIBUTE.findall(template), *_TAG.split(template)]
    return [text.strip() for text in texts if re.search("[A-Za-z]{2}", text) and text.strip() not in _FORMATS]


def _sources() -> Iterator[tuple[Path, str]]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        # In brackets, so that the indentation of what was a template means nothing.
        yield path, f"({templatize(path.read_text(encoding='utf-8'), origin=str(path))})"
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path, path.read_text(encoding="utf-8")


def catalogues() -> dict[str, Path]:
    """Return the catalogue of each language."""
    return {path.parts[-3]: path for path in sorted(CATALOGUES.glob("*/LC_MESSAGES/django.po"))}


def read(path: Path) -> Catalog:
    """Return a catalogue."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], abort_invalid=True)


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue as Django reads it."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def up_to_date(known: Catalog, marked: Catalog) -> Catalog:
    """Return a catalogue of the texts that are marked, with the translations that are known."""
    moment = datetime(
        2026, 1, 1, tzinfo=UTC
    )  # a moment that changed with each run would be a difference in every change
    catalogue = Catalog(
        locale=known.locale,
        header_comment="# Made by script/messages, translated by hand: docs/translations.md.",
        project="ratings-bureau",
        version="1",
        msgid_bugs_address="the bureau",
        last_translator="the bureau",
        language_team=known.locale.english_name if known.locale else "",
        creation_date=moment,
        revision_date=moment,
        fuzzy=False,
    )
    for message in marked:
        if not message.id:
            continue
        old = known.get(message.id, message.context)
        plural = isinstance(message.id, tuple)
        text: Any = old.string if old is not None and plural == isinstance(old.id, tuple) else ""
        places = sorted(message.locations)
        catalogue.add(message.id, text, places, auto_comments=message.auto_comments, context=message.context)
    return catalogue


def problems(known: Catalog, marked: Catalog) -> list[str]:
    """Return what is wrong with a catalogue, a line each."""
    lines = [f"no longer used: {_name(message)}" for message in known.obsolete.values()]
    for message in marked:
        translated = known.get(message.id, message.context)
        if message.id and (translated is None or translated.id != message.id):
            lines.append(f"missing: {_name(message)}")
    for message in known:
        if message.id:
            lines += [f"{wrong}: {_name(message)}" for wrong in _wrong(message, known, marked)]
    return lines


def _wrong(message: Message, known: Catalog, marked: Catalog) -> Iterator[str]:
    if marked.get(message.id, message.context) is None:
        yield "no longer used"
    if message.fuzzy:
        yield "fuzzy"
    english = message.id if isinstance(message.id, tuple) else (message.id,)
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    if not all(forms) or len(forms) != (known.num_plurals if message.pluralizable else 1):
        yield "not translated"
    # The form of one thing may leave out its number.
    elif not all(_values(form) in (_values(english[0]), _values(english[-1])) for form in forms):
        yield "other values"


def _values(text: str) -> set[str]:
    return {value[0] for value in NAMED.finditer(text)}


def _name(message: Message) -> str:
    text = message.id[0] if isinstance(message.id, tuple) else message.id
    return f"{message.context}: {text}" if message.context else str(text)


def main() -> int:
    """Write and compile every catalogue; the status is 1 if something is not translated."""
    for language in sys.argv[1:]:
        begun = CATALOGUES / language / "LC_MESSAGES" / "django.po"
        begun.parent.mkdir(parents=True, exist_ok=True)
        if not begun.exists():
            with begun.open("wb") as file:
                write_po(file, Catalog(locale=language, fuzzy=False))
    marked, left = messages(), 0
    for language, path in catalogues().items():
        catalogue = up_to_date(read(path), marked)
        with path.open("wb") as file:
            write_po(file, catalogue, width=120, sort_by_file=True, ignore_obsolete=True)
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
        lines = problems(catalogue, marked)
        left += len(lines)
        print(
            *(f"{language}: {line}" for line in lines),
            f"{language}: {len(catalogue)} texts, {len(lines)} to do",
            sep="\n",
        )
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
