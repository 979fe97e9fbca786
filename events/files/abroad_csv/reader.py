"""Reader of the ICU's form for results abroad: the event once, below it each player's rounds, as CSV. Pure.

    Event,"Swakopmund Open, 2024"
    Start,2024-03-02
    End,2024-03-06
    Rounds,2
    Website,https://example.org/swakopmund

    Player,180000001,Mokoena,Naledi
    1,=,W,Varga,Tomas,2104,FM,HUN
    2,0,-
    Total,0.5

A round is `round,result,colour,surname,first name,rating,title,federation`; one without an opponent ends at the colour `-`.
Accepted: comma, semicolon or tab, headings in any case, blank cells at the end, UTF-8 with or without a byte order mark,
UTF-16, else cp1252.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from config.lib.names import composed
from events.files.abroad_csv.results import FormCode, ListedPlayer, TeamResults, full_name, points_of
from events.files.abroad_csv.rounds import check_length, read_round
from events.files.collector import Report, quoted
from events.files.csv.table import split_cells
from events.files.dates import read_date
from events.files.text import read_text
from events.rules.abroad import MOST_TEAM_PLAYERS, MOST_TEAM_ROUNDS, GameAbroad
from events.rules.sizes import LONGEST_NAME
from players.identity import fold

MOST_FORM_BYTES = 100_000  # ten players with twenty rounds have about 10 kB
_HEADINGS = ("event", "start", "end", "rounds", "website")
_GAME_CELLS, _PLAYER_CELLS, _HEADING_CELLS = 8, 4, 2
_ESCAPED = re.compile(r"'(?=[=+-])")  # spreadsheets that are kept from calculating have it before such a cell
_FIRST_SEPARATOR = re.compile(r'\s*"?\w+"?\s*([,;\t])')


def read_abroad_csv(content: bytes) -> TeamResults:
    """Read the form. Never raises: what cannot be read is a finding at its line, and left out."""
    report = Report()
    if len(content) > MOST_FORM_BYTES:
        message = (
            f"The file has more than {MOST_FORM_BYTES // 1000} kB, which no form for a team needs. Is it the form?"
        )
        report.add(FormCode.FILE_TOO_LARGE, message)
        return TeamResults(findings=report.findings())
    text = read_text(content)
    if text.damaged or any("\0" in line for line in text.lines):
        message = "The file is no text, or damaged. Save the form as CSV again, and send that."
        report.add(FormCode.DAMAGED_FILE, message)
        return TeamResults(findings=report.findings())
    if text.guessed:
        message = (
            f"The file does not say how its letters are coded; it is read as {text.encoding}. Look at the accents."
        )
        report.add(FormCode.ENCODING_GUESSED, message)
    reading = _Reading(report)
    for line, cells in _rows(text.lines, report):
        reading.take(line, cells)
    return reading.result()


def _rows(lines: list[str], report: Report) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line that is not blank, without blank cells at its end."""
    separator = ""
    for number, line in enumerate(lines, 1):
        if declared := re.fullmatch(r"sep=(.)\s*", line, re.IGNORECASE):
            separator = separator or declared[1]
            continue
        if not separator and (first := _FIRST_SEPARATOR.match(line)):
            separator = first[1]
        cells = split_cells(line, separator or ",")
        if cells is None:
            message = "The quotation marks of this line do not close. A cell ends on its line; close them."
            report.add(FormCode.BAD_QUOTES, message, number)
            continue
        while cells and not cells[-1].strip():
            cells.pop()
        if cells:
            yield number, [_ESCAPED.sub("", composed(cell.strip()), count=1) for cell in cells]


@dataclass
class _Open:
    """The player whose rounds are being read. `games`: by round, its line and, if it can be read, its game; `whole`: whether
    each of the lines so far could be read."""

    player: ListedPlayer
    games: dict[int, tuple[int, GameAbroad | None]]
    total: float | None = None
    total_line: int | None = None
    whole: bool = True


