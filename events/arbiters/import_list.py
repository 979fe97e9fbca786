"""Imports the AOC's list into the register of arbiters, after a preview of the differences, and exports the register.

A blank cell leaves the value on record. A list is written whole or not at all, and only if its differences are still those
that were shown; otherwise they are shown again. `events.files.aoc_list` reads the file.
"""

import copy
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from import_export.fields import Field
from import_export.formats.base_formats import CSV
from import_export.resources import Diff, ModelResource
from import_export.results import Result, RowResult
from tablib import Dataset

from accounts.models import User
from accounts.trail.operations import record
from config.lib import formatting, spreadsheets
from events.arbiters.register import ArbiterRegister
from events.files.aoc_list import LIST_COLUMNS, AocLine, AocList
from events.models import Arbiter, ArbiterTitle, Fee, Membership
from events.readings.queries import readings
from events.rules.fees import LICENCE_YEAR_BEGINS, fee_year_label
from events.rules.findings import Finding, Severity
from players.merged import lock_bearers
from players.models import Player

_OWN = ("name", "number", "fide_id", "title", "federation")  # fields of the arbiter; the fee is a separate row
_LABELS = {"name": "Name", "number": "Chess SA id", "fide_id": "FIDE id", "title": "Title", "federation": "Federation"}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field's value before and after, as text, "" for none."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RegisterDifference:
    """What a line of the list changes. `by`: the id or name that found the arbiter; `arbiter` is None for a new one."""

    line: int
    name: str
    new: bool
    arbiter: int | None
    by: str
    changes: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """The differences between a list and the register. With an error nothing is written."""

    differences: tuple[RegisterDifference, ...]
    unchanged: int
    errors: tuple[Finding, ...]
    written: tuple[Arbiter, ...] = ()

    @property
    def seen(self) -> str:
        """A hash of differences and errors, by which a confirmation names what the user saw."""
        return hashlib.sha256(repr((self.differences, self.errors)).encode()).hexdigest()


def preview_import(listed: AocList, *, at: datetime, by: User) -> ImportPreview:
    """Return what a list would change, without writing."""
    return _import(listed, at=at, by=by, dry_run=True)


def write_list(listed: AocList, seen: str, *, at: datetime, by: User) -> ImportPreview | None:
    """Write a list whose differences had the hash `seen`. Return None, without writing, if they have changed since."""
    with transaction.atomic():
        lock_bearers(line.number for line in listed.lines)  # before the arbiters, as an erasure does
        # Lock: two lists confirmed at once would both create one new arbiter.
        ContentType.objects.select_for_update().get(pk=ContentType.objects.get_for_model(Arbiter).pk)
        list(Arbiter.objects.select_for_update().order_by("pk").values_list("pk"))
        done = _import(listed, at=at, by=by, dry_run=False)
        if done.errors or done.seen != seen:
            transaction.set_rollback(True)
            return None
        _put_on_trail(done, at=at, by=by)
    return done


def _put_on_trail(done: ImportPreview, *, at: datetime, by: User) -> None:
    """Put what a list has written on the trail, a decision for each arbiter: there may be a line for each fee."""
    lines: dict[Arbiter, list[RegisterDifference]] = {}
    for arbiter, difference in zip(done.written, done.differences, strict=True):
        lines.setdefault(arbiter, []).append(difference)
    for arbiter, differences in lines.items():
        changes = [change for difference in differences for change in difference.changes]
        record(
            "added" if any(difference.new for difference in differences) else "changed",
            arbiter,
            at=at,
            by=by,
            before={change.label: change.before for change in changes},
            after={change.label: change.after for change in changes},
            reason="Taken from the AOC’s list.",
        )


def export_arbiters(arbiters: QuerySet[Arbiter]) -> bytes:
    """Return arbiters as CSV for the import, a line for each fee, in UTF-8 with a byte order mark and without formulas."""
    dataset = ArbiterResource().export(queryset=arbiters.prefetch_related("memberships"))
    return b"\xef\xbb\xbf" + str(SafeCsv().export_data(dataset)).encode()


class SafeCsv(CSV):  # type: ignore[misc]  # the library has no types
    """CSV without formulas. The library's own setting drops a leading `=` and ignores other signs."""

    def export_data(self, dataset: Dataset, **kwargs: Any) -> Any:
        """Return the cells as text, with an apostrophe before text that a spreadsheet would calculate."""
        safe = Dataset(headers=dataset.headers)
        for row in dataset:
            safe.append([spreadsheets.cell(str(value)) for value in row])
        return super().export_data(safe, **kwargs)


class RegisterChanges(Diff):  # type: ignore[misc]  # the library has no types
    """The fields that a line changes, as values. The library's own difference is HTML with inline styles."""

    def as_html(self) -> list[tuple[str, str, str]]:
        """Return (field, before, after) of each changed field."""
        names = [field.column_name for field in ArbiterResource().get_import_fields()]
        rows = zip(names, self.left, self.right, strict=True)
        return [(name, "" if self.new else left, right) for name, left, right in rows if self.new or left != right]


