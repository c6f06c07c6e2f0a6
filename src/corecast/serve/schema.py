"""JSON Schema, as much of it as requests need: the same schema checks a request and describes it in OpenAPI."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from corecast.errors import InputError
from corecast.hints import Any

Schema = Mapping[str, Any]


def string(description: str, default: str | None = None, **limits: Any) -> Schema:
    return _schema("string", description, default, limits)


def whole(description: str, default: int | None, low: int, high: int) -> Schema:
    return _schema("integer", description, default, {"minimum": low, "maximum": high})


def choice(description: str, default: str | None, values: Sequence[str]) -> Schema:
    return _schema("string", description, default, {"enum": list(values)})


def strings(description: str, most: int, **limits: Any) -> Schema:
    items = {"type": "string", **limits}
    return _schema("array", description, [], {"items": items, "maxItems": most})


def record(description: str, required: Sequence[str], **properties: Schema) -> Schema:
    """An object with these members and no others."""
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _schema(kind: str, description: str, default: Any, limits: Mapping[str, Any]) -> Schema:
    found: dict[str, Any] = {"type": kind, "description": description, **limits}
    if default is not None:
        found["default"] = default
    return found


def checked(schema: Schema, value: Any, name: str = "the request") -> Any:
    """The value with defaults for what is missing.

    Raises:
        InputError: it is not what the schema says.
    """
    kind = schema["type"]
    if kind == "object":
        return _record(schema, value, name)
    if kind == "array":
        if not isinstance(value, list):
            raise InputError(f"{name} must be an array")
        if len(value) > schema["maxItems"]:
            raise InputError(f"{name} has {len(value)} items, at most {schema['maxItems']} are allowed")
        return [checked(schema["items"], item, f"{name}[{place}]") for place, item in enumerate(value)]
    if kind == "integer":
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{name} must be a whole number")
        if not schema["minimum"] <= value <= schema["maximum"]:
            raise InputError(f"{name} must be from {schema['minimum']} to {schema['maximum']}")
        return value
    return _string(schema, value, name)


def _record(schema: Schema, value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{name} must be an object")
    properties = schema["properties"]
    for key in value:
        if key not in properties:
            raise InputError(f"{name} has no member {key[:40]!r}; it has {', '.join(properties)}")
    found = {}
    for key, inner in properties.items():
        if key in value:
            found[key] = checked(inner, value[key], key)
        elif key in schema["required"]:
            raise InputError(f"{name} lacks {key!r}")
        else:
            found[key] = inner.get("default")
    return found


def _string(schema: Schema, value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name} must be a string")
    if "enum" in schema and value not in schema["enum"]:
        raise InputError(f"{name} is one of {', '.join(map(repr, schema['enum']))}")
    if len(value) < schema.get("minLength", 0):
        raise InputError(f"{name} is empty")
    if len(value) > schema.get("maxLength", len(value)):
        raise InputError(f"{name} has {len(value)} characters, at most {schema['maxLength']} are allowed")
    if "pattern" in schema and re.search(schema["pattern"], value) is None:
        raise InputError(f"{name} must match {schema['pattern']}")
    if any(0xD800 <= ord(character) < 0xE000 for character in value):
        raise InputError(f"{name} holds half of a surrogate pair")
    return value
