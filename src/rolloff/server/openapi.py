"""The description of the API, made from the table of endpoints and the structs they read and answer with."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

import rolloff
from rolloff.situations.refusals import Error

Json = dict[str, Any]
_REFUSALS = ("400", "403", "404", "405", "408", "409", "413", "415", "429", "500", "503")


class Endpoint(NamedTuple):
    """One thing the server answers to."""

    method: str
    path: str
    answer: Callable[[Request], Awaitable[Response]]
    body: type | None = None
    reply: type | None = None
    status: int = 200
    token: bool = False
    media: str = "application/json"
    query: tuple[str, ...] = ()
    sends: str = ""
    """The kind of a body that is no JSON."""


def _content(media: str, schema: Json) -> Json:
    return {media: {"schema": schema}}


def _operation(one: Endpoint, schemas: dict[type, Json]) -> Json:
    reply = schemas[one.reply] if one.reply else {"type": "string"}
    success: Json = {"description": "done"}
    if one.status != 204:
        success["content"] = _content(one.media, reply)
    refusal = {"description": "refused", "content": _content("application/json", schemas[Error])}
    names = re.findall(r"\{(\w+)\}", one.path)
    found: Json = {
        "summary": (one.answer.__doc__ or "").strip().splitlines()[0],
        "operationId": one.answer.__name__.strip("_"),
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names),
            *({"name": name, "in": "query", "required": False, "schema": {"type": "string"}} for name in one.query),
        ],
        "responses": {str(one.status): success, **dict.fromkeys(_REFUSALS, refusal)},
    }
    if one.body:
        found["requestBody"] = {"required": True, "content": _content("application/json", schemas[one.body])}
    if one.sends:
        found["requestBody"] = {"required": True, "content": _content(one.sends, {"type": "string"})}
    if one.token:
        found["security"] = [{"seat": []}]
    return found


def openapi(endpoints: tuple[Endpoint, ...]) -> Json:
    """The whole description, OpenAPI 3.1."""
    types = list(dict.fromkeys([Error, *(kind for one in endpoints for kind in (one.body, one.reply) if kind)]))
    found, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(types, found, strict=True))
    paths: dict[str, Json] = {}
    for one in endpoints:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Rolloff", "version": rolloff.__version__},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer", "description": "the token of a seat"}},
        },
    }
