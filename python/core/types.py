"""A call of a tool, and its result."""
from dataclasses import dataclass, field
from typing import Any, Dict, Optional


@dataclass
class ToolCall:
    """A request to run a tool."""

    id: str
    name: str
    arguments: Dict[str, Any] = field(default_factory=dict)


@dataclass
class ToolResult:
    """What became of a call. `error` says why where `success` is false."""

    tool_call_id: str
    output: Any = ""
    error: Optional[str] = None
    success: bool = True
