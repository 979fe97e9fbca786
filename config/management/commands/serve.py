"""`manage.py serve`: web, worker and beat together, until Ctrl-C."""

import contextlib
import ctypes
import fcntl
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from config.lib.parsing import whole_number

_PDEATHSIG = 1
_STOP_SECONDS = 15  # that a process has to end


class Command(BaseCommand):
    """Updates the database and the static files, then keeps web, worker and beat running."""

    help = "Serve web, worker and beat together."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options for the port and for what an empty database begins with."""
        parser.add_argument("--port", default=os.environ.get("PORT") or "8000")
        begins = parser.add_mutually_exclusive_group()
        begins.add_argument(
            "--demo", action="store_true", help="load the demonstration federation into an empty database"
        )
        begins.add_argument(
            "--empty", action="store_true", help="begin a bureau: open one account in an empty database"
        )
        parser.add_argument(
            "--officer", default="officer@localhost", help="address of that account; default: %(default)s"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare the data, start the processes, restart one that ends, and end all on a signal. Raises CommandError."""
        port = _port(str(options["port"]))
        _refuse_busy(port)
        if "SITE_URL" not in os.environ:  # for the links of mails, the demonstration's and those of its processes
            settings.SITE_URL = os.environ["SITE_URL"] = f"http://127.0.0.1:{port}"
        # Until this is done, Ctrl-C ends the process at once (manage.py): the database rolls back what was begun, and the
        # next start continues.
        with self._preparing_lock():
            call_command("migrate", verbosity=0)
            collect_static()
            if options["demo"]:
                call_command("demo", if_empty=True, stdout=self.stdout)
            elif options["empty"]:
                self._begin(options["officer"])
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, _stop)
        os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # this command has made them
        commands = _commands(port)
        running: dict[str, subprocess.Popen[bytes]] = {}
        try:
            for name, command in commands.items():
                running[name] = _start(command)
            self._wait_for_web(port, running["web"])
            self._announce(port)
            while True:
                time.sleep(0.5)
                for name, process in running.items():
                    if process.poll() is not None:
                        self.stderr.write(f"{name} ended with status {process.returncode}; starting it again")
                        time.sleep(1)
                        running[name] = _start(commands[name])
        except _Stop:
            self.stdout.write("\nStopping ...")
        finally:
            _end(list(running.values()))

    def _begin(self, address: str) -> None:
        from accounts.operations import AccountError, open_first_account
        from demo.build import has_accounts

        if has_accounts():
            raise CommandError(
                "the demonstration is in this database: choose a folder of your own, as VAR_DIR=var/bureau"
            )
        password = secrets.token_urlsafe(12)
        try:
            account = open_first_account(address, password, at=timezone.now())
        except AccountError as error:
            raise CommandError(str(error)) from None
        if account is not None:
            self.stdout.write(f"Your account, a ratings officer and superuser: {account.email}, password {password}")
            self.stdout.write("It is shown this once: change it on your account's page.")
            self.stdout.flush()

    @contextlib.contextmanager
    def _preparing_lock(self) -> Iterator[None]:
        """Hold the lock on VAR_DIR, waiting while another start prepares it. The kernel releases it with the process."""
        with (settings.VAR_DIR / "preparing").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.stdout.write(f"Another start is preparing {settings.VAR_DIR}; waiting until it is ready ...")
                self.stdout.flush()
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _wait_for_web(self, port: int, web: "subprocess.Popen[bytes]") -> None:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            if web.poll() is not None:
                raise CommandError("the web server did not start; the lines above say why")
            time.sleep(0.1)
        raise CommandError("the web server did not answer within 30 seconds")

    def _announce(self, port: int) -> None:
        site = f"http://127.0.0.1:{port}"
        self.stdout.write(f"\nThe ratings bureau is open at {site}/\n")
        for address, description in (
            ("/", "home"),
            ("/lists/main/", "the published Main list"),
            ("/players/", "find a player"),
            ("/events/", "events"),
            ("/calculators/", "calculators"),
            ("/admin/", "the officer's admin"),
            *_first_steps(),
        ):
            self.stdout.write(f"  {site}{address:<14} {description}")
        self._announce_accounts()
        self.stdout.write("Ctrl-C ends it.")
        self.stdout.flush()

    def _announce_accounts(self) -> None:
        from accounts.models import User
        from demo.accounts import accounts

        emails = set(User.objects.values_list("email", flat=True))
        demonstration = [account for account in accounts() if account[1] in emails]
        if demonstration:
            self.stdout.write("Demonstration accounts:")
            for role, email, password in demonstration:
                self.stdout.write(f"  {role:<34} {email:<28} {password}")


def _first_steps() -> list[tuple[str, str]]:
    """Return where an empty bureau begins, as long as no list was published."""
    from ratings.moving_in.first_steps import is_running

    return [] if is_running() else [(reverse("admin:ratings_importjob_first_steps"), "first steps of an empty bureau")]


def collect_static() -> None:
    """Collect the style sheets and scripts, if any differs from what is there.

    Hazard: processes of another start read them meanwhile, and collecting deletes files before it writes them.
    """
    complete = settings.STATIC_ROOT / "staticfiles.json"  # is written last
    options = {"interactive": False, "verbosity": 0}
    if complete.exists():
        trial = collectstatic.Command()
        parsed = vars(trial.create_parser("", "collectstatic").parse_args(["--dry-run"]))
        trial.set_options(**parsed | options)
        if not trial.collect()["modified"]:
            return
        complete.unlink()
    call_command("collectstatic", **options)


class _Stop(Exception):
    pass


def _stop(number: int, frame: FrameType | None) -> None:
    raise _Stop


def _port(text: str) -> int:
    port = whole_number(text.strip(), digits=5)
    if port is None or not 0 < port < 65536:
        raise CommandError(f"port {text[:40]} cannot be had: choose one from 1 to 65535, as PORT=8001")
    return port


def _refuse_busy(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(f"port {port} cannot be had ({error}): choose another with PORT=8001") from None


def _commands(port: int) -> dict[str, list[str]]:
    # Silence Celery's banner and its warning about running as root.
    celery = [sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "-A", "config"]
    return {
        "web": [
            sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "--bind", f"127.0.0.1:{port}",
            "--workers", "2",
        ],
        # The solo pool has no child processes that could survive a killed worker.
        "worker": [*celery, "worker", "--pool", "solo", "--loglevel", "warning", "--without-mingle", "--without-gossip"],
        "beat": [
            *celery, "beat", "--loglevel", "warning", "--pidfile", "",
            "--schedule", str(settings.VAR_DIR / f"beat-schedule-{port}"),
        ],
    }  # fmt: skip


def _start(command: list[str]) -> "subprocess.Popen[bytes]":
    # In a new session, so that the terminal's Ctrl-C reaches only this program, which then ends the others in order.
    return subprocess.Popen(command, cwd=settings.BASE_DIR, start_new_session=True, preexec_fn=_die_with_parent)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGTERM)


def _end(processes: "list[subprocess.Popen[bytes]]") -> None:
    for process in processes:
        if process.poll() is None:
            process.terminate()
    deadline = time.monotonic() + _STOP_SECONDS
    for process in processes:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
