"""What names a person in texts, and what stands there after the erasure."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import product, takewhile
from math import prod
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Final
from unicodedata import combining
from urllib.parse import quote, unquote

from config.lib.names import has_letter, normalized
from players.identity import CHESS_SA_ID, fold, plain_letters
from players.pseudonyms import ERASED, names_erased
from ratings.personal_data.erasure.cut_names import CutNames
from ratings.personal_data.erasure.days import day_pattern
from ratings.personal_data.erasure.name_lists import BRACKETED, LISTED, PARTICLES, SWAPPED, People, substituted

GONE: Final = ERASED
# Hazard: a word may be a whole file. What did not begin at its beginning would be looked for from each of its letters.
_ADDRESS: Final = re.compile(r"((?<!\S)\S*(?:://|www\.|@)\S*)", re.IGNORECASE)
_MAIL_ADDRESS: Final = re.compile(r"(?<![\w.+%'’-])[\w.+%'’-]+@[\w-]+(?:\.[\w-]+)*")
# Between the words of a name in the name of a file, or a mail or page address.
_JOIN: Final = r"(?:(?:%2C)?(?:[-_.+\u00a0]|%20)|%2C)"
_ESCAPED_LETTERS: Final = re.compile(r"(?:%(?:[89A-F][0-9A-F]|27|2D))+", re.IGNORECASE)  # but plain ones
_MOST_WRITTEN: Final = 40  # ways to write the words of a name: each with an accent doubles them, or more
_IN_TWO_LETTERS: Final = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"}
_WRITTEN_OUT: Final = str.maketrans(
    _IN_TWO_LETTERS | {letter.upper(): two.capitalize() for letter, two in _IN_TWO_LETTERS.items()}
)
# Between the words of a name, which may stand in quotation marks each, as in a table.
_COMMA: Final = r"[\"”]?\s*,\s*[\"“]?"
_OTHER_COMMA: Final = r"[\"”]?\s*[;:/]\s*[\"“]?"
_COMMA_OF_CELLS: Final = r"[\"”]?\s*[,;]\s*[\"“]?"
_BLANK: Final = r"(?:\s+|[\"”]\s+[\"“])"
# In a class of signs they stand first: a hyphen behind another sign would be a range.
_DASHES: Final = "-‐‑‒–—―−﹣－"  # which keyboards and lists have for a hyphen
_BLANK_OR_HYPHEN: Final = rf"(?:\s+|\s*[{_DASHES}]\s*)"  # in a part of it: Anne Marie is written Anne-Marie, too
# Within a word: O’Rourke, ORourke; Blackwood-Reid, Blackwood Reid.
_APOSTROPHES: Final = "'’‘ʼ`´′ʻʹ＇‛ˈ՚"
_APOSTROPHE: Final = rf"(?:[{_APOSTROPHES}\s-]|''|&(?:#0?39|#x27|apos);)?"
_HYPHEN: Final = rf"[{_DASHES}\s]"
_SHORT: Final = re.compile(r"(?<![^\W_])[^\W\d_]{1,2}(?=\\ )")  # an initial, or St before Clair, in an escaped name
# What may not stand before and after it: of a surname, which is no part of a mail or page address; of names whose words are
# joined as in one; of a mail address, which may be a part of another's; of all others. Whether Botha-Nel is Botha,
# `name_lists` knows.
_NO_ADDRESS: Final = (r"(?<![\w@./-])", r"(?![\w@/-]|\.\w)")
_NO_PATH: Final = (r"(?<![^\W_])(?<![@./])", r"(?![^\W_]|[@/]|\.\w)")
_NO_LONGER_ADDRESS: Final = (r"(?<![\w.+%])(?<![\w.+%]['’-])", r"(?![\w-]|\.\w)")
_APART: Final = (r"(?<![^\W_])", r"(?![^\W_])")
_NO_LETTER: Final = (r"(?<![^\W\d_])", r"(?![^\W\d_])")  # a year may stand beside a name: `jan-botha2014.trf`
_ID_BEHIND: Final = re.compile(rf"\s*\(({CHESS_SA_ID})\)")
_PLAIN_CAPITALS: Final = str.maketrans(ascii_uppercase, ascii_lowercase)
_FIDE_ID: Final = "FIDE id"  # as the trail calls it; with an answer it says whose it is not
_PARTS: Final = re.compile(rf"[{_DASHES}\s,{_APOSTROPHES}]+")


def tells(name: str) -> bool:
    """Return whether a name has a letter that is compared: not an apostrophe or a figure alone."""
    return has_letter(fold(name))


def spellings(first: str, last: str) -> set[str]:
    """Return how a name is written: either order, with the first of several first names alone, with `van der` behind it, each
    word as `written_plainly` has it.

    A single word is none: it is another's name, or none at all, too often. What has no letter is no word.
    """
    first, last = (part if tells(part) else "" for part in (first, last))
    words = first.split()
    found = {last} if len(last.split()) > 1 and not first else set()
    particles = " ".join(takewhile(lambda word: word.lower() in PARTICLES, last.split()))
    noun = last[len(particles) :].strip() if particles else ""
    for given in {first, *words[:1]} - {""}:
        found |= {f"{given} {last}", f"{last}, {given}", f"{last} {given}"} if last else set()
        found |= {f"{noun}, {given} {particles}", f"{noun} {given} {particles}"} if noun else set()
    return {written for name in found for written in (*written_plainly(name), *_misread(name))}


def written_plainly(name: str) -> set[str]:
    """Return a name with and without the accents of each word, with umlauts written out as `ue`, and with letters such as ø and
    ß as they are and written plainly; of a name with many such words, of all together."""
    forms = [_plain_forms(word) for word in name.split()]
    if prod(map(len, forms)) > _MOST_WRITTEN:
        return _plain_forms(" ".join(name.split()))
    return set(map(" ".join, product(*forms)))


def _plain_forms(text: str) -> set[str]:
    """Return a text as it is and written plainly. Hazard: in capitals ß alone is written so, and accents stay: GROSSMÜLLER."""
    written_out = text.translate(_WRITTEN_OUT)
    ways = {text, plain_letters(text), written_out, plain_letters(written_out)}
    return {form for letters in ways for form in (letters, _without_accents(letters))}


def _misread(name: str) -> set[str]:
    """Return a name as UTF-8 that was read as the code page of Windows: `ZoÃ« MÃ¼ller`."""
    return set() if name.isascii() else {name.encode().decode("cp1252", "replace")}


def _without_accents(text: str) -> str:
    return "".join(letter for letter in normalized("NFD", text) if not combining(letter))


@dataclass(frozen=True)
class Names:
    """What names a person. `sure` is replaced wherever it stands, `shared` where a row is tied to him alone: another person
    is called so, too; `private` there as well: his ids, and his days of birth as 2014-02-28, which are other figures elsewhere.
    `alone`, his surnames, is replaced in the reasons of what is about him. `kept`: addresses of others, in small letters,
    though they have his name; `others`: the folded words of what others are called; `numbers`: his Chess SA ids, if known: a
    shared name with another behind it, in brackets, is that one's; `fide_ids`: his that are nobody else's, which go from where
    they stand as such."""

    pseudonym: str
    sure: Collection[str]
    shared: Collection[str] = ()
    private: Collection[str] = ()
    alone: Collection[str] = ()
    kept: Collection[str] = ()
    others: Collection[frozenset[str]] = ()
    numbers: Collection[str] = ()
    fide_ids: Collection[str] = ()
    _sure: re.Pattern[str] | None = field(init=False)
    _tied: re.Pattern[str] | None = field(init=False)
    _private: re.Pattern[str] | None = field(init=False)
    _ids: re.Pattern[str] | None = field(init=False)
    _fide_ids: re.Pattern[str] | None = field(init=False)
    _own: re.Pattern[str] | None = field(init=False)
    _sure_joined: re.Pattern[str] | None = field(init=False)
    _tied_joined: re.Pattern[str] | None = field(init=False)
    _sure_cut: CutNames = field(init=False)
    _tied_cut: CutNames = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_sure", _pattern(self.sure, _NO_LETTER))
        object.__setattr__(self, "_tied", _pattern([*self.sure, *self.shared], _NO_LETTER))
        ids = _any_of([text for text in self.private if text.isdecimal()], _APART)
        days = [day_pattern(date.fromisoformat(text)) for text in self.private if not text.isdecimal()]
        object.__setattr__(self, "_private", _compiled(ids, *days))
        object.__setattr__(self, "_ids", _compiled(ids))
        object.__setattr__(self, "_fide_ids", _compiled(_any_of(self.fide_ids, _APART)))
        object.__setattr__(self, "_own", _pattern(self.alone, _NO_ADDRESS, of_names=False))
        object.__setattr__(self, "_sure_joined", _joined(self.sure))
        object.__setattr__(self, "_tied_joined", _joined([*self.sure, *self.shared]))
        object.__setattr__(self, "_sure_cut", CutNames([name for name in self.sure if "@" not in name]))
        object.__setattr__(
            self, "_tied_cut", CutNames([name for name in (*self.sure, *self.shared) if "@" not in name])
        )

    @cached_property
    def _his(self) -> set[frozenset[str]]:
        """The folded words of each of his names."""
        return {frozenset(fold(name).split()) for name in (*self.sure, *self.shared) if "@" not in name}

    @cached_property
    def _people(self) -> People:
        return People(self._his, self.others)

    @cached_property
    def _sharing(self) -> list[frozenset[str]]:
        """The names of others who share a word with him."""
        words = frozenset().union(*self._his)
        return [name for name in self.others if len(name) > 1 and name & words]

    @property
    def searched(self) -> set[str]:
        """The texts by which rows that name him are found: the longest word of each name, whatever stands between words."""
        words = _in_each_case({max(_PARTS.split(name), key=len) for name in self.sure})
        addresses = [name for name in self.sure if "@" in name]
        words |= _in_each_case({name.replace("@", "%40") for name in addresses})
        words |= _in_each_case({quote(name, safe=safe) for name in addresses for safe in ("", "@")})
        accented = [normalized(form, word) for word in words if not word.isascii() for form in ("NFC", "NFD")]
        return words.union(map(quote, accented))

    @property
    def searched_in_cut(self) -> set[str]:
        """The texts by which rows whose text ends in a cut name of his are found, besides `searched`."""
        parts = {part for name in self.sure if "@" not in name for part in _PARTS.split(name)}
        firsts = self._sure_cut.searched
        return _in_each_case({part for part in parts if fold(part) in firsts}) - self.searched

    def replaced(
        self, value: Any, *, tied: bool, own: bool = False, is_cut: bool = False, others_days: bool = False
    ) -> Any:
        """Return a text, or a document of JSON, without what names him, and his days and ids where it does. `tied`: it
        belongs to a row of his; `own`: it is the reason of something about him; `is_cut`: it may end within a name;
        `others_days`: a text that does not name him is about another, who may be born on his day."""
        if isinstance(value, str):
            text = value
            if is_cut and (ending := (self._tied_cut if tied else self._sure_cut).at_end_of(value, self._people)):
                text = substituted(ending, value, self._stand_in, self._people, is_cut=True)
            if pattern := self._tied if tied else self._sure:
                text = substituted(pattern, text, self._stand_in, self._people, in_words=True)
            if joined := self._tied_joined if tied else self._sure_joined:
                # In turns what is no address, and addresses.
                parts = _ADDRESS.split(text)
                for place, part in enumerate(parts):
                    stand_in = self._gone if place % 2 else self._stand_in
                    if not (place % 2 and self._is_kept(part)):
                        plain = _with_letters(part)
                        left = substituted(joined, plain, stand_in, self._people)
                        parts[place] = part if left == plain else left
                text = "".join(parts)
            private = self._ids if others_days and text == value else self._private
            tied = tied or text != value
            text = self._own.sub(self._in_place_of_surname, text) if own and self._own else text
            text = text.replace(f"({GONE})", GONE)  # the trail calls a user by name and, in brackets, address
            return private.sub(GONE, text) if tied and private else text
        if isinstance(value, list):
            return [self.replaced(item, tied=tied, own=own, others_days=others_days) for item in value]
        if isinstance(value, dict):
            value = self._without_parts(value, tied=tied)
            # An amendment's decision says in its keys whose game was changed.
            return {
                self.replaced(key, tied=tied): GONE
                if key == _FIDE_ID and item in self.fide_ids and "answer" not in value
                else self.replaced(item, tied=tied, own=own, others_days=others_days)
                for key, item in value.items()
            }
        if tied and isinstance(value, int) and not isinstance(value, bool) and str(value) in self.private:
            return None
        return value

    def without_fide_ids(self, text: str) -> str:
        """Return a text without those FIDE ids of his that are nobody else's, whoever it is about: why a line of a file was
        taken for another, who had his id by mistake."""
        return self._fide_ids.sub(GONE, text) if self._fide_ids else text

    def without_addresses(self, text: str) -> str:
        """Return a text without his addresses, but with his name: it is another's there."""
        addresses = _pattern([name for name in self.sure if "@" in name])
        return addresses.sub(GONE, text).replace(f"({GONE})", GONE) if addresses else text

    def name_another(self, text: str) -> bool:
        """Return whether a text has all words of the name of somebody else who shares one with him."""
        words = set(fold(text).split()) if self._sharing else set()
        return any(name <= words for name in self._sharing)

    def _without_parts(self, document: dict[str, Any], *, tied: bool) -> dict[str, Any]:
        """Return a document without a name of his whose parts stand by themselves, as a report has those of new players, and
        the trail those of a player or an account."""
        pattern = self._tied if tied else self._sure
        keys = {key.lower().replace("_", " "): key for key in document}
        first, last = keys.get("first name"), keys.get("last name")
        if pattern is None or first is None or last is None:
            return document
        written = " ".join(part for part in (document[first], document[last]) if isinstance(part, str))
        return document | {first: "", last: self.pseudonym} if pattern.fullmatch(written) else document

    def _is_kept(self, address: str) -> bool:
        return any(found.casefold() in self.kept for found in _MAIL_ADDRESS.findall(address))

    def _stand_in(self, found: re.Match[str]) -> str:
        if "@" in found[0] or "%40" in found[0]:
            return GONE
        behind = _ID_BEHIND.match(found.string, found.end()) if self.numbers else None
        if behind and behind[1] not in self.numbers and not (self._sure and self._sure.fullmatch(found[0])):
            return found[0]
        # A year beside it would be figures of its number.
        return f"{self.pseudonym} " if found.string[found.end() : found.end() + 1].isdecimal() else self.pseudonym

    def _in_place_of_surname(self, found: re.Match[str]) -> str:
        # Somebody whose surname is Player: in a pseudonym it is none.
        return found[0] if names_erased(found.string, found.start()) else self.pseudonym

    def _gone(self, found: re.Match[str]) -> str:
        return GONE