class _Reading:
    """Takes the lines one after the other."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.headings: dict[str, tuple[int, str]] = {}
        self.players: dict[tuple[str, str], _Open] = {}  # by id and name
        self.current: _Open | None = None

    def take(self, line: int, cells: list[str]) -> None:
        """Take a line of the form."""
        heading = fold(cells[0])
        if heading.isascii() and heading.isdecimal():
            kind, most = "round", _GAME_CELLS
        else:
            kind, most = heading, _PLAYER_CELLS if heading == "player" else _HEADING_CELLS
        if kind not in ("round", "player", "total", *_HEADINGS):
            message = (
                f"The line begins with {quoted(cells[0])}: Event, Start, End, Rounds, Website, Player, the number of a round"
                " or Total was expected."
            )
            self.report.add(FormCode.UNKNOWN_LINE, message, line)
            self._not_whole()
            return
        if any(cells[most:]):
            message = (
                f"The line has {len(cells)} cells, at most {most} are expected. Put a text with the separator in it in"
                " quotation marks."
            )
            self.report.add(FormCode.EXTRA_CELLS, message, line)
            self._not_whole()
            if kind == "round":
                return
        # Hazard: a line Player is taken all the same, or its rounds would be those of the player before.
        filled = [*cells[:most], *[""] * (most - len(cells))]
        if kind == "round":
            self._game(line, heading, filled[1:])
        elif kind == "player":
            self._player(line, *filled[1:4])
        elif kind == "total":
            self._total(line, filled[1])
        else:
            self._heading(line, heading, filled[1])

    def result(self) -> TeamResults:
        """Return what was read."""
        if not self.players:
            self._none()
            return TeamResults(findings=self.report.findings())
        if len(self.players) > MOST_TEAM_PLAYERS:
            line = list(self.players.values())[MOST_TEAM_PLAYERS].player.line
            message = (
                f"The file has {len(self.players)} players, the form takes {MOST_TEAM_PLAYERS} at once. Divide it, and send"
                " one part after the other."
            )
            self.report.add(FormCode.TOO_MANY_PLAYERS, message, line)
            return TeamResults(findings=self.report.findings())
        rounds = self._rounds()
        starts, ends = self._day("start"), self._day("end")
        if starts and ends and ends < starts:
            message = (
                f"The last day, {ends.isoformat()}, comes before the first, {starts.isoformat()}. Correct one of them."
            )
            self.report.add(FormCode.DATES_REVERSED, message, self.headings["end"][0])
        name = self.headings.get("event", (0, ""))
        check_length(name[1], name[0], self.report)
        players = tuple(self._checked(one, rounds) for one in self.players.values())
        return TeamResults(
            event=name[1][:LONGEST_NAME],
            starts=starts,
            ends=ends,
            rounds=rounds,
            website=self.headings.get("website", (0, ""))[1],
            players=players,
            findings=self.report.findings(),
        )

    def _none(self) -> None:
        if self.headings:
            message = "No line begins with Player: give a line for each player, and below it one for each round."
            self.report.add(FormCode.NO_PLAYERS, message)
        else:
            message = (
                "This is not the form for results abroad: its lines begin with Event, Start, End, Rounds, Website, and for"
                " each player with Player, the number of a round, and Total. Save it as CSV, and send that."
            )
            self.report.add(FormCode.WRONG_FORMAT, message)

    def _not_whole(self) -> None:
        if self.current:
            self.current.whole = False

    def _heading(self, line: int, heading: str, value: str) -> None:
        if heading in self.headings:
            first = self.headings[heading][0]
            message = f"{heading.capitalize()} stands on line {first} already, which counts. Take one of the two out."
            self.report.add(FormCode.HEADING_TWICE, message, line)
        else:
            self.headings[heading] = (line, value)

    def _day(self, heading: str) -> date | None:
        line, text = self.headings.get(heading, (0, ""))
        if not text:
            return None
        found = read_date(text)
        if found is None:
            message = f"The date {quoted(text)} cannot be read. Write it as year, month and day: 2026-05-17."
            self.report.add(FormCode.BAD_DATE, message, line)
            return None
        if text != found.day.isoformat():
            message = f"The date {quoted(text)} is read as {found.day.isoformat()}."
            self.report.add(FormCode.DATE_FORMAT, message, line)
        return found.day

    def _rounds(self) -> int | None:
        line, text = self.headings.get("rounds", (0, ""))
        if not text:
            return None
        if not re.fullmatch(r"[0-9]{1,3}", text) or not int(text):
            message = f"{quoted(text)} is no number of rounds. Write a whole number."
            self.report.add(FormCode.BAD_ROUNDS, message, line)
            return None
        if int(text) > MOST_TEAM_ROUNDS:
            message = f"{int(text)} rounds: the form of a team takes {MOST_TEAM_ROUNDS}. Use the form of one player."
            self.report.add(FormCode.TOO_MANY_ROUNDS, message, line)
            return None
        return int(text)

    def _player(self, line: int, number: str, last_name: str, first_name: str) -> None:
        player = ListedPlayer(line, number[:20], last_name[:LONGEST_NAME], first_name[:LONGEST_NAME])
        self.current = _Open(player, {})
        if not fold(player.name):
            message = "The line names no player. Write Player, the id, the surname and the first name."
            self.report.add(FormCode.MISSING_NAME, message, line)
            return
        check_length(full_name(last_name, first_name), line, self.report)
        one = self.players.setdefault((player.number, fold(player.name)), self.current)
        if one is not self.current:
            message = f"{quoted(player.name)} stands on line {one.player.line} already. Take one of the two out."
            self.report.add(FormCode.PLAYER_TWICE, message, line)

    def _total(self, line: int, text: str) -> None:
        one = self.current
        if one is None or one.total_line is not None:
            message = "A Total stands below the rounds of a player, once. Take this one out."
            self.report.add(FormCode.BAD_TOTAL, message, line)
            return
        one.total_line = line
        plain = text.replace(",", ".").replace("½", ".5")
        if not re.fullmatch(r"[0-9]{0,3}(?:\.[0-9]{1,2})?", plain) or not plain:
            message = f"The total {quoted(text)} is no number of points. Write it as 4 or 4.5."
            self.report.add(FormCode.BAD_TOTAL, message, line)
            return
        one.total = float(plain)

    def _game(self, line: int, number: str, cells: list[str]) -> None:
        one = self.current
        if one is None:
            message = "A round stands before the first player. Put the line Player above it."
            self.report.add(FormCode.ROUND_BEFORE_PLAYER, message, line)
            return
        figures = number.lstrip("0")
        if not figures or len(figures) > 3 or int(figures) > MOST_TEAM_ROUNDS:
            message = (
                f"{quoted(number)}: rounds go from 1 to {MOST_TEAM_ROUNDS} on the form of a team. Correct the number."
            )
            self.report.add(FormCode.TOO_MANY_ROUNDS, message, line)
            one.whole = False
            return
        played = int(figures)
        if played in one.games:
            message = (
                f"Round {played} of {quoted(one.player.name)} stands on line {one.games[played][0]} already, which counts."
                " Correct the number, or take one of the two out."
            )
            self.report.add(FormCode.ROUND_TWICE, message, line)
            one.whole = False
            return
        game = read_round(line, played, cells, self.report)
        one.games[played] = (line, game)
        if game is None:
            one.whole = False

    def _checked(self, one: _Open, rounds: int | None) -> ListedPlayer:
        """Return a player with his rounds, held against the number of rounds and the total."""
        player, name = one.player, quoted(one.player.name)
        for number, (line, _) in one.games.items():
            if rounds is not None and number > rounds:
                message = f"Round {number}: the event has {rounds} by the line Rounds. Correct one of them."
                self.report.add(FormCode.ROUND_AFTER_LAST, message, line)
        missing = sorted(set(range(1, (rounds or max(one.games, default=0)) + 1)) - set(one.games))
        if not one.games:
            message = f"{name} has no rounds. Give a line for each; without an opponent it is “1,0,-”."
            self.report.add(FormCode.NO_ROUNDS, message, player.line)
        elif missing and one.whole:
            rounds_said = ", ".join(map(str, missing))
            message = f"{name} has no line for round {rounds_said}. Without an opponent it is “{missing[0]},0,-”."
            self.report.add(FormCode.ROUNDS_MISSING, message, player.line)
        games = tuple(game for _, (_, game) in sorted(one.games.items()) if game)
        if one.total_line is None and one.games:
            message = f"No line Total closes the rounds of {name}: the file may be cut off. Give the points."
            self.report.add(FormCode.TOTAL_MISSING, message, player.line)
        scored = sum(points_of(game) for game in games)
        if one.total is not None and one.whole and one.total != scored:
            message = f"The total is {one.total:g}, the rounds of {name} make {scored:g}. Correct one of them."
            self.report.add(FormCode.TOTAL_DIFFERS, message, one.total_line)
        return ListedPlayer(player.line, player.number, player.last_name, player.first_name, games, one.total)
