"""Reads time controls from TRF26's record 222, and from arbiters' free texts if they are unambiguous. Pure."""

import re

from events.rules.tournament import TimeControl

_MAX_BASE, _MAX_INCREMENT = 600, 300  # minutes, seconds; larger numbers mean something else
_LONGEST = 200  # letters; hazard: the time grows with the square of the length
_STAGE = re.compile(r"(?:\d+/)?(\d+)(?:\+(\d+))?")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MINUTES = _words(
    "' m min mins minute minutes minuten minuto minutos minuti minuta minut minuty minuut minutter perc "
    "м мин минут минута минуты минуте"
)
_SECONDS = _words(
    '" s sec secs second seconds sek sekunde sekunden sekunda sekundi sekund seg segs segundo segundos seconde '
    "secondes secondi secondo seconden mp másodperc сек секунд секунда секунды секунде"
)
_HOURS = _words("h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur час часа")
_MOVES = _words("move moves mm mv mvs zug züge zügen coup coups jugada jugadas mossa mosse lance lances zet zetten ход")
_JOINS = _words("plus and und et y e i и + , ; then with con mit avec")
_NOISE = _words(
    "all in per player for the whole game each side rest end of to finish a increment inkrement incremento incrément "
    "bonus from starting at by po igraču igrac za čitavu partiju celu partija целу партију за всю партию на für die "
    "ganze partie pro spieler spiel par joueur por jugador toda la partida standard classical rapid blitz"
)
# Words after the number of seconds that a player gains with each move.
_EACH_MOVE = re.compile(
    r"(?:,\s*)?(?:from|ab|depuis|desde|od)\s+(?:the\s+)?(?:move|zug|coup|jugada|poteza)\s*(?:1|one)\b"
    r"|(?:from|ab)\s+(?:the\s+)?(?:first\s+move|1\.\s*zug)"
    r"|(?:(?:per|each|every|a|an|pro|par|por|je|po|за|на|по)\s+|/\s*)"
    r"(?:move|zug|coup|jugada|mossa|lance|zet|potezu|потезу|ход)\b"
)
_TOKEN = re.compile(r"\d+:\d\d|\d+|[^\W\d_]+|[\"'+/,;&@-]")


# What stands between the controls of a text that states several, and what says for which games one is.
_BETWEEN = re.compile(r"[;|/\n]|,(?=\D*\d+\s*[+'m])|\b(?:or|and|resp|then)\b")
_GAMES = re.compile(
    r"\b(?:rounds?|rds?|games?)\b[\s.]*\d+(?:\s*(?:-|–|,|&|to|and)\s*\d+)*\s*[:=]?|\b(?:white|black)\b\s*[:=]?"
)


def read_several(text: str) -> tuple[TimeControl, ...]:
    """Return the different time controls that a text states, as `90+30; 15+10` or `Rounds 1-3: 15+10, round 4: 90+30` does.

    () for a text with one control, or one that cannot be read (articles 21, 22). Unless the text says for which games each
    is, only a base with an increment counts: `90 min / 40 moves, 30 min` has two stages of one control.
    """
    if len(text) > _LONGEST or read_free(text) is not None:
        return ()
    plain, labelled = _GAMES.subn(";", text.casefold())
    parts = [part.strip(" .,:()") for part in _BETWEEN.split(plain)]
    controls = dict.fromkeys(
        control for part in parts if (labelled or "+" in part) and (control := read_free(part)) is not None
    )
    return tuple(controls) if len(controls) > 1 else ()


def read_by_colour(text: str) -> tuple[TimeControl, ...]:
    """Return the time controls of White and Black in record 222 (`W300-B240`), each once; () for any other text."""
    match = re.fullmatch(r"W(\S+)-B(\S+)", text.strip()) if len(text) <= _LONGEST else None
    controls = [read_coded(part) for part in match.groups()] if match else []
    return tuple(dict.fromkeys(control for control in controls if control)) if all(controls) else ()


