"""The neutral form of a model request and response, as hooks see it, whichever API the agent speaks.

A request is a mapping:

    model        text
    system       text, or None
    messages     [{id, role, content: [part, ...]}, ...]; role is user, assistant, tool, system or other
    tools        [{name, description, parameters}, ...]
    tool_choice  {mode: auto | any | none, names: [...]}, or None
    options      {temperature, top_p, top_k, max_tokens, stop}, those that are set

A part is one of

    {id, type: text, text}                             with thought: True for a model's thinking
    {id, type: tool_call, call, name, arguments}       arguments is an object, or the text that is none
    {id, type: tool_result, call, name, content}       content is text, or what the API holds there
    {id, type: image, ref}                             where it is in the native form; never its bytes
    {id, type: other, ref}

A response has `messages` of the same kind, `finish_reason`, and `usage` {input, output}, each or None.

The ids tie a message or part to its native twin. A hook that changes a text keeps the id; what comes back
without a known id is new, and what does not come back was deleted.
"""

from __future__ import annotations

from typing import Any

Neutral = dict[str, Any]
Part = dict[str, Any]
Native = dict[str, Any]
