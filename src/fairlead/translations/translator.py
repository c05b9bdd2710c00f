"""The translation stage: what hooks see of a model call, and what the caller gets back of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairlead.model.event import Event
from fairlead.model.failure import NOTHING
from fairlead.translations.mirror import Api, read_request, read_response, write_request, write_response
from fairlead.translations.recognise import SKELETONS, api_named, recognise


class ModelTranslator:
    """By the shape of the request, or by the API that the caller names in its input as `api`."""

    def to_hooks(self, event: Event) -> Event:
        """Raises ValueError for a payload that no API would take."""
        if event.model_request is None:
            return event
        try:
            api = _api(event)
            request = read_request(api, dict(event.model_request))
            response = event.model_response
            if response is not None:
                response = read_response(api, dict(response))
        except (TypeError, KeyError, AttributeError, IndexError) as error:
            raise ValueError(f"the model payload is not one of {_name(event)}: {error!r}") from error
        return event.replace(model_request=request, model_response=response)

    def to_caller(self, given: Event, translated: Event, final: Event) -> Mapping[str, Any]:
        """The native request and response, where hooks changed them."""
        if given.model_request is None or (
            final.model_request == translated.model_request
            and final.model_response == translated.model_response
        ):
            return NOTHING
        api = _api(given)
        changed: dict[str, Any] = {}
        if final.model_request != translated.model_request:
            changed["llm_request"] = write_request(
                api, dict(given.model_request), dict(final.model_request or {})
            )
        if final.model_response != translated.model_response:
            native = dict(given.model_response) if given.model_response is not None else SKELETONS[api.name]
            changed["llm_response"] = write_response(api, native, dict(final.model_response or {}))
        return changed


def _api(event: Event) -> Api:
    name = event.payload.get("api")
    return api_named(name) if isinstance(name, str) else recognise(event.model_request or {})


def _name(event: Event) -> str:
    name = event.payload.get("api")
    return name if isinstance(name, str) else "the APIs that are known"
