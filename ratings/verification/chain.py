"""Walks the hash chain of the published lists from its first seal to the newest."""

from collections.abc import Iterator

from events.models import RatingPeriod
from ratings.models import PublishedRun, RatingList, RatingRun, Revision, Seal
from ratings.seals.hashes import COLUMNS, FORMER, row_key, rows_hash_of, seal_hash
from ratings.seals.queries import ChainLink, first_sealed, statement_of
from ratings.seals.rows import lists_of, rows_of, unpacked
from ratings.verification.findings import Finding, as_far_as_readable, stands

_SEALED = "as it was sealed"


def walk_chain() -> Iterator[tuple[ChainLink, list[Finding]]]:
    """Yield number and hash of each seal in order, with what is wrong with it, or with its list as it is now. One list is in
    memory at a time."""
    previous, expected = "", 1
    for key, number, code, digest in Seal.objects.order_by("number").values_list("pk", "number", "code", "hash"):
        place = f"list {code}, seal {number}"
        yield ChainLink(number, digest), list(as_far_as_readable(place, _of_seal(key, expected, previous)))
        # SQLite would keep a text there, too.
        previous, expected = digest, (number if isinstance(number, int) else expected) + 1


def outside_chain() -> Iterator[Finding]:
    """Yield the published lists that have no seal, and the months whose lists in force are not those of their last revision, or
    came from another month's run."""
    codes, first = dict(RatingList.objects.values_list("pk", "code")), first_sealed()
    sealed: dict[int, set[int]] = {}
    for revision_id, list_id in Seal.objects.order_by().values_list("revision", "list"):
        sealed.setdefault(revision_id, set()).add(list_id)
    latest: dict[int, Revision] = {}
    brought_in: set[int] = set()
    for revision in Revision.objects.select_related("period", "run__period").order_by("period__month", "number"):
        latest[revision.period_id] = revision
        if revision.run.period_id != revision.period_id:
            what = f"revision {revision.number} came from {revision.run}, which stands under {revision.run.period}"
            yield Finding(f"month {revision.period}", what)
        if revision.run.kind != RatingRun.Kind.CALCULATED:
            brought_in.add(revision.period_id)
        if revision.number > 1 and revision.period_id in brought_in:
            what = f"it was brought in, and has a revision {revision.number}: only months calculated here are published again"
            yield Finding(f"month {revision.period}", what)
        for list_id in lists_of(revision.run_id):
            if list_id not in sealed.get(revision.pk, ()):
                place = _place(codes.get(list_id, str(list_id)), revision)
                began = first is not None and revision.pk >= first
                lost = "its seal is gone: it was published after the first sealed list"
                early = "if it was published before lists were sealed, run “verify --begin”"
                yield Finding(place, f"it has rows and is not sealed: {lost if began else early}")
    for pointer in PublishedRun.objects.select_related("period", "run").order_by("period__month"):
        last = latest.pop(pointer.period_id, None)
        if last is None or last.run_id != pointer.run_id:
            yield Finding(
                str(pointer.period), f"its lists in force are those of {pointer.run}, which its last revision is not"
            )
        if pointer.period.state != RatingPeriod.State.PUBLISHED:
            yield Finding(
                str(pointer.period), f"its lists are in force, and yet it is {pointer.period.get_state_display()}"
            )
    taken_off = {revision.period for revision in latest.values()}
    taken_off.update(RatingPeriod.objects.filter(state=RatingPeriod.State.PUBLISHED, publication=None))
    for period in sorted(taken_off, key=lambda period: period.month):
        yield Finding(str(period), "it was published, and no lists of it are in force")
    once = [RatingRun.State.PUBLISHED, RatingRun.State.REPLACED]
    for run in RatingRun.objects.filter(state__in=once, revisions=None).select_related("period").order_by("pk"):
        yield Finding(str(run.period), f"{run} was published, and no revision of the month tells of it")


def _of_seal(key: int, expected: int, previous: str) -> Iterator[Finding]:
    seal = Seal.objects.get(pk=key)  # not joined: its revision or its list may be gone
    place = _place(seal.code, seal.revision)
    if seal.number != expected:
        yield Finding(place, f"its seal has number {seal.number} and should follow as {expected}: seals are missing")
    elif seal.previous != previous:
        yield Finding(place, stands("the former hash in its seal", seal.previous, previous, "that of the seal before"))
    if seal.list.code != seal.code:
        yield Finding(place, stands("the code of the list", seal.list.code, seal.code, _SEALED))
    text = statement_of(seal)
    if seal_hash(text) != seal.hash:
        yield Finding(place, stands("the hash of its seal", seal.hash, seal_hash(text), "by what the seal says"))
    try:
        kept = unpacked(bytes(seal.lines), seal.rows)
    except ValueError as error:
        yield Finding(place, f"the rows kept in its seal cannot be read: {error}")
        return
    if rows_hash_of(seal.salt, kept) != seal.rows_hash:
        yield Finding(place, "the rows kept in its seal are not those that were sealed")
    now = seal.revision.run.input_hash
    if seal.input_hash and seal.input_hash != now:
        yield Finding(place, stands("the hash of its input", now, seal.input_hash, _SEALED))
    rows = rows_of(seal.revision.run_id, seal.list_id)
    if rows != kept:
        yield _first_difference(place, rows, kept)


def _first_difference(place: str, rows: list[str], kept: list[str]) -> Finding:
    """Return the first row that differs, best place first, with what stands and what was sealed."""
    now, before = _by_key(rows), _by_key(kept)
    differing = sorted(key for key in now.keys() | before.keys() if now.get(key) != before.get(key))
    if not differing:
        return Finding(place, "the rows kept in its seal stand in another order")
    key, more = differing[0], len(differing) - 1
    player = key[0]
    if key not in now:
        return Finding(place, f"his row is missing, which was sealed: {before[key]}", player, more)
    if key not in before:
        return Finding(place, f"his row was added since the list was sealed: {now[key]}", player, more)
    columns = FORMER if key[1] else COLUMNS
    cells = zip(columns, _cells(now[key], columns), _cells(before[key], columns), strict=True)
    changed = [stands(column, found, sealed, _SEALED) for column, found, sealed in cells if found != sealed]
    return Finding(place, "; ".join(changed), player, more)


def _by_key(rows: list[str]) -> dict[tuple[int, str], str]:
    """Return rows by player and, for what an opening balance brought, former month."""
    return {(row_key(row), row.split(",")[1] if row.count(",") == len(FORMER) - 1 else ""): row for row in rows}


def _cells(row: str, columns: tuple[str, ...]) -> list[str]:
    return row.split(",", len(columns) - 1)


def _place(code: str, revision: Revision) -> str:
    return f"list {code} of {revision.period}, revision {revision.number}"
