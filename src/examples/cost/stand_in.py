#!/usr/bin/env python3
"""Answers as a language model would, by Anthropic's protocol, to measure what a run asks and costs. Standard library only.

    stand_in.py RECORDING [SECONDS]      prints its address; point ANTHROPIC_BASE_URL there

Its answers have the sizes of recorded ones: an answer is that of an agent of the recording, taken in turn, made so that a run goes on.
A script becomes a text that nobody reads, behind which a made-up score is printed; of whole programs one in six crashes and is mended; a
code block is some of the script that the prompt shows. Three and a half characters count as a token, and nothing is cached. SECONDS is how
long each call takes. GET / says what was asked so far: agent, calls, input and output tokens.
"""

import collections
import hashlib
import itertools
import json
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CHARACTERS = 3.5
FENCE = re.compile(r"```python\n(.*?)\n```", re.S)
MARKED = re.compile(r"^# >>> [^\n]*\n(.*?)\n# <<< ", re.S | re.M)
RECORDING = Path(sys.argv[1])
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
TURN = itertools.count()
ASKED = collections.defaultdict(lambda: [0, 0, 0])


def recorded(names):
    """The answers of these agents, in the order of their paths."""
    return [path.read_text(encoding="utf-8") for path in sorted(RECORDING.rglob("*.md")) if re.sub(r"-\d+$", "", path.stem) in names]


def one_of(*names):
    answers = recorded(names) or ["ready"]
    return answers[next(TURN) % len(answers)]


def program(text, crashes):
    """A script of the same size that ends at once."""
    body = "".join("    " + line + "\n" if line else "\n" for line in FENCE.search(text).group(1).replace('"""', "'''").split("\n"))
    number = next(TURN)
    score = 0.5 + int(hashlib.sha256(str(number).encode()).hexdigest()[:6], 16) / (1 << 26)
    end = f'raise ValueError("crash {number}")' if crashes and number % 6 == 0 else f'print("Final Validation Performance: {score}")'
    head = "import os\nos.makedirs('final', exist_ok=True)\nopen('final/submission.csv', 'w').write('id,damaged\\n1,0.5\\n')\n"
    return f'```python\n{head}SOLUTION = """\n{body.replace(chr(92), "/")}"""\n{end}\n```\n'


def block(prompt, lines):
    """Some lines of the script that the prompt shows."""
    script = FENCE.search(prompt).group(1).split("\n")
    inside = script[5:-3]
    first = next(TURN) % max(1, len(inside) - lines)
    return "\n".join(inside[first:first + lines])


def answer(agent, prompt):
    if agent == "retriever":
        return one_of("retriever")
    if agent in ("init", "merger", "ensembler", "test", "debugger"):
        return program(one_of(agent), agent != "debugger" and agent != "test")
    if agent == "test_subsampling_extract":
        return "No subsampling found."
    if agent == "data":
        return "All the provided information is used."
    if agent == "ablation":
        return program(one_of("ablation"), False).replace("Final Validation Performance", "baseline")
    if agent == "extractor":
        return json.dumps({"plans": [{"code_block": block(prompt, 25), "plan": one_of("planner")}]}, indent=2)
    if agent == "coder":
        return "```python\n" + (MARKED.search(prompt) or FENCE.search(prompt)).group(1) + f"\n# attempt {next(TURN)}\n```\n"
    if agent == "leakage":
        return json.dumps({"answers": [{"leakage_status": "No Data Leakage", "reason": "", "code_block": ""}]}, indent=2)
    return one_of(agent)


class Messages(BaseHTTPRequestHandler):
    def do_GET(self):
        total = [sum(numbers) for numbers in zip(*ASKED.values())]
        self.say("text/plain", "".join(f"{agent} {' '.join(map(str, numbers))}\n" for agent, numbers in [*sorted(ASKED.items()), ("all", total)]))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        asked = json.loads(body)
        prompt = "\n".join(part if isinstance(part, str) else "\n".join(piece.get("text", "") for piece in part)
                           for part in (message["content"] for message in asked["messages"]))
        agent = self.headers.get("x-mlestar-agent", "").replace("-", "_")
        text = answer(agent, prompt)
        usage = {"input_tokens": round(len(body) / CHARACTERS), "output_tokens": round(len(text) / CHARACTERS)}
        ASKED[agent] = [old + new for old, new in zip(ASKED[agent], (1, *usage.values()))]
        time.sleep(SECONDS)
        self.say("application/json", json.dumps({
            "id": "msg_1", "type": "message", "role": "assistant", "model": asked["model"], "stop_reason": "end_turn", "stop_sequence": None,
            "content": [{"type": "text", "text": text}], "usage": usage}))

    def say(self, kind, text):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Messages)
print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
