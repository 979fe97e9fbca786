"""An event that was played, and the files of its sections. Names are invented."""

import re
from datetime import date, timedelta
from string import ascii_lowercase

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from events.models import Event, Round, Section, Upload
from events.operations import add_section, register_event
from events.submission.tasks import check_upload
from events.submission.uploads import not_submitted, take_file
from players.models import Player
from players.operations import NewPlayer, register_players
from tests.builders import Line, details, everything, lines, recognised, round_robin, trf

FIRST = timezone.localdate() - timedelta(days=4)
LAST = FIRST + timedelta(days=1)


def played(*names: str, first: date = FIRST, last: date = LAST, **fields) -> Event:
    """A registered event with these sections (one without a name, unless told), played a few days ago."""
    now = timezone.now()
    recognised(year=first.year)
    event = register_event(details(first, last, **fields), at=now)
    for name in names or ("",):
        days = Section(base_minutes=90, increment_seconds=30, starts=first, ends=last, name=name, planned_rounds=5)
        section = add_section(event, days)
        for number in range(1, 6):
            Round.objects.create(section=section, number=number, date=first if number < 3 else last)
    return event


def known(count: int = 6) -> list[Player]:
    """The players of a file, on the register."""
    return on_register(lines(count))


def on_register(listed: list[Line]) -> list[Player]:
    """Register the players of some lines."""
    people = [[*one.name.split(", "), date.fromisoformat(one.born.replace("/", "-"))] for one in listed]
    return register_players(
        [NewPlayer(last, first, birth_date=born, sex="M") for last, first, born in people], at=timezone.now()
    )


def clean(count: int = 6, *, results: str = "1=01", rounds=None, **fields) -> bytes:
    """A file of which the regulations ask nothing more."""
    days = {"starts": FIRST, "ends": LAST, **fields}
    return trf(lines(count), rounds or round_robin(count, results), **days)


def many(count: int = 600) -> tuple[list[Line], bytes]:
    """So many players, an even number, and a file of five rounds, which is large from a few hundred on."""
    ends = ("".join(ascii_lowercase[place // 26**power % 26] for power in range(2)) for place in range(count))
    people = [
        Line(f"{one.name}{end}", born=f"{1980 + place % 30}/05/17")
        for place, (one, end) in enumerate(zip(lines(count), ends, strict=True))
    ]
    rounds = [
        [(place + 1, (place + 1 + 2 * turn) % count + 1, "1") for place in range(0, count, 2)] for turn in range(5)
    ]
    return people, trf(people, rounds, starts=FIRST, ends=LAST)


def taken(event: Event, content: bytes | None = None, *, section: Section | None = None, name="open.trf") -> Upload:
    """A file, uploaded and checked."""
    upload = take_file(
        event, name=name, content=clean() if content is None else content, at=timezone.now(), by=None, section=section
    )
    check_upload(upload.pk)
    return Upload.objects.get(pk=upload.pk)


def current(event: Event) -> Upload:
    """The one file of an event that is still to be sent in."""
    return not_submitted(event.uploads.all()).get()


def codes(upload: Upload) -> list[str]:
    """The codes of an upload's findings but the notes, in the order of the report."""
    return [
        finding["code"]
        for group in upload.report["groups"]
        for finding in group["findings"]
        if finding["severity"] != "note"
    ]


def sent_file(content: bytes | None = None, name: str = "open.trf") -> SimpleUploadedFile:
    """A file as a browser sends it."""
    return SimpleUploadedFile(name, clean() if content is None else content)


def do(client, event: Event, action: str, **fields):
    """What a button of the page sends to the address of an action below the page's own."""
    page = f"/events/{event.pk}/results/"
    if action == "submit" and "shown" not in fields:
        found = re.search(r'name="shown" value="([^"]*)"', client.get(page).content.decode())
        fields["shown"] = found[1] if found else ""
    return client.post(f"{page}{action}/", fields)


def table(client, upload: Upload, button: str, **fields):
    """What a button of the table of a file's players sends, with some fields: `birth_3="1999-05-17"`."""
    given = {name.replace("_", "-"): value for name, value in fields.items()}
    return client.post(f"/events/{upload.event_id}/results/{upload.pk}/players/", {"do": button, **given})


def correction(client, upload: Upload, form: str, key: str = "", **fields):
    """What a form of a report sends."""
    prefix = "-".join(part for part in (f"u{upload.pk}", form, key) if part)
    given = {f"{prefix}-{name.lstrip('_')}": value for name, value in fields.items()}
    return do(client, upload.event, f"{upload.pk}/corrections/{form}", key=key, **given)


def written() -> dict[str, list[tuple[object, ...]]]:
    """Every row but those of the files still to be sent in, which are checked once more when sending in is refused, and what
    is kept as it was typed."""
    kept = {"events_upload", "events_unsavedanswer"}
    return {table: rows for table, rows in everything().items() if table not in kept}


def answer_penalties(client, upload: Upload) -> None:
    """Answer every penalty that a file proposes: it was without notice."""
    for proposal in upload.report["proposals"]:
        field = f"u{upload.pk}-penalty-{proposal['key']}-notice"
        answer = do(client, upload.event, f"{upload.pk}/penalties/{proposal['key']}", **{field: "without"})
        assert answer.status_code == 302
