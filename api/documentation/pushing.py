"""The worked push of a section's file, with curl and in Python: a test runs both as they stand on the page."""

from api.documentation.examples import Example, Objects
from events.submission.operations import DECLARATION

_HEADER = '-H "Authorization: Bearer $TOKEN"'

_SCRIPT = """import json
import time
import urllib.request

API = "%(api)s"
TOKEN = "chessa_…"
EVENT, SECTION, FILE = %(event)d, %(section)d, "open.trf"


def call(method, path, content=None, media_type="application/json"):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": media_type}
    request = urllib.request.Request(API + path, content, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


address = f"/events/{EVENT}/sections/{SECTION}/file/"
with open(FILE, "rb") as file:
    state = call("PUT", f"{address}?name={FILE}", file.read(), "application/octet-stream")
while state["state"] == "checking":
    time.sleep(2)
    state = call("GET", address)
for finding in state["findings"]:
    print(finding["severity"], finding["place"] or "", finding["message"])

form = call("GET", f"/events/{EVENT}/submit/")
if form["ready"]:
    print(form["declaration"])
    if input("Do you declare this? yes or no: ") == "yes":
        document = {"declaration": form["declaration"], "version": form["version"]}
        call("POST", f"/events/{EVENT}/submit/", json.dumps(document).encode())
        form = call("GET", f"/events/{EVENT}/submit/")
        while form["sending"]:  # large files, by a worker
            time.sleep(2)
            form = call("GET", f"/events/{EVENT}/submit/")
        print(form["not_sent"] or form["state"])
else:
    for obstacle in form["open"]:
        print(obstacle["message"])
    print("Answer what is open at", state["page"])
"""


def push_commands(site: str, named: Objects) -> list[Example]:
    """Return the commands of a push, in their order. `site`: its address without a slash at the end."""
    api = f"{site}/api/v1"
    file, submit = f"{api}/events/{named.event}/sections/{named.section}/file/", f"{api}/events/{named.event}/submit/"
    return [
        Example("Find the event and its sections", f"curl {_HEADER} '{api}/me/events/'"),
        Example(
            "Send in the file of a section",
            f"curl -X PUT {_HEADER} -H 'Content-Type: application/octet-stream' --data-binary @open.trf"
            f" '{file}?name=open.trf'",
        ),
        Example("Ask what the check finds, until it is done", f"curl {_HEADER} '{file}'"),
        Example("See what is declared, and whether anything is open", f"curl {_HEADER} '{submit}'"),
        Example(
            "Submit the event with that declaration",
            f"curl -X POST {_HEADER} -H 'Content-Type: application/json' -d '{{\"declaration\": \"{DECLARATION}\"}}'"
            f" '{submit}'",
        ),
    ]


def push_script(site: str, named: Objects) -> str:
    """Return a program in Python that does this."""
    return _SCRIPT % {"api": f"{site}/api/v1", "event": named.event, "section": named.section}
