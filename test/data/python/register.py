from tool.index import ToolRegistry

registry = ToolRegistry()
registry.register(MyTool())