class ArbiterResource(ModelResource):  # type: ignore[misc]  # the library has no types
    """An arbiter with one fee. `fee`, `fee_year` and `paid_on` are set on the arbiter while a line is imported."""

    number = Field("number", "number")
    fide_id = Field("fide_id", "fide_id")
    name = Field("name", "name")
    title = Field("title", "title")
    federation = Field("federation", "federation")
    fee = Field("fee", "fee")
    fee_year = Field("fee_year", "fee_year")
    paid_on = Field("paid_on", "paid_on")

    class Meta:
        model = Arbiter
        fields = import_order = export_order = LIST_COLUMNS
        import_id_fields: tuple[str, ...] = ()
        skip_unchanged = True
        clean_model_instances = True
        use_transactions = True
        store_instance = True

    def __init__(self, *, at: datetime | None = None, by: User | None = None) -> None:
        """Load the register. `at` and `by` are recorded in the history; without `at` only the export works."""
        super().__init__()
        self.at, self.by = at, by
        self.register = ArbiterRegister(Arbiter.objects.all() if at else ())
        erased = Player.objects.exclude(erased_at=None).values_list("number", flat=True)
        self.erased = frozenset(erased) if at else frozenset()
        self.fees = {(fee.arbiter_id, fee.fee, fee.year): fee for fee in (Membership.objects.all() if at else ())}
        self.found_by: dict[int, str] = {}
        self.new: set[int] = set()
        self.values_in_list: dict[tuple[int, str], tuple[Any, int]] = {}

    @classmethod
    def get_diff_class(cls) -> type[Diff]:
        """Return the class of differences as values."""
        return RegisterChanges

    def get_instance(self, instance_loader: Any, row: dict[str, Any]) -> Arbiter | None:
        """Return the arbiter with the ids or the name, None for a new one. Raises ValidationError if it is uncertain."""
        match = self.register.find(row["name"], number=row["number"], fide_id=str(row["fide_id"] or ""))
        if match.problem:
            raise ValidationError(match.problem)
        if match.arbiter is None and row["number"] in self.erased:
            raise ValidationError(
                f"The Chess SA id {row['number']} is that of a player whose data was erased at his wish. Leave the line out; if"
                " he asks to be an arbiter, bring him in without this id."
            )
        self.found_by[row["line"]] = match.by
        return match.arbiter

    def after_init_instance(self, instance: Any, new: bool, row: dict[str, Any], **kwargs: Any) -> None:
        """Set the fee of the line's year as it is on record, and remember the arbiter's values."""
        fee = self.fees.get((instance.pk, row["fee"], row["fee_year"]))
        instance.fee, instance.fee_year = row["fee"], row["fee_year"]
        instance.paid_on = fee.paid_on if fee else None
        instance.before = None if new else _values(instance)

    def import_field(
        self, field: Field, instance: Any, row: dict[str, Any], is_m2m: bool = False, **kwargs: Any
    ) -> None:
        """Set a field unless its cell is blank. Raises ValidationError if an earlier line has another value."""
        value = row[field.column_name]
        if value in ("", None):
            return
        if instance.pk:
            self._check_consistent(instance, row, field.column_name)
        super().import_field(field, instance, row, is_m2m, **kwargs)

    def validate_instance(
        self, instance: Any, import_validation_errors: dict[str, Any] | None = None, validate_unique: bool = True
    ) -> None:
        """Check the fields alone: the constraints say no more of a line whose ids `get_instance` has found to be of nobody
        else, and ask the database three times for it."""
        errors = dict(import_validation_errors or {})
        try:
            instance.full_clean(exclude=errors, validate_unique=validate_unique, validate_constraints=False)
        except ValidationError as error:
            errors = error.update_error_dict(errors)
        if errors:
            raise ValidationError(errors)

    def do_instance_save(self, instance: Any, is_create: bool) -> None:
        """Save the arbiter and the fee, each only if it changed."""
        if _values(instance) != instance.before:
            _record(instance, at=self.at, by=self.by)
        if instance.fee_year and instance.paid_on:
            fee = self.fees.get((instance.pk, instance.fee, instance.fee_year))
            fee = fee or Membership(arbiter=instance, fee=instance.fee, year=instance.fee_year)
            if fee.paid_on != instance.paid_on:
                fee.paid_on = instance.paid_on
                _record(fee, at=self.at, by=self.by)
                self.fees[instance.pk, fee.fee, fee.year] = fee
        if is_create:
            self.new.add(instance.pk)

    def after_save_instance(self, instance: Any, row: dict[str, Any], **kwargs: Any) -> None:
        """Index the saved arbiter, so that later lines find the new name and ids."""
        self.register.add(instance)
        for column in LIST_COLUMNS:
            if row[column] not in ("", None):
                self._check_consistent(instance, row, column)

    def _check_consistent(self, instance: Any, row: dict[str, Any], column: str) -> None:
        """Raise ValidationError if an earlier line has another value for the arbiter."""
        fee = "" if row["fee"] == Fee.AOC else "the FIDE licence of "
        value_name = {"fee_year": "", "paid_on": f"day of payment for {fee}{row['fee_year']}"}.get(
            column, _LABELS.get(column, "")
        )
        if value_name:
            before, line = self.values_in_list.setdefault((instance.pk, value_name), (row[column], row["line"]))
            if before != row[column]:
                raise ValidationError(
                    f"{value_name}: line {line} says another for the same arbiter. Leave one of them out."
                )

    def year_begins(self, fee: str) -> int:
        """Return the month in which the year of a fee begins."""
        return LICENCE_YEAR_BEGINS if fee == Fee.FIDE else self._aoc_year_begins

    @cached_property
    def _aoc_year_begins(self) -> int:
        return readings().aoc_year_begins

    def iter_queryset(self, queryset: QuerySet[Arbiter]) -> Iterator[Any]:
        """Yield an arbiter once for each fee, or once without a fee."""
        for arbiter in queryset:
            fees: list[Membership | None] = list(arbiter.memberships.all())
            for fee in fees or [None]:
                copied: Any = copy.copy(arbiter)
                begins = self.year_begins(fee.fee) if fee else 1
                copied.fee = fee.fee.upper() if fee else None
                copied.fee_year = fee_year_label(fee.year, begins=begins) if fee else None
                copied.paid_on = fee.paid_on if fee else None
                yield copied


