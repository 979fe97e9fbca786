"""`manage.py verify`: prove that the published lists are as they were published."""

import re
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.lib import formatting
from ratings.seals.operations import seal_older
from ratings.seals.queries import ChainLink
from ratings.verification.beside import brought_in_findings, file_findings, register_findings, sent_file_findings
from ratings.verification.chain import outside_chain, walk_chain
from ratings.verification.findings import Finding, as_far_as_readable, found_twice
from ratings.verification.kinds import kind_findings
from ratings.verification.months import lists_missing, months_to_calculate, verify_month

_NOT_IN_CHAIN = "not one of it: it was written anew, or the database is older than that hash, a back-up perhaps"


class Command(BaseCommand):
    """Walk the hash chain, calculate every month again, and name what was changed by hand."""

    help = (
        "Prove the published lists: walk their hash chain, compare the register with its history and the files with their"
        " checksums, and calculate every month again. Ends with status 1 and names the first row of each list that is not as"
        " it was published."
    )
    requires_system_checks: list[str] = []  # they load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to do beside, or to leave out."""
        parser.add_argument(
            "--begin", action="store_true", help="first seal what was published before lists were sealed"
        )
        parser.add_argument(
            "--keep", metavar="HASH", help="a hash that you kept from the public page: it must be one of the chain"
        )
        parser.add_argument(
            "--quick",
            action="store_true",
            help="leave out the files, and calculate nothing again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print what is found, and end with status 1 if anything is. Raises CommandError if what was kept is no hash."""
        kept = options["keep"] if options["keep"] is None else options["keep"].strip().lower()
        if kept is not None and not re.fullmatch("[0-9a-f]{64}", kept):
            raise CommandError("--keep takes a whole hash of 64 letters and digits, as Published lists shows it")
        if options["begin"]:
            count = seal_older(at=timezone.now())
            self.stdout.write(f"{formatting.count(count, 'list')} sealed")
        self.found = 0
        self._walk(kept)
        if not options["quick"]:
            self._tell(*as_far_as_readable("files", file_findings()))
            self._tell(*as_far_as_readable("files sent in", sent_file_findings()))
            for finding in as_far_as_readable("months", self._calculated()):
                self._tell(finding)
        if self.found:
            self.stderr.write(f"{formatting.count(self.found, 'finding')}: what is published is not what was published")
            sys.exit(1)

    def _walk(self, kept: str | None) -> None:
        seal, count, met = None, 0, kept is None
        for seal, findings in walk_chain():
            count += 1
            met = met or seal.hash == kept
            self._tell(*findings)
        self._tell(*found_twice("lists in force", outside_chain))
        self._tell(*found_twice("months brought in", brought_in_findings))
        self._tell(*as_far_as_readable("tables", kind_findings()))
        self._tell(*as_far_as_readable("register", register_findings()))
        if not met:
            self._tell(Finding("hash chain", f"the hash that you kept, {kept}, is {_NOT_IN_CHAIN}"))
        self.stdout.write(f"{formatting.count(count, 'sealed list')}, newest hash: {_hash(seal)}")

    def _calculated(self) -> Iterator[Finding]:
        """Calculate the months again, of which it is said as they are done."""
        if missing := lists_missing():
            why = f"no list has the code {' or '.join(missing)}: the months cannot be calculated again"
            yield Finding("lists", why)
            return
        for key, period in months_to_calculate():
            began = time.perf_counter()
            findings = verify_month(key, period)
            yield from findings
            state = "differs" if findings else "is what was published"
            self.stdout.write(f"{period} calculated again {state}, {time.perf_counter() - began:.1f} s")

    def _tell(self, *findings: Finding) -> None:
        for finding in findings:
            self.stderr.write(finding.text)
        self.found += len(findings)


def _hash(seal: ChainLink | None) -> str:
    return f"{seal.hash} (number {seal.number})" if seal else "none"
