import pytest
from tool.bases import BaseTool
from core.types import ToolCall

@pytest.mark.asyncio
async def test_my_tool():
    tool = MyTool()
    
    tool_call = ToolCall(
        id="test-1",
        name="my_tool",
        arguments={"arg1": "value"}
    )
    
    result = await tool.call(tool_call)
    
    assert result.success
    assert "expected" in result.output
