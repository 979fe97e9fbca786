"""What the checks of an uploaded file and its comparison with the file before say, in the reader's language.

Reports keep it in English. The texts of the readers of files are in `events.submission.file_words`.
"""

import re
from collections.abc import Callable

from django.utils.translation import gettext, gettext_noop, ngettext

from config.languages import counted
from config.lib.pure_texts import PureTexts
from events.submission.file_words import FILE_FINDINGS
from events.wording import state_name

# Why a line is a player, as `players.identity` and `events.submission.matching` say it.
_EVIDENCE = PureTexts(
    gettext_noop("chosen by the uploader"),
    gettext_noop("new to the register, as in another section of the event"),
    gettext_noop("no name to compare"),
    gettext_noop("same name"),
    gettext_noop("names agree by %(share)s"),
    gettext_noop("sex differs"),
    gettext_noop("same Chess SA id %(number)s"),
    gettext_noop("same FIDE id %(number)s"),
    gettext_noop("Chess SA id differs: %(in_file)s in the file, %(known)s here"),
    gettext_noop("FIDE id differs: %(in_file)s in the file, %(known)s here"),
    gettext_noop("same birth date"),
    gettext_noop("same year of birth"),
    gettext_noop("birth date differs"),
    gettext_noop("year of birth differs"),
)
_ROUNDS = re.compile(r"rounds? ([0-9, ]+?)(?: and ([0-9]+) more)?")
_MORE = re.compile(r"(.+) and ([0-9]+) more", re.DOTALL)
_PLAYED = re.compile(r"([0-9]+) (player|round)s? (with a game|in the smallest team)")
_PERMITTED = re.compile(r"([0-9]+) players? and ([0-9]+) rounds?")
_DATED_ROUND = re.compile(r"round ([0-9]+) on ([^,]+?)(?: instead of ([^,]+))?")


def evidence_shown(evidence: str) -> str:
    """Return why a line is, or may be, a player, in the reader's language."""
    return "; ".join(_EVIDENCE.said(part) for part in evidence.split("; "))


def _rounds(text: str) -> str:
    """Return what `events.rules.findings.listed_rounds` wrote in the reader's language."""
    match = _ROUNDS.fullmatch(text)
    if match is None:
        return text
    numbers, more = match.groups()
    numbers = _with_more(numbers, more) if more else numbers
    return ngettext("round %(rounds)s", "rounds %(rounds)s", 1 if "," not in numbers and not more else 2) % {
        "rounds": numbers
    }


def _listed(text: str) -> str:
    """Return what `events.rules.findings.listed` wrote in the reader's language."""
    match = _MORE.fullmatch(text)
    return _with_more(match[1], match[2]) if match else text


def _with_more(names: str, more: str) -> str:
    return gettext("%(names)s and %(count)s more") % {"names": names, "count": more}


def _dated_rounds(text: str) -> str:
    match = _MORE.fullmatch(text)
    rounds = ", ".join(_dated_round(part) for part in (match[1] if match else text).split(", "))
    return _with_more(rounds, match[2]) if match else rounds


def _dated_round(text: str) -> str:
    match = _DATED_ROUND.fullmatch(text)
    if match is None:
        return text
    if match[3]:
        return gettext("round %(round)s on %(day)s instead of %(registered)s") % {
            "round": match[1],
            "day": match[2],
            "registered": match[3],
        }
    return gettext("round %(round)s on %(day)s") % {"round": match[1], "day": match[2]}


def _played(text: str) -> str:
    """Return how many players or rounds a section has, as the rules on its size write it, in the reader's language."""
    match = _PLAYED.fullmatch(text)
    if match is None:
        return text
    number = int(match[1])
    if match[2] == "round":
        return counted(number, "%(count)s round with a game", "%(count)s rounds with a game")
    if match[3] == "with a game":
        return counted(number, "%(count)s player with a game", "%(count)s players with a game")
    return counted(number, "%(count)s player in the smallest team", "%(count)s players in the smallest team")


