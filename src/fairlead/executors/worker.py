"""The process in which middleware files run: it waits for calls, and answers each with what came of it.

Whatever a middleware does here, it does to this process alone: its owner can kill it and start another.
"""

from __future__ import annotations

import os
import select
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fairlead.executors.frames import Frames, packed
from fairlead.executors.middleware_files import Disk, MiddlewareFiles, Pinned
from fairlead.middleware_base import MiddlewareResult

_FIELDS = ("decision", "reason", "metrics", "updated_input", "additional_context", "system_message")


def main() -> None:
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    sys.dont_write_bytecode = True
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    _end_with_the_owner(channel.fileno())
    files, frames = MiddlewareFiles(), Frames()
    channel.sendall(packed({"ready": True}))
    while data := channel.recv(1 << 16):
        frames.add(data)
        while (frame := frames.next()) is not None:
            channel.sendall(_answer(files, *frame))


def _end_with_the_owner(descriptor: int) -> None:
    """A middleware that hangs would outlive an owner that died; the hang-up ends it."""
    import _thread

    def watch() -> None:
        poller = select.poll()
        poller.register(descriptor, 0)
        poller.poll()
        os._exit(0)

    _thread.start_new_thread(watch, ())


def _answer(files: MiddlewareFiles, call: Mapping[str, Any], source: bytes) -> bytes:
    """One call, whatever it does. The answer says when this process should not be used again."""
    path = call["path"]
    try:
        _enter(call)
        function = files.function(path, _unpacked(files, call, source))
        previous = [MiddlewareResult(**result) for result in call["previous"]]
        value = function(call["hook_input"], call["config"], previous)
        return packed(_told(_awaited(value)))
    except SystemExit as error:
        return packed({"error": f"it called sys.exit({error.code!r})", "fatal": True})
    except BaseException as error:  # noqa: BLE001 - foreign code: whatever it raises becomes data
        return packed({"error": f"{type(error).__name__}: {error}{_place(error, path)}"})
    finally:
        for stream in (sys.stdout, sys.stderr):
            _flush(stream)


def _unpacked(files: MiddlewareFiles, call: Mapping[str, Any], blob: bytes) -> bytes | None:
    """The source of the file, if it came with this call; modules that came are used from here on."""
    place = call["source"]
    modules = {}
    for name, size in call.get("modules") or ():
        modules[name] = blob[place : place + size]
        place += size
    if "modules" in call:
        files.use(Disk() if call["modules"] is None else Pinned(modules))
    return blob[: call["source"]] or None


def _enter(call: Mapping[str, Any]) -> None:
    """The environment and the directory of this call."""
    environment = call.get("environment")
    if environment is not None:
        os.environ.clear()
        os.environ.update(environment)
    if call["directory"]:
        os.chdir(call["directory"])


def _awaited(value: Any) -> Any:
    if not hasattr(value, "__await__"):
        return value
    import asyncio

    async def settle() -> Any:
        return await value

    return asyncio.run(settle())


def _told(value: object) -> dict[str, object]:
    """What goes back: results and objects as they are; of anything else, what it was."""
    if value is None or isinstance(value, dict):
        return {"value": value}
    if getattr(value, "decision", None) is not None:
        return {"value": {field: getattr(value, field, None) for field in _FIELDS}}
    return {"rubbish": f"{value!r:.200}"}


def _place(error: BaseException, path: str) -> str:
    """Where it came from: the deepest line in the middleware's own file, else the deepest of all."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}:{error.lineno})"
    trace, place, own = error.__traceback__, "", ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        place = f" ({name}:{trace.tb_lineno})"
        own = place if name == path else own
        trace = trace.tb_next
    return own or place


def _flush(stream: Any) -> None:
    with suppress(Exception):  # the middleware replaced or closed it, which is its own affair
        stream.flush()
