"""A mail server of the tests' own, which takes mails, refuses them or says nothing."""

import contextlib
import socketserver
import threading
import time
from email import message_from_bytes
from email.message import Message


class MailServer(socketserver.ThreadingTCPServer):
    """Listens on a free port of this machine until the `with` block ends.

    `answers`: SMTP command → the answer given in place of the usual one; "" for none at all, which keeps the sender waiting.
    `unknown`: addresses that are refused for good.
    `dripping`: commands whose answers come byte by byte, a tenth of a second apart.
    `slowly`: seconds before a mail that came whole is answered. `mails`: what was taken, in order.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.answers: dict[str, str] = {}
        self.unknown: set[str] = set()
        self.dripping: set[str] = set()
        self.slowly = 0.0
        self.mails: list[Message] = []
        self.conversations = 0
        self.port: int = self.server_address[1]

    def __enter__(self) -> "MailServer":
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.server.conversations += 1
        with contextlib.suppress(ConnectionError):
            if not self._answer("CONNECT", "220 ready"):
                return
            while line := self.rfile.readline():
                command = line[:4].decode().upper().strip()
                usual = {"DATA": "354 go on", "QUIT": "221 bye"}.get(command, "250 ok")
                if any(f"<{address}>".encode() in line for address in self.server.unknown):
                    usual = "550 no such person"
                if not self._answer(command, usual) or command == "QUIT":
                    return
                if command == "DATA" and "DATA" not in self.server.answers:
                    self._take()

    def _take(self) -> None:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        if "MAIL TEXT" not in self.server.answers:
            self.server.mails.append(message_from_bytes(b"".join(lines)))
        time.sleep(self.server.slowly)
        self._answer("MAIL TEXT", "250 taken")

    def _answer(self, command: str, usual: str) -> bool:
        answer = self.server.answers.get(command, usual)
        if not answer:
            self.rfile.read()  # until the sender hangs up
            return False
        line = f"{answer}\r\n".encode()
        for part in (
            [line[place : place + 1] for place in range(len(line))] if command in self.server.dripping else [line]
        ):
            self.wfile.write(part)
            if command in self.server.dripping:
                time.sleep(0.1)
        return True
