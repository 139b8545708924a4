"""The OpenAPI schema, generated from the views."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from judgments.api.base.once import HEADER
from judgments.api.base.problems import MEDIA_TYPE
from judgments.models.requests import LONGEST_KEY

KEY = OpenApiParameter(
    HEADER,
    {"type": "string", "maxLength": LONGEST_KEY, "pattern": "^[ -~]*$"},
    OpenApiParameter.HEADER,
    description="A text of your choice; requests with the same key are carried out once.",
)


class Schema(AutoSchema):
    """Adds idempotency keys, and groups addresses by tags."""

    def get_override_parameters(self) -> list[Any]:
        """Add the key to requests that it makes idempotent."""
        handler = getattr(self.view, self.method.lower(), None)
        return [KEY] if getattr(handler, "is_done_once", False) else []

    def get_tags(self) -> list[str]:
        """Group addresses by the part after the campaign."""
        parts = [part for part in self.path.removeprefix("/api/").split("/") if part and "{" not in part]
        return [parts[1] if len(parts) > 1 and parts[0] == "campaigns" else parts[0]]


def with_problems(result: dict[str, Any], generator: Any, **_: Any) -> dict[str, Any]:
    """Document refusals as problems, and that requests accept no unknown properties."""
    described = {
        "description": "A refusal, in a sentence.",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    result["components"]["schemas"]["Problem"] = PROBLEM
    for verbs in result["paths"].values():
        for operation in verbs.values():
            operation["responses"]["default"] = described
            for content in operation.get("requestBody", {}).get("content", {}).values():
                if name := content["schema"].get("$ref", "").rpartition("/")[2]:
                    result["components"]["schemas"][name]["additionalProperties"] = False
    return result


PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong and what to do."},
        "request": {"type": "string", "description": "The id of the request, for reporting an internal error."},
        "errors": {
            "type": "array",
            "description": "Each error, with a JSON pointer to its part of the request.",
            "items": {
                "type": "object",
                "required": ["detail", "pointer"],
                "properties": {"detail": {"type": "string"}, "pointer": {"type": "string"}},
            },
        },
    },
}
