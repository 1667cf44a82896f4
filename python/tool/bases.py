"""What a tool that is a class is made of."""
from abc import ABC, abstractmethod
from typing import Any, Dict, List, Optional

from core.types import ToolCall, ToolResult


def create_json_schema(
    properties: Dict[str, Any], required: Optional[List[str]] = None, additional_properties: bool = False
) -> Dict[str, Any]:
    """Makes the schema of a tool's parameters: an object with these properties. Raises ValueError where one is wrong."""
    for name, schema in properties.items():
        if not isinstance(schema, dict) or "type" not in schema or not schema.get("description"):
            raise ValueError(
                f"the property {name!r} needs a type and a description: "
                f'{{"type": "string", "description": "What {name} does"}}'
            )
    unknown = [name for name in required or [] if name not in properties]
    if unknown:
        raise ValueError(f"required names {unknown[0]!r}, which is no property")
    return {
        "type": "object",
        "properties": properties,
        "required": list(required or []),
        "additionalProperties": additional_properties,
    }


class BaseTool(ABC):
    """A tool: a name, a description, parameters as JSON Schema, and `execute`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name that models call it by."""

    @property
    @abstractmethod
    def description(self) -> str:
        """What it does, for the model."""

    @property
    @abstractmethod
    def parameters(self) -> Dict[str, Any]:
        """The JSON Schema of its arguments; its type is "object"."""

    @abstractmethod
    async def execute(self, arguments: Dict[str, Any]) -> ToolResult:
        """Does the work."""

    async def call(self, tool_call: ToolCall) -> ToolResult:
        """Runs a call and returns its result under the call's id; an exception becomes a result too."""
        try:
            result = await self.execute(tool_call.arguments)
        except Exception as error:
            return ToolResult(tool_call.id, error=f"{type(error).__name__}: {error}", success=False)
        if not isinstance(result, ToolResult):
            return ToolResult(tool_call.id, output=result)
        result.tool_call_id = tool_call.id
        return result
