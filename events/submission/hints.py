"""Where an uploader answers what a message asks: on the command line, in a form of the admin, or on the page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageHints:
    """Where the uploader answers: that players are new, who a line is, the section's days, the returned section.

    The places of `match` and `section` are filled with the start number and the key of the section.
    """

    create: str
    match: str
    days: str
    section: str


COMMAND_HINTS = MessageHints("--create-players", "with --match {}=NUMBER", "--started, --ended", "--section {}")
FORM_HINTS = MessageHints(
    "tick “New players”", "with a line {}=NUMBER under “Players”", "“Starts”, “Ends”", "under “Returned section”"
)
# A file for a published section: newcomers are entered on the register first.
ANEW_COMMAND_HINTS = MessageHints(
    "enter them on the register first, then --match START=ID",
    "with --match {}=NUMBER",
    "in the file",
    "--section {}",
)
ANEW_FORM_HINTS = MessageHints(
    "enter them on the register first, then name them under “Players”",
    "with a line {}=NUMBER under “Players”",
    "in the file",
    "under “Returned section”",
)
PAGE_HINTS = MessageHints(
    "with “New players” on this page", "beside the line on this page", "in the registration", "on its event’s page"
)
