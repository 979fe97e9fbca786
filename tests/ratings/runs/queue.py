"""What lies in the workers' queue."""

from queue import Empty

from config.celery import app


class Queue:
    """The queue that the workers listen to."""

    def take(self) -> list[object]:
        """The first argument of each message in the queue, as the id of a run, else the task, taken out of it."""
        taken: list[object] = []
        with app.connection_for_write() as connection, connection.SimpleQueue("celery") as queue:
            while True:
                try:
                    message = queue.get_nowait()
                except Empty:
                    return taken
                message.ack()
                arguments = message.payload[0]
                taken.append(arguments[0] if arguments else message.headers["task"])
