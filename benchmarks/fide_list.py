"""The memory that FIDE's list of 1.9 million players takes, over that of the program before. It fills an empty database.

The list is made up, written as zipped text, with --xml as zipped XML, into a temporary folder, compared with a register of
15,000 players and taken.
Prints JSON lines of name, value, target, unit.
"""

import argparse
import json
import os
import resource
import tempfile
import time
import zipfile
from datetime import date
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from players.models import FideList, Player  # noqa: E402
from ratings.moving_in.fide_operations import SentFideList, compare_list, take_list  # noqa: E402

LISTED = 1_900_000
PLAYERS = 15_000
TARGET = 300
HEADING = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
FEDERATIONS = ("RSA", "IND", "GER", "ESP", "FRA", "USA", "POL", "ITA", "IRI", "SRI")


def letters(number: int) -> str:
    """Return a made-up name of its own for each number."""
    return "".join(chr(ord("a") + number // 26**place % 26) for place in range(5))


def figures_of(number: int) -> tuple[str, str, int]:
    """Return name, federation and standard rating of a player; one in ten is of the bureau's federation."""
    name = f"Mo{letters(number)}, Na{letters(number * 31 % LISTED)}"
    return name, FEDERATIONS[number % len(FEDERATIONS)], 1400 + number * 7 % 1200


def line(number: int) -> str:
    """Return a line of the list as text."""
    name, federation, rating = figures_of(number)
    figures = f"{rating:<6}{number % 9:<4}20 {rating - 30:<6}0   20 {0:<6}0   0  "
    return f"{100_000 + number:<15}{name:61}{federation:4}{'MF'[number % 2]:4}{'':29}{figures}{1950 + number % 60:<6}{'':4}\r\n"


def element(number: int) -> str:
    """Return a player of the list as XML."""
    name, federation, rating = figures_of(number)
    return (
        f"<player>\n<fideid>{100_000 + number}</fideid>\n<name>{name}</name>\n<country>{federation}</country>\n"
        f"<sex>{'MF'[number % 2]}</sex>\n<title></title>\n<w_title></w_title>\n<o_title></o_title>\n<foa_title></foa_title>\n"
        f"<rating>{rating}</rating>\n<games>{number % 9}</games>\n<k>20</k>\n"
        f"<rapid_rating>{rating - 30}</rapid_rating>\n<rapid_games>0</rapid_games>\n<rapid_k>20</rapid_k>\n"
        "<blitz_rating>0</blitz_rating>\n<blitz_games>0</blitz_games>\n<blitz_k>0</blitz_k>\n"
        f"<birthday>{1950 + number % 60}</birthday>\n<flag></flag>\n</player>\n"
    )


def write_list(path: Path, listed: int, *, as_xml: bool) -> None:
    """Write a zipped list."""
    name, head, end, player = (
        ("list.xml", "<playerslist>\n", "</playerslist>\n", element)
        if as_xml
        else ("list.txt", f"{HEADING}\r\n", "", line)
    )
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(name, "w") as file,
    ):
        file.write(head.encode())
        for start in range(0, listed, 10_000):
            file.write("".join(map(player, range(start, min(start + 10_000, listed)))).encode())
        file.write(end.encode())


def register() -> None:
    """Put players on the register, every third with a FIDE id of the list; the others have names of the list."""
    players = []
    for index in range(PLAYERS):
        number = index * 10
        last_name, first_name = f"Mo{letters(number)}", f"Na{letters(number * 31 % LISTED)}"
        players.append(
            Player(
                number=f"{200_000_001 + index}",
                fide_id=100_000 + number if index % 3 == 0 else None,
                last_name=last_name,
                first_name=first_name,
                folded_name=f" {last_name} {first_name}".lower(),
                birth_year=1950 + number % 60,
                registered_at=timezone.now(),
            )
        )
    Player.objects.bulk_create(players, batch_size=2_000)


def main() -> None:
    """Take the list and print the memory over the base, and the seconds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--listed", type=int, default=LISTED)
    parser.add_argument("--xml", action="store_true")
    options = parser.parse_args()
    listed = options.listed
    call_command("migrate", verbosity=0)
    register()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.zip"
        write_list(path, listed, as_xml=options.xml)
        sent = SentFideList(path, path.name, date(2024, 3, 1))
        base, start = peak(), time.perf_counter()
        comparison = compare_list(sent, at=timezone.now())
        compared = time.perf_counter()
        take_list(sent, comparison, at=timezone.now(), by=None)
    seconds = {"compared": round(compared - start, 1), "taken": round(time.perf_counter() - compared, 1)}
    taken = FideList.objects.get()
    assert (taken.listed, taken.new, taken.questions) == (listed, PLAYERS // 3, PLAYERS - PLAYERS // 3), taken
    line = {
        "name": "fide_xml_list_memory" if options.xml else "fide_list_memory",
        "value": round(peak() - base),
        "target": TARGET,
        "unit": "MB",
        "seconds": seconds,
    }
    print(json.dumps(line))


def peak() -> float:
    """Return the most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
