"""Erases a person's data: his name becomes a pseudonym, and what no rating needs goes. Clock and actor are passed in."""

from collections.abc import Collection, Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from accounts.models import Decision, Mail, User
from accounts.retention.operations import close_for_good
from accounts.trail.operations import key_of, record
from config.lib.database import empty_log, lock_table
from config.lib.days import middle_of_year
from config.page_cache import forget_pages
from events.models import (
    AbroadLink,
    Arbiter,
    Declaration,
    Entry,
    ErrorReport,
    Event,
    Guest,
    Section,
    SubmittedFile,
    Upload,
)
from events.periods import lock_periods
from events.rules.states import EventError
from players.models import FideListed, FideQuestion, FideRating, Player
from players.operations import save_player
from players.pseudonyms import new_pseudonym
from ratings.downloads.operations import have_files_made
from ratings.merging.operations import only_marks
from ratings.models import (
    AmendingFile,
    Amendment,
    DistinctPair,
    Erasure,
    FideChange,
    ImportPiece,
    LikelyDuplicate,
    ListedPlayer,
    Merge,
    Rating,
    RatingRun,
    RunPerson,
)
from ratings.personal_data.erasure.files import Sought, files_naming, own_records, replace_files
from ratings.personal_data.erasure.former_names import (
    Signs,
    Slip,
    forget_among_arbiters,
    forget_among_others,
    forget_in_merges,
    forget_on_trail,
    slips_of,
)
from ratings.personal_data.erasure.hindrances import at_work, busy, hindrance, undecided_list, unread_file, unsent
from ratings.personal_data.erasure.names import GONE, Names
from ratings.personal_data.erasure.names_of_person import lines_of_lists, names_of, reports_awaited
from ratings.personal_data.erasure.texts import rewrite_documents, rewrite_texts, sections_called_after
from ratings.personal_data.erasure.ties import Ties, ties_of
from ratings.personal_data.erasure.traces import (
    born_on_his_day,
    forget_answers,
    forget_former_merges,
    forget_lines_of_lists,
    forget_reports,
    sections_naming,
)
from ratings.personal_data.person import Person, officiated, person_of, played, since
from ratings.rerating.new_files import refuse_waiting
from ratings.runs.inputs import read_input


class BusyError(EventError):
    """Not erased while a run or re-rating is under way."""


def required_reason(reason: str) -> str:
    """Return the reason of an erasure as it is kept. Raises EventError if there is none."""
    if not reason.strip():
        raise EventError("say why: the reason stays on the trail")
    return reason.strip()


def erase_player(
    player: Player,
    *,
    at: datetime,
    by: User | None,
    reason: str,
    pseudonym: str = "",
    again: bool = False,
    shown: Collection[str] = (),
    arbiters: Collection[int] = (),
    users: Collection[int] = (),
) -> Erasure:
    """Erase what is kept of a player, and of his account and his record as arbiter. This cannot be undone.

    Games, results, ratings and all figures stay, under the pseudonym: a new one, or the one given. `again`: after an older
    back-up was restored, where what else hinders an erasure is waited for no more, nor runs that no worker holds; `shown`: all
    that was his when it was asked for, by key on the trail, of which `again` takes no more; `arbiters`, `users`: keys of rows
    that were his then, too. Raises EventError, of which BusyError; also where somebody was merged into him, or tied to him,
    since.
    """
    reason = required_reason(reason)
    with transaction.atomic():
        lock_periods()  # no run begins or ends meanwhile
        player = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        if problem := at_work(at) if again else busy():
            raise BusyError(f"{problem}: erase when that is done")
        if again:  # it was not read when the back-up was made, and may name anybody
            refuse_waiting("it waited when personal data was erased again, after a back-up was restored: send it again")
        # A back-up of between may have another's record linked to him by mistake.
        person = _locked(player, arbiters, users, known=shown if again else ())
        if shown and not again:
            require_as_shown(person, shown)
        name = pseudonym or _free_pseudonym()
        signs = Signs.of(person)
        slips = slips_of(person, signs)
        names = names_of(person, name, typed=[slip.name for slip in slips if slip.bears_whole_name])
        sections = sections_naming(person, names)
        # Who corrects one of them meanwhile waits, and reads what is written here.
        corrected = sections | sections_called_after(names)
        list(Section.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=corrected).order_by("pk"))
        if problem := hindrance(player, at_all=again):
            raise EventError(problem)
        sought = Sought.of(person, names)
        latest = SubmittedFile.objects.aggregate(latest=Max("pk"))["latest"] or 0
        files = files_naming(sought)
        ties = replace(ties_of(person, sections, files), awaited=reports_awaited(person))
        hashes = dict(_agreeing_hashes(person, slips))
        rows = {key_of(row): since(row) for row in person.rows}
        met = person.guests
        # Files first: they are written anew from the rows with the pseudonym, so the rows come before them.
        _replace_rows(person, names, ties, met)
        _replace_amended(person, names, met)
        _replace_ages(person, slips)
        forget_answers(person, names, ties, sought)
        forget_reports(person, names, ties)
        forget_lines_of_lists(sought)
        # In the public files of months in which they were he.
        others = forget_former_merges(person)
        forget_in_merges(person, names, signs, others)
        others |= forget_among_others(person, names, signs, slips)
        arbiters = forget_among_arbiters(person, signs)
        forget_on_trail(person, signs, slips)
        for row in person.players:
            _replace_player(row, name, at=at, by=by)
        # What is being sent in is written to rows that are seen once it is done.
        list(Declaration.objects.select_for_update(of=("self",)).values_list("pk").order_by("pk"))
        renamed = rewrite_texts(names, ties)
        players = renamed.players.union(person.keys, others)
        called = renamed.sections.union(sections, played(players), officiated(renamed.arbiters | arbiters))
        have_files_made(_telling_of(players, called), at=at)
        # A file that comes from now on is taken when all is done.
        for table in (Upload, SubmittedFile, ImportPiece, AmendingFile):
            lock_table(table)
        if not again and (problem := unsent(sought) or undecided_list() or unread_file(since=at)):
            raise EventError(problem)
        files |= files_naming(sought, after=latest) | own_records(renamed.sections)
        replace_files(person, sections, files, names, sought, at=at)
        for user in person.users:
            close_for_good(user, at=at, by=by)
        _write_hashes(hashes)
        done = {
            "state": Erasure.State.DONE,
            "at": at,
            "by": by,
            "pseudonym": name,
            "reason": names.replaced(reason, tied=True, own=True),
            "error": "",
            "lease_until": None,
            "rows": rows,
        }
        erasure, _ = Erasure.objects.update_or_create(
            player=player, defaults=done, create_defaults=done | {"asked_at": at}
        )
        record("personal data erased", player, at=at, by=by, after={"name": name}, reason=erasure.reason)
        transaction.on_commit(forget_pages)
        transaction.on_commit(empty_log)
        return erasure


