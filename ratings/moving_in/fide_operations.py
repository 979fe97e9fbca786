"""Takes FIDE's list, and answers who of it is a player. One transaction each; the clock and the actor are passed in."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from simple_history.utils import bulk_update_with_history

from accounts.models import User
from accounts.trail.operations import record
from config.lib import formatting
from config.lib.database import save_recorded
from config.lib.days import next_month
from config.lib.texts import shortened
from events.files.fide_list.listed import KINDS, FideListError, Figure, ListedPlayer
from events.files.fide_list.reader import NO_PLAYERS, FideListReader, said_month
from players.merged import player_of
from players.models import FideList, FideQuestion, FideRating, Player, Title
from ratings.moving_in.fide_matching import (
    LETTERS,
    Comparison,
    FideDifference,
    Kind,
    RegisterIndex,
    check_twice,
    differences,
)
from ratings.moving_in.fide_table import ListedTable

NO_LONGER_ASKED = "This is no longer asked: look at the page as it is."
Progress = Callable[[int, int], object]
_STEP = 20_000  # players between two reports of the progress


class OlderListError(FideListError):
    """A list older than the one held, which is taken only if its sender says so."""


class FewerPlayersError(FideListError):
    """A list with less than half of the players held, which is taken only if its sender says so."""


@dataclass(frozen=True, slots=True)
class SentFideList:
    """A list as it was sent: its file, its name, and what the sender says of it.

    `month`, `kind`: where the list does not tell them; `older`: it may be older than the one held, which it replaces;
    `fewer`: it may have less than half of the players.
    """

    path: Path
    filename: str
    month: date | None = None
    kind: str = ""
    older: bool = False
    fewer: bool = False

    @contextmanager
    def opened(self) -> Iterator[FideListReader]:
        """Open the list. Raises FideListError, or OSError."""
        with (
            self.path.open("rb") as file,
            closing(FideListReader(file, filename=self.filename, kind=self.kind)) as reader,
        ):
            yield reader


def no_progress(done: int, total: int) -> None:
    """Tell nobody."""


def compare_list(sent: SentFideList, *, at: datetime, progress: Progress = no_progress) -> Comparison:
    """Read a list whole, and find whom of the register it may mean. Writes nothing.

    `progress` is told the bytes read and those of the list, unpacked; what it raises stops the reading. Raises FideListError.
    """
    with sent.opened() as reader:
        comparison = Comparison(
            said_month(reader, sent.month), reader.kinds, unreadable=reader.unreadable, cleaned=reader.cleaned
        )
        _check_month(sent, comparison.month, at)
        register = RegisterIndex()
        for number, person in enumerate(reader.players(), 1):
            comparison.ids.append(person.fide_id)
            register.meet(person, comparison)
            if number % _STEP == 0:
                progress(reader.done, reader.total)
        progress(reader.total, reader.total)
        comparison.cleaned_names = reader.cleaned_names
    check_twice(comparison.ids)
    _check_size(sent, comparison)
    return comparison


def take_list(
    sent: SentFideList, comparison: Comparison, *, at: datetime, by: User | None, progress: Progress = no_progress
) -> FideList:
    """Take a list that was compared, whole or not at all: ratings and titles of the register's players, and all its people.

    Whoever is in question gets nothing before the answer. `progress` is told what is done, and of how much. Raises
    FideListError.
    """

    def told(first: float, last: float) -> Callable[[float], object]:
        return lambda share: progress(int(1000 * (first + (last - first) * min(share, 1))), 1000)

    letters = "".join(LETTERS[kind] for kind in comparison.kinds)
    with sent.path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    try:
        with transaction.atomic():
            _check_month(sent, comparison.month, at)
            reading, ending, comparing = told(0, 0.8), told(0.8, 0.9), told(0.9, 1)
            table = ListedTable(comparison.month, comparison.kinds)
            if _later(comparison.month).exists():
                table.go_back()
            with sent.opened() as reader:
                for number, person in enumerate(reader.players(), 1):
                    table.add(person)
                    if number % _STEP == 0:
                        reading(reader.done / max(reader.total, 1))
            table.finish(comparison.ids, ending)
            _drop_later(comparison.month, letters, at)
            done = FideList.objects.create(
                month=comparison.month,
                kinds=letters,
                at=at,
                by=by,
                filename=sent.filename[:200],
                sha256=sha256,
                listed=len(comparison.ids),
            )
            counts = _take_differences(comparison, done, comparing)
            done.new, done.changed, done.unchanged = counts[Kind.NEW], counts[Kind.CHANGED], counts[Kind.UNCHANGED]
            done.gone, done.questions = counts[Kind.GONE], counts[Kind.QUESTION]
            done.save()
            figures = {"new": str(done.new), "changed": str(done.changed), "file": sent.filename}
            record("FIDE list taken", done, at=at, by=by, after=figures)
            comparing(1)
    except IntegrityError as error:
        raise FideListError(
            "The register or the list held has changed meanwhile. Look at the differences again."
        ) from error
    return done


def _check_month(sent: SentFideList, month: date, at: datetime) -> None:
    if month > next_month(timezone.localdate(at).replace(day=1)):
        raise FideListError(f"The list of {formatting.month(month)} has not appeared yet. Correct the month.")
    newest = FideList.objects.filter(dropped_at=None).order_by("-month").first()
    if newest and month < newest.month and not sent.older:
        raise OlderListError(
            f"The {newest} is held, and this is that of {formatting.month(month)}: an older one is taken only if you say so,"
            " and the later ones are then taken back."
        )


def _check_size(sent: SentFideList, comparison: Comparison) -> None:
    if not comparison.ids:
        raise FideListError(NO_PLAYERS)
    if not comparison.is_whole or sent.fewer:
        return
    held = FideList.objects.filter(dropped_at=None, kinds="".join(LETTERS.values())).order_by("-month", "-pk").first()
    if held and 2 * len(comparison.ids) < held.listed:
        raise FewerPlayersError(
            f"The list has {formatting.count(len(comparison.ids), 'player')}, the {held} {formatting.number(held.listed)}: it"
            " seems to be cut off. Download it again, or say that it has fewer."
        )


def _later(month: date) -> QuerySet[FideList]:
    return FideList.objects.filter(dropped_at=None, month__gt=month)


def _drop_later(month: date, letters: str, at: datetime) -> None:
    later = list(_later(month).values_list("pk", flat=True))
    # First, so that answers under way have written their ratings; and no sooner than the players are locked, as answers wait.
    FideList.objects.filter(pk__in=later).update(dropped_at=at)
    FideRating.objects.filter(list__in=later).exclude(kind__in=letters).delete()
    FideQuestion.objects.filter(list__in=later, answer="").delete()


def _take_differences(comparison: Comparison, done: FideList, tell: Callable[[float], object]) -> Counter[Kind]:
    counts = Counter[Kind]()
    titles = set(Title.objects.values_list("code", flat=True))
    asked: set[tuple[int, int]] = set()
    for chunk in differences(comparison, lock=True):
        counts.update(difference.kind for difference in chunk)
        _write_ratings(chunk, done, comparison.kinds)
        _write_titles(chunk, done, titles)
        asked |= _write_questions(chunk, done)
        tell(counts.total() / comparison.most)
    if comparison.is_whole:
        _forget_questions(asked)
    return counts


def _write_ratings(chunk: Sequence[FideDifference], done: FideList, kinds: Sequence[str]) -> None:
    FideRating.objects.filter(player__in=[row.player for row in chunk], kind__in=done.kinds).delete()
    FideRating.objects.bulk_create(
        rating
        for row in chunk
        if row.listed and row.kind in (Kind.NEW, Kind.CHANGED, Kind.UNCHANGED)
        for rating in _ratings(row.player, row.listed, done)
    )


def _ratings(player: Player, person: ListedPlayer, done: FideList) -> Iterator[FideRating]:
    for kind, figure in zip(KINDS, person.figures, strict=True):
        if figure is None or LETTERS[kind] not in done.kinds:
            continue
        # The flag of the list of all kinds speaks of standard games alone.
        inactive = person.inactive if kind == "standard" or len(done.kinds) == 1 else None
        yield FideRating(
            player=player,
            kind=LETTERS[kind],
            rating=figure.rating,
            k=figure.k or None,
            games=figure.games,
            inactive=inactive,
            list=done,
        )


def _write_titles(chunk: Sequence[FideDifference], done: FideList, titles: set[str]) -> None:
    changed = []
    for row in chunk:
        if row.listed and row.kind in (Kind.NEW, Kind.CHANGED) and row.listed.title in titles - {row.player.title_id}:
            row.player.title_id = row.listed.title
            changed.append(row.player)
    if changed:
        reason = f"{done} ({done.pk})"
        bulk_update_with_history(
            changed, Player, ["title"], default_user=done.by, default_change_reason=reason, default_date=done.at
        )


def _write_questions(chunk: Sequence[FideDifference], done: FideList) -> set[tuple[int, int]]:
    questions = [
        FideQuestion(
            player=row.player,
            fide_id=row.listed.fide_id,
            listed=list(row.listed),
            why=shortened(row.why, 300),
            list=done,
        )
        for row in chunk
        if row.listed and row.kind is Kind.QUESTION
    ]
    FideQuestion.objects.bulk_create(
        questions, update_conflicts=True, unique_fields=["player", "fide_id"], update_fields=["listed", "why", "list"]
    )
    return {(question.player_id, question.fide_id) for question in questions}


def _forget_questions(asked: set[tuple[int, int]]) -> None:
    """Delete open questions that the list no longer asks."""
    rows = FideQuestion.objects.filter(answer="").values_list("pk", "player", "fide_id")
    FideQuestion.objects.filter(pk__in=[pk for pk, *pair in rows if tuple(pair) not in asked]).delete()


def answer_question(question: FideQuestion, answer: str, *, at: datetime, by: User | None) -> None:
    """Say whether a person of the list is the player: with `same` he gets the id, the title and the ratings.

    Raises FideListError if it is answered already, if its list was taken back or asks it no more, or if the player or another
    one has an id by now.
    """
    if answer not in (FideQuestion.Answer.SAME, FideQuestion.Answer.OTHER):
        raise FideListError("Answer that it is the same person, or somebody else.")
    with transaction.atomic():
        # Before the players, as a list is taken.
        taken = FideList.objects.select_for_update(no_key=True).get(pk=question.list_id)
        # With all others of whom it is asked, in one order: two who answer for one id wait, and not for one another.
        asked = FideQuestion.objects.filter(fide_id=question.fide_id, answer="").values("player")
        players = Player.objects.select_for_update(of=("self",)).filter(Q(pk=question.player_id) | Q(pk__in=asked))
        player = {locked.pk: locked for locked in players.order_by("pk")}[question.player_id]
        rows = FideQuestion.objects.select_for_update(of=("self",)).select_related("list")
        present = rows.filter(pk=question.pk, list=taken).first()
        if present is None or taken.dropped_at is not None:
            raise FideListError(NO_LONGER_ASKED)
        question = present
        if player.merged_into is not None:
            raise FideListError(f"{player} was merged into {player.merged_into}: nothing is asked about him any more.")
        if question.answer:
            raise FideListError(f"It is answered already that {question.fide_id} is {question.get_answer_display()}.")
        question.answer, question.answered_at, question.answered_by = answer, at, by
        question.save()
        if answer == FideQuestion.Answer.SAME:
            _take_person(player, question, at=at, by=by)
        record(
            "FIDE id answered",
            player,
            at=at,
            by=by,
            after={"FIDE id": str(question.fide_id), "answer": question.get_answer_display()},
        )


def _take_person(player: Player, question: FideQuestion, *, at: datetime, by: User | None) -> None:
    if player.fide_id not in (None, question.fide_id):
        raise FideListError(f"{player} has the FIDE id {player.fide_id} by now, and not {question.fide_id}.")
    bearer = Player.objects.filter(fide_id=question.fide_id).exclude(pk=player.pk).first()
    if bearer:
        raise FideListError(f"The FIDE id {question.fide_id} is that of {bearer}.")
    person = person_of(question.listed)
    player.fide_id = question.fide_id
    if Title.objects.filter(code=person.title).exists():
        player.title_id = person.title
    save_recorded(player, at=at, by=by)
    FideRating.objects.filter(player=player, kind__in=question.list.kinds).delete()
    FideRating.objects.bulk_create(_ratings(player, person, question.list))
    others = FideQuestion.objects.filter(answer="")
    (others.filter(player=player) | others.filter(fide_id=question.fide_id)).delete()


def person_of(listed: Sequence[Any]) -> ListedPlayer:
    """Return a person of a list from what a question keeps of him."""
    parts: list[Any] = [Figure(*part) if isinstance(part, list) else part for part in listed]
    return ListedPlayer(*parts)


def open_question(fide_id: int, number: str) -> FideQuestion:
    """Return the question whether a player is a person of the list. Raises FideListError if there is none."""
    question = FideQuestion.objects.filter(fide_id=fide_id, player=player_of(number)).first()
    if question is None:
        raise FideListError(f"It is not asked whether {number} is {fide_id} of FIDE’s list.")
    return question
