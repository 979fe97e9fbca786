"""Who uses the bureau: readers, those who register events and send files in, officers, and who starts and publishes months."""

import json
import random
import re
import threading
import time
from collections import Counter
from typing import Any

import requests

from tests.faults.bureau import Bureau
from tests.soak.world import OFFICER, uploader

CSRF = "c" * 32
PUBLIC = (
    "/", "/lists/", "/lists/main/", "/lists/main/?page=2", "/lists/main/?q=Surname1", "/players/", "/players/?q=surname{some}",
    "/players/suggest/?q=surname{some}", "/players/{number}/", "/players/{number}/statistics/", "/players/{number}/history.csv",
    "/players/{number}/2024-01/main/", "/events/", "/events/{event}/", "/events/calendar/", "/regions/", "/statistics/main/",
    "/downloads/", "/downloads/2024-01/SHA256SUMS", "/downloads/2024-01/full_main.zip", "/lists/main/2024-01/players.csv",
    "/calculators/", "/how-it-works/", "/api/v1/lists/main/", "/api/v1/lists/main/2024-01/", "/api/v1/players/{number}/",
    "/api/v1/players/?q=surname{some}", "/api/v1/players/{number}/games/", "/api/v1/events/", "/api/v1/seals/",
)  # fmt: skip
DESK = (
    "/admin/", "/admin/events/event/", "/admin/events/ratingperiod/", "/admin/ratings/ratingrun/", "/admin/accounts/mail/",
    "/admin/players/player/?q=surname{some}", "/admin/accounts/decision/", "/health/",
)  # fmt: skip


