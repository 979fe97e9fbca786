"""A federation of any size, straight into the database: for runs that are killed, compared or timed."""

from datetime import UTC, date, datetime

import numpy as np

from events.models import Event, RatingPeriod, Section
from events.periods import get_or_create_period
from players.models import Player, Region
from ratings.runs.bulk_insert import insert_columns

MONTH = date(2024, 3, 1)
TIME_CONTROLS = [(90, 30), (60, 0), (15, 10), (3, 2), (120, 30)]
RESULTS = np.array(["1-0", "0-1", "1/2-1/2"])
CLOCK = datetime(2024, 4, 1, 8, 0, tzinfo=UTC)


def load(
    *, players: int, games: int, sections: int, seed: int = 1, month: date = MONTH, active: float = 4 / 15
) -> RatingPeriod:
    """Make this many players (those that are missing), and a month of accepted games among the first of them."""
    from events.models import Game

    random = np.random.default_rng(seed)
    region = Region.objects.get(code="GAU")
    have = Player.objects.count()
    insert_columns(
        Player,
        {
            "number": [f"{number:09d}" for number in range(200_000_000 + have, 200_000_000 + players)],
            "last_name": [f"Surname{number}" for number in range(have, players)],
            "first_name": ["Given"] * (players - have),
            "folded_name": [f" surname{number} given" for number in range(have, players)],
            "club": [""] * (players - have),
            "sex": ["M"] * (players - have),
            "email": [""] * (players - have),
            "federation": ["RSA"] * (players - have),
            "region_id": [region.pk] * (players - have),
            "registered_at": [CLOCK.isoformat(sep=" ")] * (players - have),
        },
    )
    made_now = Player.objects.filter(number__gte=f"{200_000_000 + have:09d}", number__lt=f"{200_000_000 + players:09d}")
    Player.history.bulk_history_create(list(made_now), batch_size=1000, default_date=CLOCK)
    ids = np.array(list(Player.objects.order_by("pk").values_list("pk", flat=True)))
    period = get_or_create_period(month)
    events = Event.objects.bulk_create(
        Event(
            name=f"Event {index}", region=region, starts=month, ends=month.replace(day=1 + index % 28), state="accepted"
        )
        for index in range(sections)
    )
    made = Section.objects.bulk_create(
        Section(
            event=event,
            base_minutes=TIME_CONTROLS[index % 5][0],
            increment_seconds=TIME_CONTROLS[index % 5][1],
            starts=month,
            ends=event.ends,
            period=period,
        )
        for index, event in enumerate(events)
    )
    rows: dict[str, list[object]] = {name: [] for name in ("section_id", "round", "white_id", "black_id", "result")}
    playing = ids[: max(40, int(len(ids) * active))]
    for index, section in enumerate(made):
        wanted = games * (index + 1) // sections - games * index // sections
        size = min(len(playing) // 2 * 2, max(12, 2 * round(wanted / 7)))
        chosen = random.choice(playing, size=size, replace=False)
        round_ = 0
        while wanted > 0:
            round_ += 1
            pairs = random.permutation(chosen)[: 2 * min(wanted, size // 2)].reshape(-1, 2)
            wanted -= len(pairs)
            rows["section_id"] += [section.pk] * len(pairs)
            rows["round"] += [round_] * len(pairs)
            rows["white_id"] += pairs[:, 0].tolist()
            rows["black_id"] += pairs[:, 1].tolist()
            rows["result"] += random.choice(RESULTS, size=len(pairs)).tolist()
    colour_known = ["t" if _is_postgres() else 1] * len(rows["round"])
    insert_columns(Game, {**rows, "colour_known": colour_known})
    return period


def _is_postgres() -> bool:
    from django.db import connection

    return connection.vendor == "postgresql"
