"""The rules that a text names: “articles 40, 42 and 51 to 54”, “section 417.1”, in a template `"63, 64"|articles`."""

import re
from collections.abc import Iterator

_NUMBER = {"chessa": r"\d{1,2}(?:\.\d)?", "cfc": r"4[0-9]{2}(?:[a-d]|\.\d)?"}
_LINK = r"\s*(?:,\s*and\b|,|;|\band\b|\bor\b|\bto\b|–|-)\s*"
_WORD = {"chessa": r"\barticles?", "cfc": r"\bsections?"}
_NAMED = {
    system: re.compile(rf'{_WORD[system]}(?:="|[\s#]+)({number}(?:{_LINK}{number})*)(?![\w%])', re.IGNORECASE)
    for system, number in _NUMBER.items()
}
_IN_TEMPLATE = {"chessa": re.compile(rf'"({_NUMBER["chessa"]}(?:, {_NUMBER["chessa"]})*)"\|articles\b')}
_PART = {system: re.compile(rf"({number})(?:\s*(?:–|-|\bto\b)\s*({number}))?") for system, number in _NUMBER.items()}
WIDEST = 5
"""A longer range says what a module is about, and names no rule."""


def named_rules(text: str, system: str) -> Iterator[tuple[int, str]]:
    """The rules of `chessa` or `cfc` that a text names, each with the place in the text where the naming begins."""
    if system not in _NAMED:
        return
    filtered = _IN_TEMPLATE[system].finditer(text) if system in _IN_TEMPLATE else ()
    for found in (*_NAMED[system].finditer(text), *filtered):
        for first, last in _PART[system].findall(found[1]):
            if not last:
                yield found.start(), first
            elif first.isdecimal() and last.isdecimal() and int(last) - int(first) < WIDEST:
                for number in range(int(first), int(last) + 1):
                    yield found.start(), str(number)
