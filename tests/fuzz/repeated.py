"""Each line, word and sign of a reader's samples, repeated until the file is as large as it may be: what the time or the memory
of a reader grows with is found by this, and hardly by changing bytes.

    python -m tests.fuzz.repeated READER [BYTES]
"""

import os
import re
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from string import ascii_lowercase

import django

MEGABYTE = 1 << 20
MEGABYTES = 200  # over the base, of a file of 5 MB
_DIGITS, _WORD = re.compile(rb"\d{1,12}"), re.compile(rb"[A-Za-z]{3,}")
_PIECE = re.compile(rb"[^\s,;|:/+<>=\"'{}\[\]-]+|[,;|:/+<>=\"'{}\[\]-]")
_BESIDE = (b"", b" ", b":", b",", b";", b"\x80")
_MOST_PIECES = 40  # of a line


def inputs(seed: bytes, size: int) -> Iterator[tuple[str, bytes]]:
    """Yield files of `size` bytes, each with words for what is repeated in it."""
    lines = seed.splitlines(keepends=True)
    for place, line in enumerate(lines):
        body = line.rstrip(b"\r\n")
        if not body.strip():
            continue
        before, after, end = b"".join(lines[:place]), b"".join(lines[place + 1 :]), line[len(body) :] or b"\n"
        count = size // len(line)
        yield f"line {place + 1}", before + line * count + after
        if _DIGITS.search(body):
            rows = (_DIGITS.sub(lambda found, row=row: _figures(found[0], row), body) for row in range(count))
            yield f"line {place + 1}, with other figures", before + end.join(rows) + end + after
        if _WORD.search(body):
            rows = (_WORD.sub(lambda found, row=row: _letters(found[0], row), body) for row in range(count))
            yield f"line {place + 1}, with other words", before + end.join(rows) + end + after
        pieces = {found[0]: found for found in _PIECE.finditer(body)}
        for piece, found in list(pieces.items())[:_MOST_PIECES]:
            for beside in _BESIDE:
                unit = piece + beside
                where = f"line {place + 1}, {piece[:20].decode(errors='replace')!r} with {beside!r}"
                whole = body[: found.start()] + unit * (size // len(unit)) + body[found.end() :]
                yield where, before + whole + end + after
                short = body[: found.start()] + unit * (3000 // len(unit)) + body[found.end() :] + end
                yield f"{where}, on each line", before + short * (size // len(short)) + after


def _figures(figures: bytes, row: int) -> bytes:
    return b"%0*d" % (len(figures), (int(figures) + 7 * row) % 10 ** len(figures))


def _letters(word: bytes, row: int) -> bytes:
    letters = []
    for _ in word:
        row, letter = divmod(row, 26)
        letters.append(ascii_lowercase[letter])
    return "".join(letters).encode()


def breaches(run: Callable[[bytes], object], seeds: Iterable[bytes], size: int) -> Iterator[str]:
    """Yield what takes longer than its share of SECONDS, or more than that of MEGABYTES, or ends in an error, in words."""
    from tests.fuzz.readers import LARGE, SECONDS, slowness

    seconds, megabytes = SECONDS * size / LARGE, MEGABYTES * size / LARGE
    for number, seed in enumerate(seeds, start=1):
        if b"\0" in seed:
            continue
        for what, content in inputs(seed, size):
            status, taken, used = _read_apart(run, content)
            if status or taken > seconds * slowness() or used > megabytes:
                yield f"sample {number}, {what}: status {status}, {taken:.2f} s, {used:.0f} MB"


def _read_apart(run: Callable[[bytes], object], content: bytes) -> tuple[int, float, float]:
    """Read a file in a process of its own; its status, seconds of the processor, and megabytes over the base."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        status, base = 1, int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        try:
            run(content)
            status = 0
        except BaseException as error:
            print(repr(error)[:300], file=sys.stderr)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        os.write(theirs, b"%d" % max(0, most - base))
        os._exit(status)
    os.close(theirs)
    _, status, used = os.wait4(child, 0)
    with open(ours, "rb") as answer:
        over = int(answer.read() or 0)  # nothing of one that was killed
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, over / MEGABYTE


def main() -> None:
    """Try one reader; what breaks a promise is printed, and ends the run with status 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()  # before what imports models
    from events.files.reader import read
    from tests.fuzz.readers import LARGE, TARGETS

    name, size = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else LARGE - 2000
    run = read if name == "tournament" else TARGETS[name].run  # which reads and writes it twice
    found = False
    for breach in breaches(run, TARGETS[name].seeds, size):
        print(breach, flush=True)
        found = True
    sys.exit(found)


if __name__ == "__main__":
    main()
