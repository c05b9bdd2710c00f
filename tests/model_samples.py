"""One request and one response of each API, with everything in them that the neutral form knows."""

REQUESTS = {
    "gemini": {
        "model": "g-pro",
        "systemInstruction": {"role": "system", "parts": [{"text": "be brief"}]},
        "contents": [
            {
                "role": "user",
                "parts": [{"text": "hello"}, {"inlineData": {"mimeType": "image/png", "data": "AA"}}],
            },
            {"role": "model", "parts": [{"functionCall": {"name": "ls", "args": {"path": "."}}, "extra": 1}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "ls", "response": {"output": "a b"}}}]},
        ],
        "tools": [
            {"functionDeclarations": [{"name": "ls", "description": "list", "parameters": {}}]},
            {"x": {}},
        ],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["ls"]}, "y": 1},
        "generationConfig": {"temperature": 0.5, "topK": 3, "seed": 7},
        "safetySettings": [{"category": "c"}],
    },
    "openai_chat": {
        "model": "o",
        "messages": [
            {"role": "system", "content": "be brief"},
            {
                "role": "user",
                "name": "n",
                "content": [
                    {"type": "text", "text": "hello"},
                    {"type": "image_url", "image_url": {"url": "u"}},
                ],
            },
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": '{"path": "."}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "a b"},
        ],
        "tools": [{"type": "function", "function": {"name": "ls", "description": "list", "parameters": {}}}],
        "tool_choice": "required",
        "temperature": 0.5,
        "max_completion_tokens": 9,
        "seed": 7,
    },
    "openai_responses": {
        "model": "o",
        "instructions": "be brief",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "hello"}, {"type": "input_image"}]},
            {"type": "reasoning", "id": "r", "summary": []},
            {"type": "function_call", "call_id": "c1", "name": "ls", "arguments": '{"path":"."}', "id": "f"},
            {"type": "function_call_output", "call_id": "c1", "output": "a b"},
        ],
        "tools": [
            {"type": "function", "name": "ls", "description": "list", "parameters": {}},
            {"type": "web"},
        ],
        "tool_choice": {"type": "function", "name": "ls"},
        "temperature": 0.5,
        "store": False,
    },
    "anthropic": {
        "model": "c",
        "max_tokens": 9,
        "system": [{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": "hello"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "s"},
                    {"type": "tool_use", "id": "c1", "name": "ls", "input": {"path": "."}},
                ],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "a b"}]},
        ],
        "tools": [{"name": "ls", "description": "list", "input_schema": {}, "cache_control": {}}],
        "tool_choice": {"type": "any"},
        "temperature": 0.5,
        "metadata": {"user_id": "u"},
    },
}

RESPONSES = {
    "gemini": {
        "candidates": [
            {"content": {"role": "model", "parts": [{"text": "hi"}]}, "finishReason": "STOP", "index": 0}
        ],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3},
    },
    "openai_chat": {
        "id": "x",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    },
    "openai_responses": {
        "id": "x",
        "status": "completed",
        "output": [
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "hi", "annotations": []}],
            }
        ],
        "usage": {"input_tokens": 1, "output_tokens": 2},
    },
    "anthropic": {
        "id": "x",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "hi"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 2},
    },
}

CHUNKS = {
    "gemini": RESPONSES["gemini"],
    "openai_chat": {"choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": None}]},
    "openai_responses": {"type": "response.output_text.delta", "delta": "hi", "item_id": "i"},
    "anthropic": {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}},
}
