import os
import re

import pytest

from tests.faults.bureau import ROOT, Bureau, free_port


class Proxy:
    """The nginx of docs/nginx.conf before a bureau's web server; only its addresses and folders are of its own."""

    def __init__(self, bureau: Bureau, site: str) -> None:
        self.port = free_port()
        folder = bureau.folder / "nginx"
        folder.mkdir()
        text = (ROOT / "docs/nginx.conf").read_text()
        text, ports = re.subn(r"listen 80\b", f"listen 127.0.0.1:{self.port}", text)
        text, servers = re.subn(r"server 127\.0\.0\.1:8000;", f"server {site.removeprefix('http://')};", text)
        assert (ports, servers) == (1, 1)
        places = "".join(f"{name}_temp_path {folder}/{name};\n" for name in PLACES)
        user = "user root;\n" if os.geteuid() == 0 else ""  # another may not enter the test's folder
        (folder / "nginx.conf").write_text(
            f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;\n{user}"
            f"events {{}}\nhttp {{ access_log off; {places}{text} }}\n"
        )
        program = os.environ.get("NGINX") or "/usr/sbin/nginx"
        line = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
        bureau.wait_for_port(self.port, bureau.start(line))
        self.folder = folder
        self.url = f"http://127.0.0.1:{self.port}"


PLACES = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@pytest.fixture
def bureau(tmp_path):
    """A bureau without data, in a folder."""
    made = Bureau("embedded", tmp_path / "bureau")
    yield made
    made.close()


@pytest.fixture
def proxy(bureau):
    """The proxy before a bureau with two web processes."""
    bureau.env["PROXIES"] = "1"
    return Proxy(bureau, bureau.serve("--workers", "2"))