def _with_letters(text: str) -> str:
    """Return a text with the letters that are escaped in an address which was copied: `Zo%C3%AB%20Nel`."""
    if "%" not in text:
        return text
    return normalized("NFC", _ESCAPED_LETTERS.sub(lambda found: unquote(found[0]), text))


def _in_each_case(words: Iterable[str]) -> set[str]:
    """Return words as a database finds them that takes plain letters alone, but no others, for one with their capitals."""
    words = {*words}
    capitals = {capital for word in words for capital in (word.upper(), word.replace("ß", "ẞ").upper())}
    spelled = {spelled for word in words for spelled in (word, word.lower(), word.capitalize())} | capitals
    return {word.translate(_PLAIN_CAPITALS) for word in spelled}


def _joined(names: Iterable[str]) -> re.Pattern[str] | None:
    """Return the pattern of names as they stand in names of files and in addresses: `jan-botha`, `report_jan.botha.pdf`."""
    words = (name.replace(",", " ").split() for name in names if "@" not in name)
    return _compiled(_any_of({_JOIN.join(map(_loose, parts)) for parts in words if len(parts) > 1}, _NO_LETTER))


def in_joined_words(names: Iterable[str], addresses: Iterable[str]) -> set[str]:
    """Return which of some addresses have one of some names in them: `jan.botha@example.org`."""
    joined = _joined(names)
    return {address for address in addresses if joined.search(address)} if joined else set()


