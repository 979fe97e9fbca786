"""What a name is made of. Pure."""

import re
import unicodedata
from typing import Literal

# Control and format characters (of no width, of the direction of text), and what is no character or ends a line.
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Letters, marks and signs that show nothing: fillers, joiners of letters and of figures, the blank of Braille, variation
# selectors, a note without a head, what stands for a picture.
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u2d7f\u3164\uffa0\ufffc\U0001107f\U00016fe4\U0001d159"
) | {chr(code) for codes in (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)) for code in codes}
# As the names of their characters begin in Unicode.
_LOOK_ALIKE = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")
# Scripts without an alphabet of these: ideographs, syllables, cuneiform.
_OTHER_SCRIPTS = re.compile("[\u2e80-\ua4cf\uac00-\ud7ff\U00012000-\U0001cfff\U00020000-\U0010ffff]+")

# Words of a surname that are written small before its last word.
_PARTICLES = frozenset(
    (
        "af",
        "da",
        "das",
        "de",
        "del",
        "den",
        "der",
        "di",
        "dos",
        "du",
        "la",
        "le",
        "ten",
        "ter",
        "van",
        "vd",
        "von",
        "zu",
    )
)
_NUMERALS = frozenset(("II", "III", "IV"))  # after a name, of the third of that name
_VOWELS = frozenset("AEIOUY")
_MIXED = re.compile(r"(\d)\.*(?!\1)\d")  # letters of two alphabets in a word, by the places of their alphabets
_MOST_KEPT = 0x2E80  # characters whose alphabet is looked up once: those below ideographs and syllables
_MOST_MARKS = 30  # on one letter
_MARKS_BESIDE = "\uff9e\uff9f"  # letters that are marks in the forms NFKC and NFKD
_APOSTROPHE, _MC = re.compile(r"^(.)(['’])(\w)"), re.compile(r"^Mc(\w)(?=\w\w)")
_MC_BEGINS = frozenset({"MC", "Mc", "mc"})
_MOST_WORDS = 10  # of a name
_SHORTEST = 3  # letters that tell whether a part is written in capitals alone


def recased(last_name: str, first_name: str) -> tuple[str, str]:
    """Return surname and first names as names are written, where they are in capitals or small letters alone:
    `VAN DER MERWE`, `JAN` → `van der Merwe`, `Jan`. A part with both is left alone, and so are initials, and what has more
    words than a name has. A letter may become two, as ß at the beginning of a word."""
    whole = f"{last_name} {first_name}"
    if whole.count(" ") + whole.count("-") >= _MOST_WORDS:
        return last_name, first_name
    capitals = whole.isupper()
    if _in_one_case(last_name) or capitals:
        *words, last = last_name.split(" ")
        written = [word.lower() if word.lower() in _PARTICLES else _recased_word(word) for word in words]
        last_name = " ".join([*written, last if words and last in _NUMERALS else _recased_word(last)])
    if _in_one_case(first_name) or capitals:
        first_name = " ".join(word if _is_initials(word) else _recased_word(word) for word in first_name.split(" "))
    return last_name, first_name


def _in_one_case(part: str) -> bool:
    return (part.isupper() or part.islower()) and sum(map(str.isalpha, part)) >= _SHORTEST


def _is_initials(word: str) -> bool:
    """Whether a word in capitals may be initials: `JP`, `AJ`, `J.P.`, `CJM`."""
    return word in _NUMERALS or "." in word or (word.isupper() and (len(word) < _SHORTEST or not _VOWELS & set(word)))


def _recased_word(word: str) -> str:
    """Return a word with a capital where one begins: `O'BRIEN-MCDONALD` → `O'Brien-McDonald`."""
    if word.isalpha() and word[:2] not in _MC_BEGINS:
        return _capitalized(word)
    pieces = []
    for piece in word.split("-"):
        piece = _capitalized(piece)
        if "'" in piece or "’" in piece:
            piece = _APOSTROPHE.sub(lambda found: found[1] + found[2] + found[3].upper(), piece)
        if piece.startswith("Mc"):
            piece = _MC.sub(lambda found: "Mc" + found[1].upper(), piece)
        pieces.append(piece)
    return "-".join(pieces)


def _capitalized(word: str) -> str:
    # Of İ, Python's small letter has a second dot.
    return word[:1].upper() + word[1:].replace("İ", "i").lower()


