"""What is written to the log."""

import logging


class ShortRefusals(logging.Filter):
    """A request that Django refuses for what the client sent is one line: no traceback, and no second line for its status."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Take the traceback off; drop the line “Bad Request” of a request that has its own."""
        if record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
            request = getattr(record, "request", None)
            if request is not None:
                request.refusal_logged = True
        elif record.name == "django.request":
            return not getattr(getattr(record, "request", None), "refusal_logged", False)
        return True
