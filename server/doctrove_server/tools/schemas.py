"""JSON Schemas of results, flat like those of arguments, and open to the error form.

Some clients hold failures to a tool's output schema too, so no property is required and `error`
stands beside the result's own.
"""

from __future__ import annotations

Schema = dict[str, object]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
INTEGER: Schema = {"type": "integer"}


def texts(description: str = "") -> Schema:
    """Return the schema of an array of strings."""
    return _described({"type": "array", "items": TEXT}, description)


def array(properties: Schema, description: str = "") -> Schema:
    """Return the schema of an array of objects."""
    items: Schema = {"type": "object", "properties": properties}
    return _described({"type": "array", "items": items}, description)


def text(description: str) -> Schema:
    """Return the schema of a string."""
    return _described(TEXT, description)


def output(properties: Schema) -> Schema:
    """Return the schema of a tool's result."""
    error: Schema = {
        "type": "object",
        "description": "There instead of the result when the call failed.",
        "properties": {"code": TEXT, "message": TEXT},
    }
    notices = texts("What to know of the answer, for instance that a source cannot be reached.")
    return {"type": "object", "properties": {**properties, "notices": notices, "error": error}}


def _described(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description} if description else schema