def _values(arbiter: Arbiter) -> tuple[Any, ...]:
    return tuple(getattr(arbiter, name) for name in _OWN)


def _record(row: Any, *, at: datetime | None, by: User | None) -> None:
    row._history_date, row._history_user = at, by
    row.save()


def _import(listed: AocList, *, at: datetime, by: User, dry_run: bool) -> ImportPreview:
    dataset = Dataset(headers=["line", *LIST_COLUMNS])
    for line in listed.lines:
        fide_id = int(line.fide_id) if line.fide_id else None
        dataset.append(
            [line.line, line.number, fide_id, line.name, line.title, line.federation, line.year, line.paid_on, line.fee]
        )
    resource = ArbiterResource(at=at, by=by)
    result = resource.import_data(dataset, dry_run=dry_run)
    rows: list[RowResult] = result.rows
    changed = [(line, row) for line, row in zip(listed.lines, rows, strict=False) if row.is_new() or row.is_update()]
    return ImportPreview(
        differences=tuple(_difference(line, row, resource) for line, row in changed),
        unchanged=sum(row.is_skip() for row in rows),
        errors=tuple(_errors(result, [line.line for line in listed.lines])),
        written=() if dry_run else tuple(row.instance for _, row in changed),
    )


def _difference(line: AocLine, row: RowResult, resource: ArbiterResource) -> RegisterDifference:
    # Lines of one arbiter share the instance, so the fee year is read from the line.
    arbiter: Arbiter = row.instance
    changes = []
    for name, before, after in row.diff:
        if name in ("fee", "fee_year") or not (before or after):
            continue
        if name == "paid_on" and line.year:
            fee = "Fee" if line.fee == Fee.AOC else "FIDE licence"
            label = f"{fee} of {fee_year_label(line.year, begins=resource.year_begins(line.fee))}"
            changes.append(FieldChange(label, _paid(before), _paid(after)))
        elif name == "title":
            changes.append(FieldChange(_LABELS[name], _title(before), _title(after)))
        else:
            changes.append(FieldChange(_LABELS[name], before, after))
    return RegisterDifference(
        line=line.line,
        name=arbiter.name,
        new=row.is_new(),
        arbiter=None if arbiter.pk in resource.new else arbiter.pk,
        by=resource.found_by.get(line.line, ""),
        changes=tuple(changes),
    )


def _paid(text: str) -> str:
    return f"paid on {formatting.day(date.fromisoformat(text))}" if text else ""


def _title(code: str) -> str:
    return str(ArbiterTitle(code).label) if code in ArbiterTitle.values else code


def _errors(result: Result, lines: list[int]) -> Iterator[Finding]:
    for error in result.base_errors:
        yield Finding(Severity.ERROR, "list-refused", str(error.error))
    findings: list[Finding] = []
    for row in result.error_rows:
        line = lines[row.number - 1]
        findings += [Finding(Severity.ERROR, "line-refused", str(error.error), line) for error in row.errors]
    for row in result.invalid_rows:
        line = lines[row.number - 1]
        for name, texts in row.error_dict.items():
            findings += [Finding(Severity.ERROR, "line-refused", _labelled(name, text), line) for text in texts]
    yield from sorted(findings, key=lambda finding: finding.line or 0)


def _labelled(name: str, text: str) -> str:
    if name == "title" and "blank" in text:
        return "A new arbiter needs a title."
    return f"{_LABELS[name]}: {text}" if name in _LABELS else text
