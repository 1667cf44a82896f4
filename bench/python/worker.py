"""The baseline: imports every tool file of a folder, then answers JSON lines one after another. argv: folder"""
import importlib.util
import json
import os
import sys

folder = sys.argv[1]
handlers = {}
for name in sorted(os.listdir(folder)):
    if name.endswith(".py"):
        spec = importlib.util.spec_from_file_location(name[:-3], os.path.join(folder, name))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for tool in module.TOOL_SPECS:
            handlers[tool["name"]] = tool["handler"]


def answer(line):
    message = json.loads(line)
    try:
        out = handlers[message["name"]](**message["arguments"])
        text = out if isinstance(out, str) else json.dumps(out)
        return json.dumps({"id": message["id"], "resultType": "success", "textResultForLlm": text})
    except Exception as error:
        return json.dumps({"id": message["id"], "resultType": "failure", "textResultForLlm": str(error)})


sys.stdout.write(json.dumps({"ready": len(handlers)}) + "\n")
sys.stdout.flush()
for line in sys.stdin:
    sys.stdout.write(answer(line) + "\n")
    sys.stdout.flush()