def _pattern(
    names: Iterable[str], around: tuple[str, str] = _APART, *, of_names: bool = True
) -> re.Pattern[str] | None:
    """Return the pattern of names with nothing `around` them that makes another of them, and of mail addresses. `of_names`:
    those of people, whose words may be joined by other signs."""
    addresses = {name for name in names if "@" in name}
    names = {*names} - addresses - {""}
    loose = {_loose(name).replace(r",\ ", _COMMA) for name in names}
    words = {name.replace(r"\ ", _BLANK) for name in loose}
    # Before a shorter one with hyphens, of which it has all and more.
    longer = {name for name in names if any(name.startswith(f"{other} ") for other in names)}
    longer = {_loose(name).replace(r",\ ", _COMMA).replace(r"\ ", _BLANK) for name in longer}
    hyphened = {_with_hyphens(name, names) for name in loose if of_names} - words
    parts = [tuple(map(_of_part, name.split(", ", 1))) for name in names if of_names and ", " in name]
    bracketed = {rf"{last}\s*\({first}\)" for last, first in parts}
    listed = {last + _OTHER_COMMA + first for last, first in parts}
    swapped = {first + _COMMA_OF_CELLS + last for last, first in parts}
    return _compiled(
        _any_of(longer, around),
        _any_of(hyphened, _NO_PATH),
        _any_of(words - longer, around),
        _any_of(map(_perhaps_escaped, addresses), _NO_LONGER_ADDRESS),
        _any_of(bracketed, _APART, BRACKETED),
        _any_of(listed, _NO_PATH, LISTED),
        _any_of(swapped, _NO_PATH, SWAPPED),
    )


