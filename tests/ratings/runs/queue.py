"""What lies in the workers' queue."""

import base64
import json

import redis


class Queue:
    """The queue of a Redis."""

    def __init__(self, server: redis.Redis) -> None:
        self.server = server

    def take(self) -> list[object]:
        """The first argument of each message in the queue, as the id of a run, taken out of it."""
        messages = [json.loads(self.server.lpop("celery")) for _ in range(self.server.llen("celery"))]
        return [json.loads(base64.b64decode(message["body"]))[0][0] for message in messages]