def normalized(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normal form of Unicode, in a time that grows with its length.

    Of more than 30 marks on one letter, which no language has, the rest is left out: to order them takes a time that grows with
    the square of their number (UAX 15, stream-safe text).
    """
    return unicodedata.normalize(form, _with_few_marks(text) if _has_too_many_marks(text) else text)


def _has_too_many_marks(text: str) -> bool:
    if text.isascii():
        return False
    # Of so many marks in a row one stands where this looks: few letters of a text are looked at.
    for place in range(_MOST_MARKS, len(text), _MOST_MARKS + 1):
        if _is_mark(text[place]):
            first, after = place, place + 1
            while first > 0 and _is_mark(text[first - 1]):
                first -= 1
            while after - first <= _MOST_MARKS and after < len(text) and _is_mark(text[after]):
                after += 1
            if after - first > _MOST_MARKS:
                return True
    return False


def _with_few_marks(text: str) -> str:
    found = set(filter(_is_mark, set(text)))
    marks, kept = 0, []
    for char in text:
        marks = marks + 1 if char in found else 0
        if marks <= _MOST_MARKS:
            kept.append(char)
    return "".join(kept)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M" or char in _MARKS_BESIDE


def composed(name: str) -> str:
    """Return a name with each letter and its accents as one character, where there is one (NFC)."""
    return normalized("NFC", name)


def shown(text: str) -> str:
    """Return a text that others gave as it can be shown: ‹U+202E› in the place of each character that cannot be seen, of
    which some turn round what stands beside it, and accents on their letters. Line breaks and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    signs = (f"‹U+{ord(char):04X}›" if char not in "\n\r\t" and is_unseen(char) else char for char in text)
    return composed("".join(signs))


def unseen(text: str) -> str:
    """Return what to do about the first character of a text that cannot be seen, such as one without width; "" without any."""
    if text.isprintable() and BLANK.isdisjoint(text):
        return ""
    for char in text:
        if is_unseen(char):
            name = unicodedata.name(char, "control character").lower()
            return f"There is a character that cannot be seen, U+{ord(char):04X} ({name}). Remove it."
    return ""


_FORMULA = re.compile(r"\A-.{0,80}|(?<!\S)(?:[=+@]\S*|-\S{1,80})")


def wrong_in_list(name: str) -> str:
    """Return what to do about a player's name, which stands in lists that spreadsheets open: about its letters, as
    `wrong_letters` does, or a word that is taken for a formula there; "" if it is right."""
    if (problem := wrong_letters(name)) or not (formula := _FORMULA.search(name)):
        return problem
    return f"{formula[0]} begins with “{formula[0][0]}”, by which spreadsheets know a formula. Remove the sign."


def has_letter(text: str) -> bool:
    """Return whether a text has a letter of any script; a figure is none."""
    return any(map(str.isalpha, text))


def wrong_letters(name: str) -> str:
    """Return what to do about the letters of a person's name: that it has none, about one that cannot be seen, or that a word
    or the name mixes alphabets (Latin, Greek, Cyrillic and others), of which some letters look alike; "" if it is right."""
    if name.strip() and not has_letter(name):
        return f"{name.strip()} has no letter. Write the name, or leave it blank."
    if (problem := unseen(name)) or name.isascii():
        return problem
    written = name.translate(_ALPHABETS)
    if mixed := _MIXED.search(written):
        place = len(written[: mixed.end()].split()) - 1
        alphabets = _listed(written.split()[place])
        return f"{name.split()[place]} has letters of two alphabets that look alike ({alphabets}). Write it in one."
    return _wrong_words(name, written)


def wrong_words(name: str) -> str:
    """Return what to do about a name whose words are of different alphabets, of which some letters look alike; "" if they are
    of one, or one of them mixes two itself (`wrong_letters`)."""
    return "" if name.isascii() else _wrong_words(name, name.translate(_ALPHABETS))


def _wrong_words(name: str, written: str) -> str:
    if len({*written} - {" ", "."}) < 2 or _MIXED.search(written):
        return ""
    return f"{name.strip()} has words of two alphabets that look alike ({_listed(written)}). Write all of it in one."


def _listed(alphabets: str) -> str:
    return " and ".join(sorted(_LOOK_ALIKE[int(place)].capitalize() for place in {*alphabets} - {" ", "."}))


class _Alphabets(dict[int, str]):
    """Code of a character → the place in _LOOK_ALIKE of its alphabet, if it is a letter of one; " " for a blank, else "."."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        found = " " if char.isspace() else "."
        if char.isalpha() and not _OTHER_SCRIPTS.match(char):
            # Of the micro sign the capital is a Greek letter.
            alphabet = "GREEK" if char == "µ" else unicodedata.name(char, "").partition(" ")[0]
            found = str(_LOOK_ALIKE.index(alphabet)) if alphabet in _LOOK_ALIKE else "."
        if code < _MOST_KEPT:
            self[code] = found
        return found


_ALPHABETS = _Alphabets()


def is_unseen(char: str) -> bool:
    """Return whether a character cannot be seen; a line break or a tab counts as one."""
    return char in BLANK or unicodedata.category(char) in UNSEEN