def require_as_shown(person: Person, shown: Collection[str]) -> None:
    """Raise EventError for a player, arbiter or account that is the person's and was not when the erasure was looked at."""
    since_then = next((row for row in person.rows if key_of(row) not in shown), None)
    if since_then is not None:
        kind = since_then._meta.verbose_name
        raise EventError(
            f"the {kind} {since_then} has become his since: look at the page as it is, and ask for it then"
        )


def _locked(player: Player, arbiters: Collection[int], users: Collection[int], known: Collection[str]) -> Person:
    """Return the person, all of whose rows are locked: what is recorded of him meanwhile waits, and names him no more."""
    for row in person_of(player, arbiters, users, known).rows:
        type(row)._base_manager.select_for_update(of=("self",)).filter(pk=row.pk).first()
    return person_of(player, arbiters, users, known)


def _free_pseudonym() -> str:
    while Player.objects.filter(last_name=(name := new_pseudonym())).exists():
        pass
    return name


def _replace_player(row: Player, name: str, *, at: datetime, by: User | None) -> None:
    """Leave of a player's line on the register what rating needs: number, year of birth, region, federation, day of death."""
    Player.history.filter(id=row.pk).delete()
    if row.birth_date:
        row.birth_year = row.birth_date.year
    row.last_name, row.first_name, row.birth_date = name, "", None
    row.fide_id, row.title, row.sex, row.club, row.email = None, None, "", "", ""
    row.hidden_since = row.hidden_since or timezone.localdate(at)
    row.erased_at = at
    row._history_user, row._history_date = by, at  # type: ignore[attr-defined]
    save_player(row)


def _replace_rows(person: Person, names: Names, ties: Ties, met: Collection[int]) -> None:
    """Put the pseudonym into the rows that hold nothing but his name, and delete those that are about him alone. `met`: the
    opponents abroad who are he."""
    keys, name = person.keys, names.pseudonym
    Entry.objects.filter(player__in=keys).update(name_in_file=name, chess_sa_id_in_file="", fide_id_in_file=None)
    Guest.objects.filter(player__in=keys).update(name=name, fide_id=None)
    AbroadLink.objects.filter(player__in=keys).update(address=GONE)  # which may be a parent's, and so not his alone
    # Of lines that are another's by now.
    own_ids = person.fide_ids
    Entry.objects.filter(chess_sa_id_in_file__in=ties.numbers).update(chess_sa_id_in_file="")
    Entry.objects.filter(fide_id_in_file__in=own_ids).update(fide_id_in_file=None)
    Guest.objects.filter(pk__in=met).update(name=name, fide_id=None)
    Event.history.filter(organiser_number__in=ties.numbers).update(organiser_name=name)
    # A page of it that is open has what stood there.
    Event.objects.filter(organiser_number__in=ties.numbers).update(organiser_name=name, version=F("version") + 1)
    of_him = list(_asked_of_him(names, own_ids))
    for rows in (
        FideRating.objects.filter(player__in=keys),
        FideQuestion.objects.filter(player__in=keys),
        FideQuestion.objects.filter(pk__in=of_him, answer=""),  # the next list asks again who else it is
        FideListed.objects.filter(fide_id__in=person.fide_listed),
        FideChange.objects.filter(player__in=keys),
        ListedPlayer.objects.filter(
            Q(player__in=keys)
            | Q(national_id__in=ties.numbers)
            | Q(fide_id__in=own_ids)
            | Q(pk__in=lines_of_lists(person))
        ),
        LikelyDuplicate.objects.filter(Q(first__in=keys) | Q(second__in=keys)),
        DistinctPair.objects.filter(Q(first__in=keys) | Q(second__in=keys)),
        Mail.objects.filter(to__in=[text for text in names.sure if "@" in text]).exclude(
            about__in=[key_of(ErrorReport(pk=key)) for key in ties.awaited]
        ),
    ):
        rows.delete()
    # That another is not he is an answer about the other, who would be given his id and ratings else.
    FideQuestion.objects.filter(pk__in=of_him).update(listed=[], why=GONE)
    for merge in Merge.objects.filter(Q(old__in=keys) | Q(new__in=keys)):
        Merge.objects.filter(pk=merge.pk).update(moved=only_marks(merge))
    for arbiter in person.arbiters:
        Arbiter.history.filter(id=arbiter.pk).delete()
        linked = arbiter.player_id if arbiter.player_id in keys else None  # else to another, in a back-up
        Arbiter.objects.filter(pk=arbiter.pk).update(name=name, fide_id=None, player=linked)


