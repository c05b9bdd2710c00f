"""What every dashboard has in common: its one page, its shared files, and how it tells trouble.

The page is the same for all of them but for its name, its script and a style; what may be loaded into it says
the gate, and what stands in it, its frame, `static/parts/shell.js`.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from string import Template

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Lifespan

from fairlead.doors.dashboard.gate import Gate
from fairlead.errors import FairleadError
from fairlead.model.value import Value

_HERE = os.path.dirname(__file__)
_STATIC = os.path.join(_HERE, "static")
Handler = Callable[[Request], Awaitable[Response]]


class Shell(Value):
    """`command` is what started it, `app` the script of its pages, `styles` what they add to the shared."""

    brand: str
    command: str
    app: str
    styles: Sequence[str] = ()

    def page(self) -> str:
        with open(os.path.join(_HERE, "shell.html"), encoding="utf-8") as file:
            template = Template(file.read())
        links = "".join(f'<link rel="stylesheet" href="{escape(each)}">\n' for each in self.styles)
        return template.substitute(brand=escape(self.brand), app=escape(self.app), styles=links)


def behind_gate(
    shell: Shell, routes: Sequence[BaseRoute], port: int, lifespan: Lifespan[Starlette] | None = None
) -> Gate:
    """The whole app: its page, `routes`, and the files that all dashboards share."""
    page = HTMLResponse(shell.page())

    async def show(request: Request) -> Response:
        return page

    async def broken(request: Request, error: Exception) -> Response:
        said = f"something broke; the terminal of `{shell.command}` shows it"
        return JSONResponse({"error": said}, status_code=500)

    shared = Mount("/static", StaticFiles(directory=_STATIC))
    app = Starlette(
        routes=[Route("/", show), *routes, shared], lifespan=lifespan, exception_handlers={500: broken}
    )
    return Gate(app, port, shell.command)


def told(error: FairleadError, status: int = 400) -> Response:
    return JSONResponse({"error": error.message, "hint": error.hint}, status_code=status)
