#!/usr/bin/env python3
"""Run a command with a PostgreSQL and a Redis of its own: `with_services.py COMMAND ...`.

Both are started in a temporary folder on free ports and always ended; servers already on the machine are never used.
The command gets DATABASE_URL, REDIS_URL, CHROMIUM and NGINX. Missing Debian packages are installed if the user may do so.
"""

import contextlib
import ctypes
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

# The packages of each program, the best first. The small Chromium takes less than half of the processor's time.
PACKAGES = {
    "postgres": ["postgresql"],
    "redis-server": ["redis-server"],
    "nginx": ["nginx-light", "nginx"],
    "chromium-headless-shell": ["chromium-headless-shell", "chromium"],
}


def find(program: str) -> str | None:
    """Return the path of a program, from the newest PostgreSQL's folder, PATH or /usr/sbin; None if it is not installed."""
    folders = [Path(shutil.which(program) or "/nonexistent"), Path("/usr/sbin", program)]
    if program in ("postgres", "initdb"):
        folders = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), reverse=True) + folders
    return next((str(path) for path in folders if path.exists()), None)


def browser() -> str | None:
    """The small Chromium, or the whole one."""
    return find("chromium-headless-shell") or find("chromium")


def install_missing() -> None:
    """Install missing packages with apt, or exit with the command to do so."""
    missing = [program for program in PACKAGES if not find(program)]
    rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    may = shutil.which("apt-get") and (not rights or not subprocess.run([*rights, "true"], check=False).returncode)
    if missing and may:
        print(f"Installing {', '.join(PACKAGES[program][0] for program in missing)} ...", flush=True)
        quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
        subprocess.run([*rights, "apt-get", "update", "-qq"], check=False, **quiet)  # type: ignore[call-overload]
        for program in missing:
            for package in PACKAGES[program]:
                line = [*rights, "apt-get", "install", "-y", "--no-install-recommends", package]
                if not subprocess.run(line, check=False, **quiet).returncode:  # type: ignore[call-overload]
                    break
    still = [PACKAGES[program][0] for program in missing if not find(program)]
    if browser():
        still = [package for package in still if package not in PACKAGES["chromium-headless-shell"]]
    if still:
        sys.exit(f"The tests need {', '.join(still)}. Install with: sudo apt-get install -y {' '.join(still)}")


def free_port() -> int:
    """Return a free port below the kernel's range for clients, which could take the port meanwhile."""
    while True:
        port = random.randint(10_000, 32_000)  # noqa: S311 - no secret
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def die_with_parent() -> None:
    """Have the kernel end this process when the one that started it ends (Linux)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def start(stack: ExitStack, command: list[str], log: Path, user: str | None = None) -> subprocess.Popen[bytes]:
    """Start a server that ends with `stack`, or with this program if that is killed."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, user=user, start_new_session=True, preexec_fn=die_with_parent
        )

    def end() -> None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    stack.callback(end)
    return process


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server answers on its port; exit with its log if it does not within 5 minutes."""
    for _ in range(3000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    sys.exit(f"{process.args!r} did not start:\n{log.read_text(errors='replace')}")


def start_postgres(stack: ExitStack, folder: Path) -> str:
    """Start a PostgreSQL that does not sync to disk and return its DATABASE_URL."""
    user = None
    data = folder / "postgres"
    data.mkdir()
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        names = {entry.pw_name for entry in pwd.getpwall()}
        user = "postgres" if "postgres" in names else "nobody"
        shutil.chown(data, user)
    port = free_port()
    subprocess.run(
        [find("initdb") or "initdb", "-D", str(data), "-A", "trust", "-U", "bureau", "-E", "UTF8", "--locale=C", "--no-sync"],
        check=True, stdout=subprocess.DEVNULL, user=user,
    )  # fmt: skip
    settings = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "fsync": "off",
                "synchronous_commit": "off", "full_page_writes": "off", "max_connections": 100,
                "autovacuum": "off", "log_min_error_statement": "panic", "log_error_verbosity": "terse"}  # fmt: skip
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    log = folder / "postgres.log"
    wait_for(port, start(stack, [find("postgres") or "postgres", "-D", str(data), *options], log, user), log)
    for _ in range(3000):  # it listens a moment before it accepts connections
        ready = [find("psql") or "psql", "-h", "127.0.0.1", "-p", str(port), "-U", "bureau", "-d", "postgres"]
        creation = subprocess.run([*ready, "-qc", "CREATE DATABASE bureau"], capture_output=True, check=False)
        if creation.returncode == 0:
            return f"postgres://bureau@127.0.0.1:{port}/bureau"
        time.sleep(0.1)
    sys.exit(f"PostgreSQL lets nobody in: {creation.stderr.decode()}")


def start_redis(stack: ExitStack, folder: Path) -> str:
    """Start a Redis without storage and return its REDIS_URL."""
    port = free_port()
    log = folder / "redis.log"
    command = [find("redis-server") or "redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "",
               "--appendonly", "no", "--dir", str(folder)]  # fmt: skip
    wait_for(port, start(stack, command, log), log)
    return f"redis://127.0.0.1:{port}/0"


def main() -> int:
    """Start both servers, run the command and return its exit status."""
    install_missing()

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, stop)
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="bureau-test-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        env = {**os.environ, "CHROMIUM": browser() or "", "NGINX": find("nginx") or ""}
        env["DATABASE_URL"] = start_postgres(stack, folder)
        env["REDIS_URL"] = start_redis(stack, folder)
        command = subprocess.Popen(sys.argv[1:], env=env, preexec_fn=die_with_parent)
        try:
            return command.wait()
        except BaseException:
            command.terminate()
            command.wait(20)
            raise


if __name__ == "__main__":
    sys.exit(main())
