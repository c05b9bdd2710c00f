"""Servers that hand out files to whoever can reach them: judged as the command that does the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, as_word, is_elsewhere
from fairlead.shell.effects.code.python.running.thing import HOLE, deep_origins, shown_as
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_SERVERS = names(
    """
    http.server.HTTPServer http.server.ThreadingHTTPServer socketserver.TCPServer
    socketserver.ThreadingTCPServer
    """
)
_HANDLER = "SimpleHTTPRequestHandler"
_FOLDERS = {"add_anonymous": 0, "add_user": 2}
"""Which argument names the folder that an FTP server opens to a user."""
EVERYTHING = "/"
"""What a request may name, where nothing stands before its path."""


def serving_acts(call: Call, run: Run) -> Iterator[Act]:
    if call.name in _SERVERS:
        yield from _served(call, run)
    elif call.name == "http.server.test":
        yield _line(call.told(4, "bind"), None)
    elif call.method in _FOLDERS and "Authorizer" in call.name:
        for path in call.paths(_FOLDERS[call.method], "homedir"):
            yield _line("", path)
    elif call.method in _HANDING or call.name in _WITH_FOLDER:
        run.served.folders |= set(_folders(call))
        yield from _reachable(run)
    elif call.name in _STARTING or (call.method == "run" and call.name.startswith(_APPS)):
        run.served.listens = run.served.listens or _listens(call)
        yield from _reachable(run)
    elif run.served.to_all and call.name.endswith(".wfile.write"):
        handed = {which for each in call.given for kind, which in deep_origins(each) if kind == "file"}
        for path in sorted(handed):
            yield _line("", path.rpartition("/")[0] or (EVERYTHING if path.startswith("/") else "."))


_HANDING = names("send_file FileResponse static_file send_from_directory add_static StaticFiles serve_file")
_WITH_FOLDER = {"flask.Flask": "static_folder", "sanic.Sanic.static": "file_or_directory"}
_BY_FOLDER = {
    "send_from_directory": (0, "directory"),
    "add_static": (1, "path"),
    "StaticFiles": (9, "directory"),
}
_APPS = ("flask.", "bottle.", "sanic.", "quart.", "aiohttp.web.")
_STARTING = names(
    """
    uvicorn.run hypercorn.run aiohttp.web.run_app waitress.serve bottle.run cherrypy.quickstart
    werkzeug.serving.run_simple
    """
)
_EVERYWHERE = names("aiohttp.web.run_app waitress.serve")
"""Without a host they listen to everyone."""


def _folders(call: Call) -> Iterator[str]:
    """Where the files lie that a request may name."""
    if call.name in _WITH_FOLDER:
        yield from call.paths(9, _WITH_FOLDER[call.name])
    elif call.method == "static_file":
        yield from call.paths(1, "root")
    elif call.method in _BY_FOLDER:
        index, keyword = _BY_FOLDER[call.method]
        yield from call.paths(index, keyword)
    else:
        for path in call.at(0, "path", "filename_or_fp", "path_or_file").texts:
            before, hole, _ = path.partition(HOLE)
            if hole and before:
                yield before.rpartition("/")[0] or (EVERYTHING if before.startswith("/") else ".")


def _listens(call: Call) -> str:
    """The address for others on which it listens; nothing where only this machine can reach it."""
    default = "0.0.0.0" if call.name in _EVERYWHERE else "127.0.0.1"  # noqa: S104 - what these listen on
    given = call.named.get("host", call.given[0] if call.given and call.method == "run" else None)
    host = given.texts[0] if given is not None and given.texts else default
    return host if is_elsewhere((host,)) else ""


def _reachable(run: Run) -> Iterator[Act]:
    if run.served.listens:
        yield from (_line(run.served.listens, folder) for folder in sorted(run.served.folders))


def _served(call: Call, run: Run) -> Iterator[Act]:
    handler = call.at(1, "RequestHandlerClass")
    host = call.hosts(call.at(0, "server_address"))[0]
    if handler.name.endswith(_HANDLER):
        folder = (handler.fields or {}).get("directory")
        yield _line(host, shown_as(folder)[0] if folder is not None else None)
    elif handler.local is not None and is_elsewhere((host,)):
        run.served.to_all = True


def _line(host: str, folder: str | None) -> Act:
    bound = host if host and HOLE not in host else "0.0.0.0"  # noqa: S104 - what such a server listens on
    served = f" --directory {as_word(folder)}" if folder is not None else ""
    return Act("shell", f"python3 -m http.server --bind {as_word(bound)}{served}")