def _perhaps_escaped(address: str) -> str:
    """Return the pattern of a mail address, as it stands in a page's address, too: `anne%2Bchess%40example.org`."""
    return "".join(
        re.escape(sign) if sign.isalnum() or sign in "-._~" else f"(?:{re.escape(sign)}|{quote(sign, safe='')})"
        for sign in address
    )


def _of_part(part: str) -> str:
    return _loose(part).replace(r"\ ", _BLANK_OR_HYPHEN)


def _with_hyphens(pattern: str, names: Iterable[str]) -> str:
    """Return the pattern of a name with hyphens, too, between the words of its parts: not between surname and first name, where
    a dash stands between two players."""
    parts = {_loose(part) for name in names if ", " in name for part in name.split(", ") if " " in part}
    for part in sorted(parts, key=len, reverse=True):
        pattern = pattern.replace(part, part.replace(r"\ ", _BLANK_OR_HYPHEN))
    return pattern.replace(r"\ ", _BLANK)


def _loose(name: str) -> str:
    """Return the pattern of a name, or of a word of it, with whichever apostrophes, hyphens and full stops it is written."""
    stops = _SHORT.sub(lambda found: rf"{found[0]}\.?", re.escape(name).replace(r"\.", r"\.?"))
    return re.sub(
        rf"\\-|[{_DASHES}{_APOSTROPHES}]", lambda found: _APOSTROPHE if found[0] in _APOSTROPHES else _HYPHEN, stops
    )


def _any_of(patterns: Iterable[str], around: tuple[str, str], group: str = "") -> str:
    """Return the pattern of any of some, the longest first, as a `group` if that has a name; "" of none."""
    written = sorted(patterns, key=lambda pattern: (-len(pattern), pattern))
    before, after = around
    begin = f"(?P<{group}>" if group else "(?:"
    return f"{before}{begin}{'|'.join(written)}){after}" if written else ""


def _compiled(*patterns: str) -> re.Pattern[str] | None:
    """Return any of some patterns, whatever the case; None without one."""
    found = "|".join(filter(None, patterns))
    return re.compile(found, re.IGNORECASE) if found else None
