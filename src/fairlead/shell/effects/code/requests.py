"""Requests that code sends to a server, in whatever language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Effect
from fairlead.shell.effects.requests import request
from fairlead.shell.script import Code

_METHOD = re.compile(
    r"""\b(?:method|verb|type|CURLOPT_CUSTOMREQUEST)['"]?\s*(?:[:=]>?|=>|,)\s*['"](DELETE|PUT|PATCH)['"]
    |\b\w*(?:request|open|fetch|send_request)\w*\(\s*['"](DELETE|PUT|PATCH)['"]
    |\.(delete|put|patch)\(\s*f?['"`]https?://
    |Net::HTTP::(Delete|Put|Patch)\b|-Method\s+['"]?(Delete|Put|Patch)\b
    |\b(?:requests?|axios|got|httpx|session|client|http|HTTPoison|Faraday|RestClient)\.(delete|put|patch)\(""",
    re.I | re.X,
)
_ADDRESS = re.compile(r"https?://[^\s'\"`)<>]+", re.I)
_MANY = 16


def code_requests(code: Code) -> Iterator[Effect]:
    """What the code asks of the servers that it names, if it deletes or changes something there."""
    found = _METHOD.search(code.text)
    if found is None:
        return
    method = next(group for group in found.groups() if group).upper()
    yield from request(code.command, method, _ADDRESS.findall(code.text)[:_MANY])
