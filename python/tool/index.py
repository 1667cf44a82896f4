"""Tools by name."""
from typing import Dict, List, Optional

from core.types import ToolCall, ToolResult
from tool.bases import BaseTool


class ToolRegistry:
    """Holds tools. What is registered while a file of a tools folder is loaded is offered by Haft."""

    def __init__(self) -> None:
        self._tools: Dict[str, BaseTool] = {}

    def register(self, tool: BaseTool) -> None:
        """Adds a tool. Raises ValueError where its name is taken."""
        if not isinstance(tool, BaseTool):
            raise TypeError(f"expected an instance of a BaseTool, got {tool!r}")
        if tool.name in self._tools:
            raise ValueError(f"the name {tool.name!r} is taken")
        self._tools[tool.name] = tool
        _announce(tool)

    def get(self, name: str) -> Optional[BaseTool]:
        """Returns the tool of a name, or None."""
        return self._tools.get(name)

    def list(self) -> List[BaseTool]:
        """Returns all tools in the order they were registered."""
        return [*self._tools.values()]

    async def call(self, tool_call: ToolCall) -> ToolResult:
        """Runs a call of the tool that it names."""
        tool = self.get(tool_call.name)
        if tool is None:
            return ToolResult(tool_call.id, error=f"unknown tool {tool_call.name!r}", success=False)
        return await tool.call(tool_call)


def _announce(tool: BaseTool) -> None:
    """Tells the host of Haft, where the file is loaded by it."""
    try:
        from haft_host import registered
    except ImportError:
        return
    if registered.loading is not None:
        registered.loading.tools.append(tool)
