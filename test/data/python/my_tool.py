from tool.bases import BaseTool, create_json_schema
from core.types import ToolResult
from typing import Dict, Any

class MyTool(BaseTool):
    @property
    def name(self) -> str:
        return "my_tool"
    
    @property
    def description(self) -> str:
        return "What my tool does"
    
    @property
    def parameters(self) -> Dict[str, Any]:
        # CRITICAL: type must be "object"
        return create_json_schema(
            properties={
                "arg1": {
                    "type": "string",
                    "description": "First argument",
                },
            },
            required=["arg1"],
        )
    
    async def execute(self, arguments: Dict[str, Any]) -> ToolResult:
        # Do the work
        result = do_something(arguments["arg1"])
        
        # Always return ToolResult
        return ToolResult(
            tool_call_id="",
            output=result,
            success=True,
        )