class Answers:
    """How all requests were answered, counted by every thread."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.statuses: Counter[int] = Counter()
        self.seconds: dict[str, list[float]] = {}
        self.faults: list[str] = []
        self.done: Counter[str] = Counter()

    def add(self, who: str, status: int, seconds: float, fault: str = "") -> None:
        """Count an answer; status 0: none came."""
        with self.lock:
            self.statuses[status] += 1
            self.seconds.setdefault(who, []).append(seconds)
            if fault:
                self.faults.append(fault)

    def did(self, what: str) -> None:
        """Count something that was done."""
        with self.lock:
            self.done[what] += 1


class Person(threading.Thread):
    """Somebody with a browser, until told to stop."""

    def __init__(
        self, site: str, answers: Answers, stopped: threading.Event, *, session: str = "", seed: int = 0
    ) -> None:
        super().__init__(daemon=True)
        self.site, self.answers, self.stopped = site, answers, stopped
        self.chance = random.Random(seed)
        self.browser = requests.Session()
        if session:
            self.browser.cookies.update({"sessionid": session, "csrftoken": CSRF})

    def run(self) -> None:
        """Do one round after the other."""
        while not self.stopped.is_set():
            self.round()

    def round(self) -> None:
        """What is done over and over."""
        raise NotImplementedError

    def get(self, address: str) -> str:
        """Open a page; "" if it is none."""
        return self._ask("GET", address)

    def post(self, address: str, fields: dict[str, Any], **given: Any) -> str:
        """Press a button, and open where it leads."""
        return self._ask("POST", address, data={**fields, "csrfmiddlewaretoken": CSRF}, **given)

    def rest(self, least: float, most: float) -> None:
        """Look at it for a while."""
        self.stopped.wait(self.chance.uniform(least, most))

    def some(self, address: str) -> str:
        """An address with a player, a name and an event by chance."""
        number = 200_000_000 + self.chance.randrange(400)
        return address.format(number=number, some=self.chance.randrange(100), event=self.chance.randrange(1, 60))

    def _ask(self, method: str, address: str, **given: Any) -> str:
        begun = time.perf_counter()
        who = type(self).__name__
        try:
            answer = self.browser.request(method, self.site + address, timeout=60, **given)
        except requests.RequestException as error:
            fault = f"{who}: {method} {address}: {type(error).__name__}: {error}"
            self.answers.add(who, 0, time.perf_counter() - begun, "" if self.stopped.is_set() else fault)
            return ""
        fault = f"{who}: {method} {address}: {answer.status_code}" if answer.status_code >= 500 else ""
        self.answers.add(who, answer.status_code, time.perf_counter() - begun, fault)
        return answer.text if answer.ok else ""


class Reader(Person):
    """Reads public pages, files and the API."""

    def round(self) -> None:
        """A page."""
        self.get(self.some(self.chance.choice(PUBLIC)))
        self.rest(0.5, 1.5)


class Uploader(Person):
    """Registers events, uploads files and sends them in."""

    def __init__(self, *given: Any, number: int, sent: str, **named: Any) -> None:
        super().__init__(*given, session=uploader(number), seed=1000 + number, **named)
        self.number = number
        self.entry, self.events = json.loads(sent)
        self.turn = 0

    def round(self) -> None:
        """Register an event that is to come; of one that was played upload the file, look until it is checked, send it in."""
        self.turn += 1
        name = f"Open of {self.number} {self.turn} {self.chance.randrange(10**6)}"
        if name in self.post("/events/register/", {**self.entry, "name": name}):
            self.answers.did("registered")
        event, file = self.events[(3 * self.turn + self.number) % len(self.events)]
        page = f"/events/{event}/results/"
        self.get("/events/mine/")
        if not self.get(page):
            self.rest(1, 2)
            return
        content = file.replace("Mopane Open", f"Mopane Open {self.turn}").encode()
        self.post(f"{page}upload/", {}, files={"file": ("open.trf", content)})
        for _ in range(60):
            found = re.search(r'name="shown" value="([^"]*)"', self.get(page))
            if found:
                if self.post(f"{page}submit/", {"shown": found[1], "declared": "on"}):
                    self.answers.did("sent in")
                break
            self.rest(0.5, 1)
            if self.stopped.is_set():
                return
        self.rest(2, 5)


class Officer(Person):
    """Looks at the desk, and decides what waits: returns three events of four, accepts the fourth."""

    def round(self) -> None:
        """A page of the desk, and an event's review."""
        self.get(self.some(self.chance.choice(DESK)))
        review = self.get("/admin/events/event/review/next/")
        event, shown = re.search(r"/admin/events/event/(\d+)/review/decide/", review), re.search(
            r'name="shown" value="([^"]*)"', review
        )  # fmt: skip
        if event and shown:
            do = "accept" if self.chance.random() < 0.25 else "return"
            fields = {"do": do, "shown": shown[1], "what": "event", "reason": "Looked at."}
            self.post(f"/admin/events/event/{event[1]}/review/decide/", fields)
            self.answers.did(do)
        self.rest(1, 3)


class Chief(Person):
    """Starts the calculation of the oldest open month, and publishes it."""

    def __init__(self, *given: Any, bureau: Bureau, every: float, **named: Any) -> None:
        super().__init__(*given, session=OFFICER, **named)
        self.bureau, self.every = bureau, every

    def round(self) -> None:
        """A month."""
        begun = time.monotonic()
        month = self.bureau.value(
            "SELECT id FROM events_ratingperiod WHERE state <> 'published' ORDER BY month LIMIT 1"
        )
        self.post(f"/admin/events/ratingperiod/{month}/calculate/", {"reason": "The month has ended."})
        run = self.wait_for(f"SELECT id FROM ratings_ratingrun WHERE period_id = {month} AND state = 'calculated'")
        if run:
            self.answers.did("calculated")
            name = str(self.bureau.value(f"SELECT month FROM events_ratingperiod WHERE id = {month}"))[:7]
            self.post(f"/admin/ratings/ratingrun/{run}/publish/", {"month": name})
            if self.wait_for(f"SELECT id FROM ratings_ratingrun WHERE id = {run} AND state = 'published'"):
                self.answers.did("published")
        self.stopped.wait(max(1, self.every - (time.monotonic() - begun)))

    def wait_for(self, query: str) -> object:
        """Wait for a run; what does not come is a fault."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not self.stopped.is_set():
            if found := self.bureau.value(query):
                return found
            time.sleep(0.2)
        if not self.stopped.is_set():
            self.answers.add("Chief", 0, 120, f"waited 120 s: {query}")
        return None
