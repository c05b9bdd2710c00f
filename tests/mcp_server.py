"""A small server for tests, started as a program: it does as the name of the tool says."""

import json
import os
import signal
import sys
import time

TOOLS = ("echo", "big", "env", "die", "exit", "wait", "noise", "group", "join")


def say(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def call(name, arguments):
    if name == "big":
        return text("x" * arguments["size"])
    if name == "env":
        return text(json.dumps(dict(os.environ)))
    if name == "join":
        return text("key: " + "".join(arguments["parts"]))
    if name == "group":
        return text(json.dumps([os.getpid(), os.getpgrp(), os.getppid()]))
    if name == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "exit":
        os._exit(arguments["code"])
    if name == "noise":
        sys.stdout.write("Listening on stdio\n\n{not json\n\xff\n")
        sys.stderr.write("a word on stderr\n")
    if name == "wait":
        time.sleep(arguments["seconds"])
    return text(json.dumps(arguments))


def answer(method, params):
    if method == "initialize":
        info = {"name": "small", "version": "1"}
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": info,
        }
    if method == "tools/list":
        return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}
    if method == "tools/call":
        return call(params["name"], params.get("arguments", {}))
    return {}


def main():
    if "--stubborn" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "--tell-term" in sys.argv:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(42))
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            say({"id": message["id"], "result": answer(message["method"], message.get("params", {}))})
    if "--stubborn" in sys.argv:
        while True:
            time.sleep(60)
    sys.exit(7)


if __name__ == "__main__":
    main()