def read_coded(text: str) -> TimeControl | None:
    """Return the time control of record 222: `S`, `S+I`, `M/S`, `M/S+I` in seconds, stages joined by `:`.

    None if it is not one base and one increment: times that differ by colour, stages with different increments, a base
    that is not whole minutes.
    """
    if len(text) > _LONGEST:
        return None
    by_colour = read_by_colour(text)
    if len(by_colour) == 1:
        return by_colour[0]
    stages = [_STAGE.fullmatch(stage.strip()) for stage in text.split(":")]
    parts = [(int(stage[1]), int(stage[2] or 0)) for stage in stages if stage and len(stage[0]) < 20]
    if len(parts) != len(stages) or len({increment for _, increment in parts}) != 1:
        return None
    seconds = sum(base for base, _ in parts)
    return _checked(seconds // 60, parts[0][1]) if seconds % 60 == 0 else None


def read_free(text: str) -> TimeControl | None:
    """Return the time control of a text such as `90+30`, `40/100'+15'+30"`, `G/60`, `10 min + 5 sec`; None if in doubt."""
    if len(text) > _LONGEST:
        return None
    text = text.casefold().strip()
    for plain, signs in (("'", "’′´`‘"), ('"', "”″“„")):
        text = re.sub(f"[{signs}]", plain, text)
    text = _EACH_MOVE.sub(" @ ", text.replace("''", '"'))
    if match := re.fullmatch(r"g\s*/?\s*(\d{1,3})\s*(?:min|'|m)?\s*(?:\+\s*(\d{1,3}))?", text):
        return _checked(int(match[1]), int(match[2] or 0))
    tokens = _TOKEN.findall(text)
    if re.sub(r"[\s.()]", "", _TOKEN.sub("", text)):
        return None
    terms = _terms(tokens)
    return _from_terms(terms) if terms else None


def _terms(tokens: list[str]) -> list[tuple[int, str]]:
    """Return the terms of the sum as (value, unit): "m" minutes, "s" seconds, "" unknown. Empty if a word is unknown."""
    terms: list[tuple[int, str]] = []
    current: list[str] = []
    for token in [*tokens, "+"]:
        if token in _JOINS:
            if current:
                term = _term(current)
                if term is None:
                    return []
                terms.append(term)
            current = []
        elif token not in _NOISE:
            current.append(token)
    return terms


def _term(tokens: list[str]) -> tuple[int, str] | None:
    shape = "".join(_kind(token) for token in tokens)
    # Shape: N number, T h:mm, m s h units, v moves, @ gained with each move.
    numbers = [token for token in tokens if token[0].isdecimal()]
    if any(len(number) > 5 for number in numbers):
        return None
    if shape in ("v", "vN"):
        return None
    if match := re.fullmatch(r"(?:v)?N([msh])@?|(?:N/N|Nv/N)([msh])|N([msh])[/x]Nv?|N([msh])(?:/?v?|Nv)", shape):
        unit = next(group for group in match.groups() if group)
        value = int(numbers[-1] if match[2] else numbers[0])
        if unit == "m" and "@" in shape:
            return None
        return (value * 60, "m") if unit == "h" else (value, unit)
    if shape == "N@":
        return int(numbers[0]), "s"
    if shape in ("NhN", "NhNm"):
        return int(numbers[0]) * 60 + int(numbers[1]), "m"
    if shape == "T":
        hours, minutes = numbers[0].split(":")
        return int(hours) * 60 + int(minutes), "m"
    return (int(numbers[0]), "") if shape == "N" else None


def _kind(word: str) -> str:
    if ":" in word:
        return "T"
    if word.isdecimal():
        return "N"
    for kind, words in (("m", _MINUTES), ("s", _SECONDS), ("h", _HOURS), ("v", _MOVES)):
        if word in words:
            return kind
    return word if word in "/x@" else "?"


def _from_terms(terms: list[tuple[int, str]]) -> TimeControl | None:
    units = [unit for _, unit in terms]
    if units == ["", ""]:
        return _checked(terms[0][0], terms[1][0])
    if "" in units or "m" not in units or units.count("s") > 1 or (units[-1] != "s" and "s" in units):
        return None
    base = sum(value for value, unit in terms if unit == "m")
    return _checked(base, terms[-1][0] if units[-1] == "s" else 0)


def _checked(base: int, increment: int) -> TimeControl | None:
    return TimeControl(base, increment) if 0 < base <= _MAX_BASE and increment <= _MAX_INCREMENT else None
