"""What the judges in Python share: the calls of calls.json and their checks.

`run` sets JUDGES_ORIGIN (the store over HTTP), JUDGES_CONFIG (its
configuration, for stdio) and SHOPKEEPER (the binary).
"""

import json
import os
from pathlib import Path

ORIGIN = os.environ["JUDGES_ORIGIN"]
VERSIONS = {"ucp": "2026-08-25", "bcp": "2026-07-28"}
TOOLS = {
    "ucp": ["search_catalog", "lookup_catalog", "get_product", "search_locations", "lookup_locations"],
    "bcp": ["search_catalog", "lookup_catalog", "get_product"],
}


def endpoint(protocol):
    return f"{ORIGIN}/{protocol}/mcp"


def stdio_command(protocol):
    """The program and its arguments that serve the same store over stdio."""
    return os.environ["SHOPKEEPER"], ["stdio", os.environ["JUDGES_CONFIG"], "--protocol", protocol]


def calls(protocol):
    """Each call with the meta of a sample platform of the newest version."""
    profile = f"{ORIGIN}/dev/platform/{protocol}/{VERSIONS[protocol]}.json"
    meta = {"meta": {"ucp-agent": {"profile": profile}}}
    table = json.loads(Path(__file__).with_name("calls.json").read_text("utf-8"))
    for call in table["shopping"] + table["location"]:
        if call["tool"] in TOOLS[protocol]:
            yield call["tool"], meta | call["arguments"], call


def check(protocol, call, is_error, structured, content):
    """Holds an answer against its call; AssertionError says what differs."""
    tool = call["tool"]
    assert is_error == call.get("errors", False), f"{tool}: isError is {is_error}: {structured}"
    assert json.loads(content[0].text) == structured, f"{tool}: text and structuredContent differ"
    version = structured["ucp"]["version"]
    assert version == VERSIONS[protocol], f"{tool}: version {version}"
    for pointer, expected in call["expect"].items():
        found = at(structured, pointer)
        assert found == expected, f"{tool}: {pointer} is {found!r}, not {expected!r}"


def at(document, pointer):
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        document = document[int(step)] if isinstance(document, list) else document.get(step)
    return document
