"""Whoever looks at the bureau's pages meanwhile, and the officer who presses a button."""

import re
import threading
import time
from typing import Any

import requests

from tests.faults.kill.works import SESSION

CSRF = "c" * 32
PAGES = ("/lists/main/", "/api/v1/lists/main/", "/lists/")
_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')


def press(site: str, address: str, fields: dict[str, str], file: bytes | None = None) -> int:
    """The officer presses a button: the status of the answer, 0 if none came."""
    cookies = {"sessionid": SESSION, "csrftoken": CSRF}
    files = {"file": ("open.trf", file)} if file is not None else None
    try:
        answer = requests.post(
            site + address, data={**fields, "csrfmiddlewaretoken": CSRF}, files=files, cookies=cookies, timeout=60,
            allow_redirects=False,
        )  # fmt: skip
    except requests.RequestException:
        return 0
    return answer.status_code


class Reader(threading.Thread):
    """Asks for the public lists over and over, and keeps each different answer."""

    def __init__(self, site: str) -> None:
        super().__init__(daemon=True)
        self.site, self.stopped = site, threading.Event()
        self.may_fail = False  # whether the web server itself is killed
        self.seen: dict[str, dict[bytes, int]] = {page: {} for page in PAGES}
        self.faults: list[str] = []
        self.outages = self.number = 0

    def run(self) -> None:
        """Read until told to stop."""
        while not self.stopped.is_set():
            for page in PAGES:
                self.read(page)
            time.sleep(0.05)

    def read(self, page: str) -> None:
        """Ask for a page once."""
        self.number += 1
        try:
            answer = requests.get(self.site + page, timeout=60)
        except requests.RequestException as error:
            if not self.may_fail:
                self.faults.append(f"{page}: {type(error).__name__}: {error}")
            return
        if answer.status_code == 503:
            self.outages += 1
            if "Retry-After" not in answer.headers or b"database does not answer" not in answer.content:
                self.faults.append(f"{page}: 503 without the page that says so")
        elif answer.status_code not in (200, 404):
            self.faults.append(f"{page}: {answer.status_code} {answer.text[:300]}")
        else:
            seen = self.seen[page]
            body = _TOKEN.sub(b"", answer.content)
            seen[body] = seen.get(body, 0) + 1

    def stop(self) -> None:
        """End it."""
        self.stopped.set()
        self.join()

    def halves(self, known: dict[str, set[bytes]]) -> list[str]:
        """What was seen of a page that is neither what an undisturbed reader saw before nor after."""
        lines = []
        for page, bodies in self.seen.items():
            for body in set(bodies) - known[page]:
                lines.append(f"{page}: neither the former list nor the new one, {len(body)} bytes")
        return lines


def bodies(reader: Reader) -> dict[str, set[bytes]]:
    """What a reader saw, by page."""
    return {page: set(seen) for page, seen in reader.seen.items()}


def once(site: str) -> dict[str, Any]:
    """What each page is now."""
    reader = Reader(site)
    for page in PAGES:
        reader.read(page)
    return bodies(reader)
