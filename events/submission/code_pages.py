"""Which lines of a file say something else in another code page, as the uploader may answer it."""

from collections.abc import Collection

from events.files.text import read_text
from events.rules.tournament import Tournament


def unsure_lines(content: bytes, tournament: Tournament, *, answered: bool) -> Collection[int]:
    """Return the start numbers of lines that may. `answered`: the code page is.

    Hazard: even a blank may be one in some code pages alone, behind a name, an id or a birth date. So a line of a TRF is sure
    if all its bytes are plain; in other formats a player stands in several places, and none is.
    """
    everybody = [entrant.number for entrant in tournament.entrants]
    if not tournament.format.startswith("TRF"):
        return everybody if answered or tournament.sample_names else ()
    text = read_text(content, "latin-1")
    if not text.guessed:
        return ()
    if any(not line.isascii() and not line.startswith("0") for line in text.lines):  # as those of national ids
        return everybody
    odd = {number for number, line in enumerate(text.lines, start=1) if not line.isascii()}
    return [entrant.number for entrant in tournament.entrants if entrant.line is None or entrant.line in odd]
