"""The queue in Redis: kombu's own, whose workers go on after Redis has hung.

What a worker has done it acknowledges. If Redis does not answer that, kombu counts the message for ever as one that the worker
has in hand, and a worker takes only so many: after a few it would take none. A message that is not acknowledged is delivered
again; it only wakes, and what the queue is for lies in the database.
"""

from typing import Any

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """Lets go of a message that is done, whether Redis hears of it or not."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message. Raises what the connection does."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


class Channel(redis.Channel):
    """A channel of the queue."""

    QoS: Any = QoS


class Transport(redis.Transport):
    """The transport of addresses that begin with `redis:` or `rediss:`."""

    Channel: Any = Channel