def _asked_of_him(names: Names, own_ids: Collection[int]) -> Iterator[int]:
    """Yield the keys of questions whether another player is he on FIDE's list: by an id of his, or his name there."""
    for question in FideQuestion.objects.all().iterator():
        told = [question.listed, question.why]
        if question.fide_id in own_ids or names.replaced(told, tied=False) != told:
            yield question.pk


def _replace_amended(person: Person, names: Names, met: Collection[int]) -> None:
    """Put the pseudonym into the rows that were his before or after a correction, as they stand in it."""
    keys, own_ids = set(person.keys), person.fide_ids
    his = {"name_in_file": names.pseudonym, "name": names.pseudonym, "chess_sa_id_in_file": ""}
    for amendment in Amendment.objects.select_related("section").order_by("pk").iterator(chunk_size=100):
        contents = (amendment.before, amendment.after)
        rows = [row for content in contents for table in ("entries", "guests") for row in content.get(table, ())]
        former = deepcopy(rows)
        called = set()
        for row in rows:
            is_his = row.get("player_id") in keys
            if "fide_id" in row and row["id"] in met:  # who was met, as the live row of him
                called.add(row["name"])
                row |= {"name": names.pseudonym, "fide_id": None}
            ids = ["fide_id_in_file"] if row.get("fide_id_in_file") in own_ids else []
            ids += ["fide_id_in_file", "fide_id"] if is_his else []
            gone = dict.fromkeys(ids) | (his if is_his else {})
            row.update({column: value for column, value in gone.items() if column in row})
            if "match_reason" in row:
                row["match_reason"] = names.without_fide_ids(names.replaced(row["match_reason"], tied=is_his))
        if rows != former:
            amendment.save(update_fields=["before", "after"])
        if called:
            rewrite_documents(
                Decision.objects.filter(subject=key_of(amendment.section)), Names(names.pseudonym, sure=called)
            )


def _telling_of(players: Collection[int], sections: Collection[int]) -> QuerySet[RatingRun]:
    """Return the runs that list one of some players, or have one of some sections in their month."""
    months = Section.objects.filter(pk__in=sections).values("period")
    listed = Rating.objects.filter(player__in=players).values("run")
    return RatingRun.objects.filter(Q(pk__in=listed) | Q(period__in=months))


def _agreeing_hashes(person: Person, slips: Collection[Slip]) -> Iterator[tuple[int, list[str]]]:
    """Yield the keys of runs whose lists of other systems depend on his day of birth, with the lists that are calculated from
    what is there now: of these the hash is written anew."""
    dated = born_on_his_day(person, slips).values("run")
    runs = RatingRun.objects.filter(pk__in=dated, publication__isnull=False).exclude(list_hashes={})
    for run in runs.select_related("period"):
        present = read_input(run.period).list_hashes
        yield run.pk, [key for key, text in run.list_hashes.items() if present.get(key) == text]


def _replace_ages(person: Person, slips: Collection[Slip]) -> None:
    """Leave of the days of birth that runs used the year, in whose middle it is put where no more is known."""
    born = born_on_his_day(person, slips)
    for run, player, year in born.values_list("run", "player", "born__year"):
        RunPerson.objects.filter(run=run, player=player).update(born=middle_of_year(year))


def _write_hashes(hashes: dict[int, list[str]]) -> None:
    for run in RatingRun.objects.filter(pk__in=hashes).select_related("period"):
        present = read_input(run.period).list_hashes
        run.list_hashes = run.list_hashes | {key: present[key] for key in hashes[run.pk]}
        run.save(update_fields=["list_hashes"])
