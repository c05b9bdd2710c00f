"""An address that batches are sent to: https, or this machine; no redirects, one answer for each batch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from fairlead.errors import FairleadError

_SECONDS = 10.0


class _NoRedirects(HTTPRedirectHandler):
    """What is sent goes where the user said, and nowhere else."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


class HttpEndpoint:
    """`hint` is what to look at when it does not answer with success."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None, *, hint: str = "") -> None:
        self._url = _checked(url)
        self._headers = dict(headers or {})
        self._hint = hint
        self._closed = False
        self._opener = build_opener(_NoRedirects(), *([ProxyHandler({})] if _is_loopback(url) else []))

    def post(self, path: str, body: object) -> None:
        """Raises FairleadError when it was not taken."""
        self.expect_open()
        url = self._url + path
        headers = {"content-type": "application/json", **self._headers}
        request = Request(url, json.dumps(body).encode(), headers, method="POST")  # noqa: S310 - checked above
        try:
            with self._opener.open(request, timeout=_SECONDS) as response:
                response.read(65536)
        except HTTPError as error:
            error.close()
            raise FairleadError(f"{url} answered {error.code}", hint=self._hint) from None
        except (URLError, OSError) as error:
            hint = "is the collector running?"
            raise FairleadError(f"{url} cannot be reached: {error}", hint=hint) from None

    def expect_open(self) -> None:
        if self._closed:
            raise FairleadError(f"the sink for {self._url} is closed", hint="make another one")

    def close(self) -> None:
        self._closed = True
        self._opener.close()


def _is_loopback(url: str) -> bool:
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(url)):
        return url.rstrip("/")
    raise FairleadError(f"{url} is not https", hint="plain http is for this machine only")
