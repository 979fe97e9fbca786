"""What one bureau exports, another begins with: its next months are the same, bit for bit, on every list."""

import json
import random
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from events.models import Penalty
from ratings.models import Rating, RatingList
from tests.builders import event_of, months, people, publish

MONTHS = months(date(2021, 12, 1), 28)
EXPORTED, AFTER = MONTHS[25], MONTHS[26:]
COLUMNS = (
    "list__code", "player__number", "raw", "weighted", "published", "highest", "change", "weighted_performance", "previous",
    "window_sum", "window_weighted", "pending_penalty", "standing", "k", "recent",
)  # fmt: skip


class _UndoneError(Exception):
    """Ends a transaction whose rows are not to stay."""


def _events(players, month, seed):
    dice = random.Random(f"{seed} {month}")
    for base in (60, 10, 5) if month > MONTHS[20] else dice.sample((60, 10, 5), 1):
        order = dice.sample(players, 6)
        games = [(*order[at : at + 2], dice.choice(["1-0", "0-1", "1/2-1/2"])) for at in (0, 2, 4)]
        section = event_of(games, month.replace(day=dice.randint(1, 28)), base=base).sections.get()
        if dice.random() < 0.3:
            Penalty.objects.create(
                section=section, player=order[0], round=1, kind="forfeit", points=20, status="confirmed"
            )


def _figures(month):
    rows = Rating.objects.filter(run__publication__period__month=month).order_by("list__position", "player__number")
    return [(*row[:-1], bytes(row[-1] or b"")) for row in rows.values_list(*COLUMNS)]


def _bureau(seed, *, document=""):
    """The figures of the months after the exported one, and the export; a bureau with a `document` begins with that."""
    out = StringIO()
    try:
        with transaction.atomic():
            main = RatingList.objects.get(code="main")
            for place, (system, start) in enumerate((("icu", main), ("uscf", None), ("cfc", main)), start=5):
                RatingList.objects.create(
                    code=f"our-{system}", name=f"Our {system}", position=place, system=system, starts_from=start
                )
            players = people(14)
            own = AFTER if document else MONTHS
            for month in own:
                _events(players if month > MONTHS[11] else players[:9], month, seed)
            if document:
                call_command("opening_balance", document, month=f"{EXPORTED:%Y-%m}", confirm=True, stdout=StringIO())
            for month in own:
                publish(month)
                if month == EXPORTED:
                    call_command("export_opening", f"{month:%Y-%m}", stdout=out)
            figures = {month: _figures(month) for month in AFTER}
            raise _UndoneError
    except _UndoneError:
        return figures, out.getvalue()


@pytest.mark.django_db
@pytest.mark.rule("chessa 49")
def test_the_next_months_are_the_same_bit_for_bit(tmp_path):
    there, exported = _bureau(1)
    assert [case["system"] for case in json.loads(exported)] == ["chessa", "icu", "uscf", "cfc"]
    path = tmp_path / "opening.json"
    path.write_text(exported, encoding="utf-8")
    here, _ = _bureau(1, document=str(path))
    assert len(there[AFTER[0]]) > 60
    assert here == there


@pytest.mark.django_db
def test_only_a_published_month_has_standings_to_export():
    one, two = people(2)
    event_of([(one, two, "1-0")])
    with pytest.raises(CommandError, match="2024-03 is not published: export a published month"):
        call_command("export_opening", "2024-03")
    publish()
    out = StringIO()
    call_command("export_opening", "2024-03", stdout=out)
    case = json.loads(out.getvalue())
    assert (case["system"], case["calculated_on"], len(case["players"])) == ("chessa", "2024-05-01", 2)
