"""An MCP server on its standard streams; its argument says how it behaves."""
import json
import os
import subprocess
import sys
import time

mode = sys.argv[1]
TEXT = {"type": "string"}
TOOLS = [
    {"name": "add", "description": "Adds.", "inputSchema": {
        "type": "object", "required": ["a"], "additionalProperties": False,
        "properties": {"a": {"type": "integer"}, "b": {"type": "number", "description": "0 if left out"},
                       "how": {"type": "string", "enum": ["plain", "loud"]}, "more": {"type": "array", "items": {"type": "number"}}}}},
    {"name": "environment", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "big", "description": "d" * 5000, "inputSchema": {"type": "object", "properties": {}}},
    {"name": "fail", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "hang", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "child", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "die", "inputSchema": {"type": "object", "properties": {}}},
]
SECOND_PAGE = []
if mode == "names":
    TOOLS = [{"name": name} for name in ["docs.search", "files/read", "a.b", "a_b", "a/b", "a_b", "x" * 74, ""]] + [
        {"name": "wide", "inputSchema": {"properties": {"x" * 20_000: TEXT}}}, {"name": "broken", "inputSchema": {"properties": {"x": True}}}]
    SECOND_PAGE = [{"name": "generated", "inputSchema": {
        "$schema": "http://json-schema.org/draft-07/schema#", "title": "Generated", "type": "object", "description": None,
        "properties": {"n": {"type": "integer", "minimum": 1, "default": 3}, "one": {"$ref": "#/definitions/One"}},
        "definitions": {"One": {"enum": ["a", "b"], "type": "string"}}, "additionalProperties": TEXT}}]
    SECOND_PAGE += [{"name": f"t{number}"} for number in range(59)]


def use(name, arguments):
    if mode == "names":
        return name
    if name == "add":
        return str(arguments["a"] + arguments.get("b", 0))
    if name == "environment":
        return json.dumps(dict(os.environ))
    if name == "big":
        return "x" * 5_000_000
    if name == "hang":
        time.sleep(600)
    if name == "child":
        return str(subprocess.Popen(["sleep", "600"]).pid)
    if name == "die":
        print("out of\nluck", file=sys.stderr, flush=True)
        os._exit(3)
    raise ValueError(name)


def result(request):
    params = request.get("params", {})
    if request["method"] == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "py", "version": "1"}}
    if request["method"] == "tools/list":
        if params.get("cursor") == "second":
            return {"tools": SECOND_PAGE}
        cursor = {"pages": "again", "names": "second"}.get(mode)
        return {"tools": TOOLS, "nextCursor": cursor} if cursor else {"tools": TOOLS}
    try:
        return {"content": [{"type": "text", "text": use(params["name"], params["arguments"])}]}
    except ValueError as e:
        return {"content": [{"type": "text", "text": f"no luck with {e}"}], "isError": True}


if mode == "dies":
    sys.exit("no module named luck")
if mode == "garbage":
    print("<html>it works</html>", flush=True)
if mode == "flood":
    while True:
        sys.stdout.write("x" * 1_000_000)
if mode == "hangs":
    time.sleep(600)
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result(asked)}), flush=True)
if mode == "stays":
    time.sleep(600)
