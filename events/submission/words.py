"""What the page of an event's results says in the reader's language of what is kept in English: reports, answers, decisions."""

import re
from typing import Any

from django.utils.translation import gettext, gettext_noop

from config.languages import counted
from config.lib import formatting
from config.lib.pure_texts import PureTexts
from events.rules.limits import MAX_BYTES, size_in_mb
from events.submission.finding_words import evidence_shown, finding_said

# Questions and answers as the forms of `events.submission.correction_forms` and the carrying over of answers write them. The
# longer text stands before one that it could be taken for.
ANSWERS = PureTexts(
    gettext_noop("Who is %(name)s (start number %(number)s)?"),
    gettext_noop("%(name)s (start number %(number)s) is a new player."),
    gettext_noop("%(name)s (start number %(number)s) is of %(region)s, as the file says."),
    gettext_noop("%(name)s (start number %(number)s) is of %(region)s, as the register says."),
    gettext_noop("%(name)s (start number %(number)s) is %(player)s."),
    gettext_noop("%(name)s (start number %(number)s): %(region)s or %(other)s?"),
    gettext_noop("%(name)s: no date of birth"),
    gettext_noop("%(name)s: date of birth %(day)s."),
    gettext_noop("%(name)s: no gender"),
    gettext_noop("%(name)s: gender %(gender)s."),
    gettext_noop("%(name)s: no full first name"),
    gettext_noop("%(name)s: full first name %(first)s."),
    gettext_noop("%(name)s: no FIDE id"),
    gettext_noop("%(name)s: FIDE id %(id)s."),
    gettext_noop("%(name)s: no region"),
    gettext_noop("%(name)s: region %(region)s."),
    gettext_noop("On which day was round %(round)s played?"),
    gettext_noop("Round %(round)s was played on %(day)s."),
    gettext_noop("On which days was the section played?"),
    gettext_noop("It was played on the file’s days."),
    gettext_noop("It was played on the registered days."),
    gettext_noop("Which time control was played?"),
    gettext_noop("All games were played with %(control)s, as registered: %(reason)s"),
    gettext_noop("All games were played with %(control)s, as in the file: %(reason)s"),
    gettext_noop("The games had different time controls: %(reason)s"),
    gettext_noop("Which arbiter served?"),
    gettext_noop("%(arbiter)s served, too."),
    gettext_noop("Who is %(name)s, whom the file names as arbiter?"),
    gettext_noop("%(name)s is %(arbiter)s of the register of arbiters."),
    gettext_noop("How is the file written?"),
    gettext_noop("The file is written in %(encoding)s."),
    gettext_noop("Which region is %(code)s?"),
    gettext_noop("%(code)s is %(region)s."),
)
# Why a file was taken for a section, as `events.rules.section_guess` writes it.
GUESSES = PureTexts(
    gettext_noop("The section’s name stands in the name of the tournament or of the file."),
    gettext_noop("The name of the tournament or of the file says the age, sex or rating of this section alone."),
    gettext_noop("Its players are not of the age, sex or rating that the names of the other sections say."),
    gettext_noop("%(count)s of its %(players)s players are in the section’s file before."),
    gettext_noop("%(count)s of %(players)s players are of the age that the section’s name says."),
    gettext_noop("%(count)s of %(players)s players are of the rating that the section’s name says."),
    gettext_noop("%(count)s of %(players)s players are of the sex that the section’s name says."),
)
# Answers about missed rounds, an officer's with what follows from a file that costs other points.
NOTICES = PureTexts(
    gettext_noop("without notice"),
    gettext_noop("without notice; that was for %(points)s points, so the officer decides anew"),
    gettext_noop("announced: %(reason)s; that was for %(points)s points, so the officer decides anew"),
    gettext_noop("announced: %(reason)s"),
)
# What `events.submission.compare` writes.
_COMPARED = PureTexts(
    gettext_noop("Name"),
    gettext_noop("Born"),
    gettext_noop("Gender"),
    gettext_noop("Chess SA id"),
    gettext_noop("FIDE id"),
    gettext_noop("not on the register"),
    gettext_noop("on the register"),
    gettext_noop("agrees in the year"),
    gettext_noop("agrees"),
    gettext_noop("differs in the day"),
    gettext_noop("differs in the year"),
    gettext_noop("not shown"),
)
# The places of findings, as `events.submission.report` writes them.
_PLACES = PureTexts(
    gettext_noop("line %(line)s, columns %(first)s–%(last)s"),
    gettext_noop("line %(line)s, column %(column)s"),
    gettext_noop("lines %(lines)s"),
    gettext_noop("line %(line)s"),
)
_LINE = re.compile(r"(Lines [0-9–, …]+|Line [0-9]+(?:, column [0-9]+)?): (.*?)(?: \(article ([^()]+)\))?", re.DOTALL)
_STAGES = (  # of a check, as `events.submission.checker` and `events.submission.validation` say them
    gettext_noop("Reading the file"),
    gettext_noop("Looking for the players on the register"),
    gettext_noop("Checking against the regulations"),
)
_SEVERITIES = {"error": gettext_noop("Error"), "hold": gettext_noop("Hold"), "note": gettext_noop("Note")}


def finding_shown(finding: dict[str, Any]) -> dict[str, Any]:
    """Return a finding of a report with `message`, `place` and what its severity is `called`, in the reader's language."""
    called = _SEVERITIES[finding["severity"]]
    return {
        **finding,
        "message": finding_said(finding["message"]),
        "place": _PLACES.said(finding["place"]),
        "called": gettext(called),
    }


def candidate_shown(line: dict[str, Any]) -> dict[str, Any]:
    """Return a candidate or a matched line of a report with the reason and the compared details in the reader's language."""
    shown = {**line, "reason": evidence_shown(line["reason"])}
    if "rows" in line:
        shown["rows"] = [_row_shown(row) for row in line["rows"]]
    return shown


def _row_shown(row: dict[str, Any]) -> dict[str, Any]:
    known = [[_COMPARED.said(text), same] for text, same in row["known"]]
    return {**row, "label": _COMPARED.said(row["label"]), "known": known}


def counted_severity(severity: str, number: int) -> str:
    """Return a count of findings: `3 errors`."""
    if severity == "error":
        return counted(number, "%(count)s error", "%(count)s errors")
    if severity == "hold":
        return counted(number, "%(count)s hold", "%(count)s holds")
    return counted(number, "%(count)s note", "%(count)s notes")


def line_shown(text: str) -> str:
    """Return a finding that was written on one line, with its place, in the reader's language."""
    match = _LINE.fullmatch(text)
    if match is None:
        return finding_said(text)
    place, message = formatting.sentence(_PLACES.said(match[1][:1].lower() + match[1][1:])), finding_said(match[2])
    article = " (" + gettext("article %(article)s") % {"article": match[3]} + ")" if match[3] else ""
    return f"{place}: {message}{article}"


def too_large(name: str, size: int) -> str:
    """Return why a file of more than MAX_BYTES is not read, and what to send. `size`: in bytes."""
    values = {"file": name, "size": formatting.in_style(size_in_mb(size)), "most": MAX_BYTES // 1_000_000}
    text = gettext("%(file)s has %(size)s MB; at most %(most)s MB can be read. Send the tournament file alone.")
    return text % values
