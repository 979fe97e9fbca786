"""The XML layouts of FIDE's lists: that of all kinds, those of one, and the old one with the id as attribute. Pure.

The file has hundreds of megabytes: it is parsed piece by piece, and each player forgotten once it is read.
"""

import re
from collections.abc import Iterator, Sequence
from typing import cast
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from events.files.fide_list.listed import (
    KINDS,
    FideListError,
    ListedPlayer,
    Source,
    Told,
    UnreadablePlayerError,
    has_unseen,
    listed_player,
)

BLOCK = 1 << 16
LONGEST_PLAYER = 1 << 20  # bytes without the end of a player
_OTHER_DOCUMENTS = (b"<!DOCTYPE", b"<!ENTITY")
_LONGEST_MARK = max(map(len, _OTHER_DOCUMENTS))
_UTF_8 = "FIDE’s list is in UTF-8: download it again."
_MOST_NAMES, _LONGEST_NAMES = 1_000, 100_000  # of elements and attributes, and their letters
_MOST_ELEMENTS = 10_000  # begun and ended, beyond those of the players
_OF_A_PLAYER = 60  # likewise: FIDE gives him 20
_DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\b")
_LONGEST_DECLARATION = 120
_PREFIXES = ("", "rapid_", "blitz_")


def xml_elements(stream: Source) -> Iterator[dict[str, str]]:
    """Yield the texts of each player by name of the element, in small letters. Raises FideListError."""
    parser: XMLPullParser[Element] = XMLPullParser(["start", "end"])
    root: Element | None = None
    names: set[str] = set()
    count = since = elements = declared = depth = 0
    last = b""
    try:
        while block := stream.read(BLOCK):
            # Hazard: a mark may begin in one block and end in the next.
            if any(mark in last + block for mark in _OTHER_DOCUMENTS):
                raise FideListError("The XML defines a document type of its own, which FIDE’s list does not.")
            declared += block.count(b"xmlns")
            if b"\0" in block:  # hazard: letters of two bytes would hide a document type
                raise FideListError(f"The XML is damaged, or coded in UTF-16. {_UTF_8}")
            _feed(parser, block)
            last = block[-_LONGEST_MARK:]
            since += len(block)
            # Hazard: the parser keeps each.
            if max(len(names), declared) > _MOST_NAMES or sum(map(len, names)) > _LONGEST_NAMES:
                raise FideListError("The XML has elements of thousands of names: this is not FIDE’s list.")
            for event, element in cast(Iterator[tuple[str, Element]], parser.read_events()):
                elements += 1
                depth += 1 if event == "start" else -1
                names.add(element.tag)
                names.update(element.keys())
                if root is None:
                    root = element
                    if root.tag != "playerslist":
                        raise FideListError(f"The XML is no “playerslist”, but “{root.tag}”: this is not FIDE’s list.")
                if event == "end" and depth == 1:  # hazard: what is within another element is not forgotten
                    if element.tag == "player":
                        count, since = count + 1, 0
                        yield _texts(element)
                    root.clear()
            if since > LONGEST_PLAYER or elements > _MOST_ELEMENTS + count * _OF_A_PLAYER:
                raise FideListError(
                    f"After {count} players the XML has a megabyte or {_MOST_ELEMENTS} tags without one, or players of more"
                    " tags than FIDE gives them: this is not FIDE’s list."
                )
        parser.close()
    except ParseError as error:
        line, column = error.position
        raise FideListError(
            f"The XML cannot be read after {count} players, at line {line}, column {column + 1}: it is cut off or damaged."
            " Download the list again."
        ) from error


def _feed(parser: "XMLPullParser[Element]", block: bytes) -> None:
    # Hazard: Python keeps the name of each encoding that it is asked for.
    if _DECLARATION.match(block) and b"?>" not in block[:_LONGEST_DECLARATION]:
        raise FideListError(f"The XML says of its letters that they are coded in an unknown way. {_UTF_8}")
    try:
        parser.feed(block)
    except (LookupError, ValueError) as error:  # of a name that is no encoding, or one that the parser does not know
        raise FideListError(f"The XML says of its letters that they are coded in an unknown way. {_UTF_8}") from error


def _texts(element: Element) -> dict[str, str]:
    texts = {child.tag: (child.text or "").strip() for child in element}
    for name, value in element.attrib.items():
        texts[name.lower()] = value.strip()
    return texts


def kinds_of(texts: dict[str, str], kind: str) -> tuple[str, ...]:
    """Return the kinds of a list by its first player; `kind`: that of a list of one kind, "" if unknown.

    Raises FideListError.
    """
    if "rapid_rating" in texts or "blitz_rating" in texts:
        return KINDS
    if "rating" not in texts or "fideid" not in texts:
        raise FideListError("The first player of the XML has no id or no rating: this is not FIDE’s list.")
    if "k" not in texts and not kind:
        return (KINDS[0],)  # the old layout, when there were no others
    if not kind:
        raise FideListError(
            "This list holds one kind of rating and does not say which. Say it: standard, rapid or blitz."
        )
    return (kind,)


def xml_player(texts: dict[str, str], kinds: tuple[str, ...]) -> ListedPlayer:
    """Return the player of an element. Raises UnreadablePlayerError."""
    get = texts.get
    if len(kinds) > 1:
        figures = [
            (get(f"{prefix}rating", ""), get(f"{prefix}games", ""), get(f"{prefix}k", "")) for prefix in _PREFIXES
        ]
        return _listed(texts, figures)
    figure = get("rating", ""), get("games", ""), get("k", "")
    return _listed(texts, [figure if kind in kinds else None for kind in KINDS])


def _listed(texts: dict[str, str], figures: Sequence[tuple[str, str, str] | None]) -> ListedPlayer:
    get = texts.get
    return listed_player(
        get("fideid", ""),
        get("name", ""),
        get("country", ""),
        get("sex", ""),
        get("title", ""),
        get("birthday", ""),
        get("flag", ""),
        figures,
    )


def xml_players(
    elements: Iterator[dict[str, str]], kinds: tuple[str, ...], unreadable: Told, cleaned: Told
) -> Iterator[ListedPlayer]:
    """Yield the players of the elements. `unreadable` is told why some are left out, `cleaned` the names with characters that
    cannot be seen, without them."""
    for number, texts in enumerate(elements, 1):
        try:
            player = xml_player(texts, kinds)
        except UnreadablePlayerError as error:
            unreadable(f"player {number}", str(error))
            continue
        if has_unseen(texts.get("name", "")):
            cleaned(f"player {number}", player.name)
        yield player
