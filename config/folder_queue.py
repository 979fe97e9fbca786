"""The queue of a bureau without Redis: messages as files of a folder, each seen whole or not at all.

Kombu's own transport writes a message, and its table of queues, in place: a worker who reads at that moment meets an empty
file and ends. What the queue is for lies in the database, so that a message may be lost.
"""

import contextlib
import logging
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import OperationalError
from kombu.transport import filesystem, virtual
from kombu.utils.json import dumps, loads

log = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """A folder in which messages appear by renaming. The table of queues is held in each process, which declares its own."""

    supports_fanout = False
    get_table = virtual.Channel.get_table  # type: ignore[assignment]  # the stubs differ in the row's type

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        path = Path(self.data_folder_out, f"{time.time_ns()}_{uuid.uuid4()}.{queue}.msg")
        unfinished = path.with_suffix(".unfinished")
        try:
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # somebody may have deleted it
                unfinished.write_text(dumps(payload))
                unfinished.rename(path)
            except OSError:
                with contextlib.suppress(OSError):
                    unfinished.unlink()
                raise
        except OSError as error:
            raise OperationalError(f"a message cannot be kept in {path.parent}: {error.strerror}") from error

    def _size(self, queue: str) -> int:
        """Return how many messages wait; 0 if the folder cannot be read: who puts one there is told."""
        with contextlib.suppress(OSError):
            return int(super()._size(queue))
        return 0

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for path in sorted(filter(Path.is_file, Path(self.data_folder_in).glob(f"*.{queue}.msg"))):
            taken = path.with_suffix(".taken")
            try:
                path.rename(taken)
            except FileNotFoundError:  # another worker has it
                continue
            content = taken.read_bytes()
            taken.unlink()
            if message := _message(content):
                return message
            log.warning("%s is not a whole message and was passed over: the next check sends it again", path.name)
        raise Empty


def _message(content: bytes) -> dict[str, Any] | None:
    """Return the message that a file holds; None if it holds none, at which a worker would end."""
    try:
        message = loads(content)
    except (ValueError, RecursionError):
        return None
    properties = message.get("properties") if isinstance(message, dict) else None
    whole = isinstance(properties, dict) and {"delivery_tag", "delivery_info"} <= properties.keys()
    return message if whole else None


class Transport(filesystem.Transport):
    """The transport of CELERY_BROKER_URL folder://localhost."""

    Channel = Channel
    global_state = virtual.BrokerState()
    implements = virtual.Transport.implements.extend(asynchronous=False, exchange_type=frozenset(["direct", "topic"]))