def _permitted(text: str) -> str:
    """Return for how many players and rounds permission was asked, in the reader's language."""
    match = _PERMITTED.fullmatch(text)
    if match is None:
        return text
    return gettext("%(players)s and %(rounds)s") % {
        "players": counted(int(match[1]), "%(count)s player", "%(count)s players"),
        "rounds": counted(int(match[2]), "%(count)s round", "%(count)s rounds"),
    }


# What `events.rules` and `events.submission` find. A longer text stands before one that it could be taken for.
FINDINGS = PureTexts(
    gettext_noop(
        "The event is registered as one in South Africa, and the file names %(in_file)s and the registration names"
        " %(registered)s as its federation. Correct it. What was played outside the borders is rated as an event abroad"
        " only, if it is FIDE rated."
    ),
    gettext_noop(
        "The event is registered as one in South Africa, and the file names %(in_file)s as its federation. Correct it."
        " What was played outside the borders is rated as an event abroad only, if it is FIDE rated."
    ),
    gettext_noop(
        "The event is registered as one in South Africa, and the registration names %(registered)s as its federation."
        " Correct it. What was played outside the borders is rated as an event abroad only, if it is FIDE rated."
    ),
    gettext_noop("The file names no event. Give the complete name of the event."),
    gettext_noop("The event ends on %(last)s before it starts on %(first)s. Correct the dates."),
    gettext_noop("The event starts on %(day)s; no rating is that old. Correct the year."),
    gettext_noop("The event lasts more than a year, %(days)s. Correct one of the days."),
    gettext_noop("The event ends on %(day)s, which is still to come. Submit it when it has been played."),
    gettext_noop("The file plans %(planned)s rounds; a file can hold %(most)s. Correct the number of rounds."),
    gettext_noop("No date is given for %(rounds)s. Give the day on which each round was played."),
    gettext_noop("Outside the event, %(days)s: %(dated_rounds)s. Correct the dates."),
    gettext_noop("No Chief Organiser is named. Give name, surname and Chess SA id."),
    gettext_noop("No Chess SA id of the Chief Organiser, %(name)s, is given. Give it with the name."),
    gettext_noop(
        "The Chess SA id of the Chief Organiser, %(name)s, is that of %(other)s on the register. Correct the id or the"
        " name in the registration."
    ),
    gettext_noop("All %(count)s players: no full date of birth. Complete them."),
    gettext_noop("All %(count)s players: no gender (M or F). Complete them."),
    gettext_noop("All %(count)s players: no FIDE id, which a FIDE-rated event asks for. Complete them."),
    gettext_noop("%(names)s: no full date of birth. Complete them."),
    gettext_noop("%(names)s: no gender (M or F). Complete them."),
    gettext_noop("%(names)s: no FIDE id, which a FIDE-rated event asks for. Complete them."),
    gettext_noop("%(count)s line gives no full date of birth; the register has it."),
    gettext_noop("%(count)s lines give no full date of birth; the register has it."),
    gettext_noop("%(count)s line gives no gender (M or F); the register has it."),
    gettext_noop("%(count)s lines give no gender (M or F); the register has it."),
    gettext_noop("%(count)s line gives no FIDE id; the register has it."),
    gettext_noop("%(count)s lines give no FIDE id; the register has it."),
    gettext_noop("%(name)s (start number %(number)s): the date of birth is still to come. Correct it in the file."),
    gettext_noop("No Chief Arbiter is named. Give the arbiters in order of position."),
    gettext_noop(
        "The file has no teams, which a %(format)s section has. Upload one with its teams, or correct the format."
    ),
    gettext_noop("%(played)s; a %(format)s section needs at least %(least)s. Ask permission."),
    gettext_noop("%(played)s; a %(format)s section needs at least %(least)s. Ask permission, or merge sections."),
    gettext_noop("%(played)s; a %(format)s section needs at least %(least)s. It was permitted on %(day)s."),
    gettext_noop(
        "%(played)s; a %(format)s section needs at least %(least)s. Permission for %(permitted)s was granted on %(day)s; an"
        " officer decides."
    ),
    gettext_noop(
        "%(played)s; a %(format)s section needs at least %(least)s. Permission for %(permitted)s was declined on %(day)s; an"
        " officer decides."
    ),
    gettext_noop("%(control)s makes %(minutes)s minute; under %(least)s is not rated."),
    gettext_noop("%(control)s makes %(minutes)s minutes; under %(least)s is not rated."),
    gettext_noop(
        "By the uploader’s answer the games had different time controls, and such a section is not rated: refuse it, or"
        " decide which one counts; %(control)s is registered."
    ),
    gettext_noop("%(control)s is taken for all games, and the file says %(in_file)s. So the uploader says: %(reason)s"),
    gettext_noop("%(control)s is taken for all games, and the file says %(in_file)s. So the uploader says."),
    gettext_noop(
        "The file states several time controls, %(in_file)s; %(control)s is registered. Say which one was played."
    ),
    gettext_noop("The time control is given as %(control)s, and the file says %(in_file)s. Say which was played."),
    gettext_noop(
        "The event ended on %(day)s; its file was due by %(due)s. An officer decides whether it is still rated."
    ),
    gettext_noop("The arbiters were changed after the event had begun: %(names)s."),
    gettext_noop(
        "Appointed for rounds that the event has not, whose last is round %(round)s: %(names)s. Correct the rounds in the"
        " registration."
    ),
    gettext_noop(
        "No arbiter is appointed for %(rounds)s. Add who was there to the event’s arbiters, or say that nobody was."
    ),
    gettext_noop(
        "No registration with arbiters stands beside the file, so that one was there in every round cannot be checked;"
        " those of the file are taken to have served in all."
    ),
    gettext_noop(
        "%(name)s is not on the register of arbiters by that name, and may be %(names)s. Say who it is, or name the arbiter as"
        " the AOC does, with the id."
    ),
    gettext_noop(
        "%(names)s: not on the register of arbiters, so recognition, membership and playing (articles 6 to 8) cannot be"
        " checked. Name the arbiter as the AOC does, with the id."
    ),
    gettext_noop(
        "%(names)s: the AOC’s membership fee of %(years)s was not paid before the event started on %(day)s. Send proof of"
        " the payment, or the officer decides."
    ),
    gettext_noop(
        "%(names)s: FIDE’s licence fee of %(year)s was not paid before the event started on %(day)s. Send proof of the"
        " payment, or the officer decides."
    ),
    gettext_noop("An arbiter of the event plays in it: %(names)s. Correct the file, or the officer decides."),
    gettext_noop(
        "A player bears the name of an arbiter of the event, and no id tells them apart: %(names)s. An arbiter may not"
        " play. If they are two people, have the arbiter’s Chess SA id put on the register of arbiters, or the officer"
        " decides."
    ),
    gettext_noop("The file’s Chief Arbiter is %(name)s, the registration’s is %(other)s. Correct whichever is wrong."),
    gettext_noop(
        "The file names arbiters whom the registration does not appoint: %(names)s. Did they serve? Add who did, or"
        " correct the file."
    ),
    gettext_noop("The registration appoints others, too, whom the file does not name: %(names)s."),
    gettext_noop(
        "The id beside an arbiter’s name in the file is another person’s: %(names)s. Correct the id or the name."
    ),
    gettext_noop(
        "An arbiter’s id on the AOC’s register is another person’s on the register of players: %(names)s. Ask the AOC"
        " which is right, or an officer corrects the register."
    ),
    gettext_noop(
        "%(names)s: no FIDE id, which a FIDE-rated event asks for. Give it behind the arbiter’s name in the file, or have"
        " it put on the register."
    ),
    gettext_noop(
        "%(names)s: no Chess SA id or FIDE id. Give it behind the arbiter’s name in the file, or have it put on the"
        " register."
    ),
    gettext_noop("%(names)s: no title. Give it before the arbiter’s name, as in “NA Name Surname”."),
    gettext_noop("Another title than on the register of arbiters: %(names)s."),
    gettext_noop(
        "By the registered last day, %(registered)s, the file would be late; by its own, %(day)s, it is not. An officer"
        " decides whether it is rated."
    ),
    gettext_noop(
        "%(registered)s round is registered, and the file has %(in_file)s. If rounds are missing, upload the complete"
        " file; if they were not played, say so when you submit."
    ),
    gettext_noop(
        "%(registered)s round is registered, and the file has %(in_file)s. Is it the file of this section? Then the"
        " file’s rounds are taken."
    ),
    gettext_noop(
        "%(registered)s rounds are registered, and the file has %(in_file)s. If rounds are missing, upload the complete"
        " file; if they were not played, say so when you submit."
    ),
    gettext_noop(
        "%(registered)s rounds are registered, and the file has %(in_file)s. Is it the file of this section? Then the"
        " file’s rounds are taken."
    ),
    gettext_noop(
        "The section is registered as a %(format)s, in which %(players)s players meet in %(rounds_needed)s rounds; the"
        " file has %(in_file)s. Is the format right?"
    ),
    gettext_noop("Not played on the registered day: %(dated_rounds)s."),
    gettext_noop(
        "The file’s days are not the registered ones: start %(first)s instead of %(registered_first)s, end %(last)s"
        " instead of %(registered_last)s. Say which are right."
    ),
    gettext_noop(
        "The file’s days are not the registered ones: start %(first)s instead of %(registered_first)s. Say which are"
        " right."
    ),
    gettext_noop(
        "The file’s days are not the registered ones: end %(last)s instead of %(registered_last)s. Say which are right."
    ),
    gettext_noop("The file gives no days: the registered ones are taken, %(days)s."),
    gettext_noop(
        "Not on the register, and without surname and a full first name: %(names)s. Give at least one first name."
    ),
    gettext_noop("No region has the code %(code)s: %(names)s. Say which region is meant."),
    gettext_noop("Another region than on the register: %(names)s. Say which is right."),
    gettext_noop(
        "Another region than on the register, and the uploader says that the file is right: %(names)s. An officer"
        " corrects the register, or decides."
    ),
    gettext_noop(
        "On the register without a region. Each gets the one of the file, or else the host region, when it is accepted:"
        " %(names)s."
    ),
    gettext_noop("FIDE’s list of %(month)s has the FIDE id %(id)s for %(name)s, and not for %(other)s."),
    gettext_noop(
        "FIDE’s list of %(month)s has no player with the FIDE id of %(count)s line; the first is %(id)s, %(name)s."
    ),
    gettext_noop(
        "FIDE’s list of %(month)s has no player with the FIDE id of %(count)s lines; the first is %(id)s, %(name)s."
    ),
    gettext_noop("The file has no game that was played: there is nothing to rate."),
    gettext_noop("The file gives no dates. Say when the section was played (in the registration)."),
    gettext_noop(
        "%(name)s (start number %(number)s) was said to be %(player)s, who is on the register no more. Take that answer"
        " back, and say again who it is."
    ),
    gettext_noop("%(section)s is refused and stays as it is, unless an appeal is upheld (article 11)."),
    gettext_noop("%(section)s is %(state)s and stays as it is: only a returned section is submitted again."),
    gettext_noop("%(section)s is %(state)s: only a returned section is submitted again. Have it returned first."),
    gettext_noop(
        "The uploader’s dates are taken, not the file’s: start %(first)s instead of %(first_in_file)s, end %(last)s"
        " instead of %(last_in_file)s."
    ),
    gettext_noop("The uploader’s dates are taken, not the file’s: start %(first)s instead of %(first_in_file)s."),
    gettext_noop("The uploader’s dates are taken, not the file’s: end %(last)s instead of %(last_in_file)s."),
    gettext_noop("%(name)s (start number %(number)s) is %(player)s, who was new in another section of the event, too."),
    gettext_noop(
        "%(name)s (start number %(number)s) has Chess SA id %(id)s in the file and is taken for %(player)s: %(evidence)s."
        " Correct the id in the file, or an officer decides."
    ),
    gettext_noop(
        "%(count)s line with the player’s Chess SA id in the column for FIDE ids; it is read as the Chess SA id that it"
        " is: %(names)s."
    ),
    gettext_noop(
        "%(count)s lines with the player’s Chess SA id in the column for FIDE ids; it is read as the Chess SA id that it"
        " is: %(names)s."
    ),
    gettext_noop(
        "%(count)s line without a Chess SA id: who they are is shown among the players found on the register, and"
        " confirmed with the declaration."
    ),
    gettext_noop(
        "%(count)s lines without a Chess SA id: who they are is shown among the players found on the register, and"
        " confirmed with the declaration."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) is %(player)s, and so is another line of the file: %(evidence)s. Take one of"
        " the two answers back, so that each player stands once."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) is %(player)s, and so is another line of the file: %(evidence)s. Correct the"
        " ids in the file, so that each player stands once."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) is %(player)s, as the uploader says, and the date of birth in the file is not"
        " the register’s. Correct it in the file, or an officer corrects the register."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) is %(player)s, as the uploader says, and the gender in the file is not the"
        " register’s. Correct it in the file, or an officer corrects the register."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) is %(player)s, as the uploader says, and the name in the file is not the"
        " register’s. Correct it in the file, or an officer corrects the register."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) is %(player)s, who died in %(died)s; the section ended on %(ends)s."
        " Correct the id, if somebody else played; else an officer decides."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) has the Chess SA id of a player whose data was erased at his wish. Correct the id,"
        " or say that the player is new; else an officer decides."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) is %(player)s by the id, and was born in another year than on the register."
        " Correct the year in the file, or the id; or an officer corrects the register."
    ),
    gettext_noop(
        "Born on another day of the year than on the register: %(names)s. They are taken by their ids. Correct the day in"
        " the file, or have the register corrected."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) is not on the register, and the file gives no name. Correct the id, or give"
        " the name."
    ),
    gettext_noop("Kept without the characters that cannot be seen: %(names)s."),
    gettext_noop("%(name)s…: a last name and a first name have at most %(most)s letters each. Shorten it."),
    gettext_noop(
        "Start number %(number)s: the name of a new player. %(word)s has no letter. Write the name, or leave it blank."
    ),
    gettext_noop(
        "Start number %(number)s: the name of a new player. There is a character that cannot be seen, %(character)s."
        " Remove it."
    ),
    gettext_noop(
        "Start number %(number)s: the name of a new player. %(word)s begins with “%(sign)s”, by which spreadsheets know a"
        " formula. Remove the sign."
    ),
    gettext_noop(
        "Start number %(number)s: the name of a new player. %(word)s has letters of two alphabets that look alike"
        " (%(alphabets)s). Write it in one."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) has Chess SA id %(id)s, where nine digits were expected. It is not taken: a"
        " new player gets the next free number."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) has Chess SA id %(id)s, and so has another line. Correct the ids in the file."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) has FIDE id %(id)s, and so has another line. Correct the ids in the file."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) has the name of start number %(other)s and was born on the same day: one new player"
        " would be registered twice. Leave one of the lines out, or correct the name or the birth date."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) has the name of start number %(other)s, and no birth date tells the two new players"
        " apart. Give both birth dates, or an officer decides whether they are two."
    ),
    gettext_noop(
        "Nine digits, as Chess SA’s ids have, in the column for FIDE ids, of %(count)s player not known on the register:"
        " %(names)s. Correct the id in the file; as it stands, a new player gets it as FIDE id."
    ),
    gettext_noop(
        "Nine digits, as Chess SA’s ids have, in the column for FIDE ids, of %(count)s players not known on the register:"
        " %(names)s. Correct the id in the file; as it stands, a new player gets it as FIDE id."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s): new by the uploader’s answer, and not looked up by name on the register."
        " More than 2 lines bear the name without an id that tells them apart, or bear the id: with a birth date on each"
        " they would find out the register’s."
    ),
    gettext_noop(
        "%(name)s (start numbers %(numbers)s): new by the uploader’s answer, and not looked up by name on the register."
        " More than 2 lines bear the name without an id that tells them apart, or bear the id: with a birth date on each"
        " they would find out the register’s."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) is not on the register. Confirm that the player is new (with “New players” on"
        " this page), or give the Chess SA id in the file."
    ),
    gettext_noop(
        "%(count)s players are not on the register: %(names)s. Confirm that they are new (with “New players” on this"
        " page), or give their Chess SA ids in the file."
    ),
    gettext_noop(
        "%(names)s: not looked up by name. More than 2 lines bear the name without an id that tells them apart, or bear"
        " the id: with a birth date on each they would find out the register’s. Give the Chess SA ids in the file, or say"
        " beside the line on this page who it is."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) may be %(player)s: %(evidence)s. Say which beside the line on this page, or"
        " correct the id, the name or the birth date, in the file or on the register, so that they agree."
    ),
    gettext_noop(
        "%(name)s (start number %(number)s) may be %(player)s: %(evidence)s. Taken for a new player, as the uploader"
        " confirms."
    ),
    gettext_noop(
        "This very file is uploaded for %(section)s, too. Each section has its own games: take one of the two files away."
    ),
    gettext_noop(
        "This very file was submitted before, for %(section)s. Each section has its own games: take one of the two files"
        " away."
    ),
    gettext_noop(
        "This very file was submitted before, for %(section)s. It was returned: submit the file for section %(number)s"
        " (on its event’s page)."
    ),
    gettext_noop(
        "This very file was submitted before, for %(section)s. A section is rated once, and this one is %(state)s and"
        " stays as it is."
    ),
    gettext_noop(
        "This very file was submitted before, for %(section)s. A section is rated once; to correct it, have it returned,"
        " then submit it for section %(number)s."
    ),
    gettext_noop(
        "The same results were submitted before, for %(section)s. Each section has its own games: take one of the two"
        " files away."
    ),
    gettext_noop(
        "The same results were submitted before, for %(section)s. It was returned: submit the file for section %(number)s"
        " (on its event’s page)."
    ),
    gettext_noop(
        "The same results were submitted before, for %(section)s. A section is rated once, and this one is %(state)s and"
        " stays as it is."
    ),
    gettext_noop(
        "The same results were submitted before, for %(section)s. A section is rated once; to correct it, have it"
        " returned, then submit it for section %(number)s."
    ),
    gettext_noop("The file could not be checked, which is a fault of this software: tell the ratings bureau."),
    values={
        "evidence": evidence_shown,
        "rounds": _rounds,
        "names": _listed,
        "dated_rounds": _dated_rounds,
        "played": _played,
        "permitted": _permitted,
        "state": state_name,
    },
)
# What `events.submission.differences` writes.
CHANGES = PureTexts(
    gettext_noop("The name of the event is %(now)s instead of %(before)s."),
    gettext_noop("The name of the event is %(now)s; there was none."),
    gettext_noop("The name of the event is gone; it was %(before)s."),
    gettext_noop("The city is %(now)s instead of %(before)s."),
    gettext_noop("The city is %(now)s; there was none."),
    gettext_noop("The city is gone; it was %(before)s."),
    gettext_noop("The start is %(now)s instead of %(before)s."),
    gettext_noop("The start is %(now)s; there was none."),
    gettext_noop("The start is gone; it was %(before)s."),
    gettext_noop("The end is %(now)s instead of %(before)s."),
    gettext_noop("The end is %(now)s; there was none."),
    gettext_noop("The end is gone; it was %(before)s."),
    gettext_noop("The Chief Arbiter is %(now)s instead of %(before)s."),
    gettext_noop("The Chief Arbiter is %(now)s; there was none."),
    gettext_noop("The Chief Arbiter is gone; it was %(before)s."),
    gettext_noop("The list of the Deputies is %(now)s instead of %(before)s."),
    gettext_noop("The list of the Deputies is %(now)s; there was none."),
    gettext_noop("The list of the Deputies is gone; it was %(before)s."),
    gettext_noop("The time control is %(now)s instead of %(before)s."),
    gettext_noop("The time control is %(now)s; there was none."),
    gettext_noop("The time control is gone; it was %(before)s."),
    gettext_noop("The number of rounds planned is %(now)s instead of %(before)s."),
    gettext_noop("The number of rounds planned is %(now)s; there was none."),
    gettext_noop("The number of rounds planned is gone; it was %(before)s."),
    gettext_noop("The date of round %(round)s is %(now)s instead of %(before)s."),
    gettext_noop("The date of round %(round)s is %(now)s; there was none."),
    gettext_noop("The date of round %(round)s is gone; it was %(before)s."),
    gettext_noop("The name of %(name)s is %(now)s instead of %(before)s."),
    gettext_noop("The name of %(name)s is %(now)s; there was none."),
    gettext_noop("The name of %(name)s is gone; it was %(before)s."),
    gettext_noop("The national id of %(name)s is %(now)s instead of %(before)s."),
    gettext_noop("The national id of %(name)s is %(now)s; there was none."),
    gettext_noop("The national id of %(name)s is gone; it was %(before)s."),
    gettext_noop("The FIDE id of %(name)s is %(now)s instead of %(before)s."),
    gettext_noop("The FIDE id of %(name)s is %(now)s; there was none."),
    gettext_noop("The FIDE id of %(name)s is gone; it was %(before)s."),
    gettext_noop("The birth date of %(name)s is %(now)s instead of %(before)s."),
    gettext_noop("The birth date of %(name)s is %(now)s; there was none."),
    gettext_noop("The birth date of %(name)s is gone; it was %(before)s."),
    gettext_noop("The sex of %(name)s is %(now)s instead of %(before)s."),
    gettext_noop("The sex of %(name)s is %(now)s; there was none."),
    gettext_noop("The sex of %(name)s is gone; it was %(before)s."),
    gettext_noop("The title of %(name)s is %(now)s instead of %(before)s."),
    gettext_noop("The title of %(name)s is %(now)s; there was none."),
    gettext_noop("The title of %(name)s is gone; it was %(before)s."),
    gettext_noop("The rating of %(name)s is %(now)s instead of %(before)s."),
    gettext_noop("The rating of %(name)s is %(now)s; there was none."),
    gettext_noop("The rating of %(name)s is gone; it was %(before)s."),
    gettext_noop("Round %(round)s: the colours are those of %(now)s instead of %(before)s; the result stays."),
    gettext_noop("Round %(round)s: %(now)s instead of %(before)s."),
    gettext_noop("Round %(round)s: %(game)s is new in the file."),
    gettext_noop("Round %(round)s: %(game)s is no longer in the file."),
    gettext_noop("%(name)s is new in the file."),
    gettext_noop("%(name)s is no longer in the file."),
)


def finding_said(message: str) -> str:
    """Return what a check or a reader of files found in the reader's language."""
    if _REPEATED.knows(message):
        return _REPEATED.said(message)
    return _once(message)


def _once(message: str) -> str:
    texts = FINDINGS if FINDINGS.knows(message) else FILE_FINDINGS
    return texts.said(message)


def repeated(once: Callable[[str], str]) -> PureTexts:
    """Return what `events.files.collector` adds to the last of many alike. `once`: says the message itself."""
    return PureTexts(
        gettext_noop("%(message)s Found %(count)s times; this is the first."),
        gettext_noop("%(message)s %(count)s more of this kind follow and are not listed."),
        values={"message": once},
    )


_REPEATED = repeated(_once)
