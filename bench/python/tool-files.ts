import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const FILES = 100
export const ARGUMENTS = { text: 'hello', count: 3, flag: true }

/** The name of the tool in a file. */
export const toolName = (index: number) => `tool_${String(index % FILES).padStart(3, '0')}:echo`

/** Writes tool files in the form of the first document, with the imports that small tools have. */
export function writeToolFiles(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < FILES; index++) writeToolFile(folder, index, '')
}

/** Writes one of them; `mark` is part of what its tool returns. */
export function writeToolFile(folder: string, index: number, mark: string): void {
  const name = toolName(index)
  const text = `"""Tool module ${index}."""
import json, os, re


def echo(text: str, count: int = 1, flag: bool = False, context=None) -> dict:
    """Echo the arguments."""
    return {"text": text + ${JSON.stringify(mark)}, "count": count, "flag": flag}


TOOL_SPECS = [
    {
        "name": "${name}",
        "description": "Echo the arguments.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "Text to echo"},
                "count": {"type": "integer", "description": "A count"},
                "flag": {"type": "boolean", "description": "A flag"},
            },
            "required": ["text"],
        },
        "effect": "none",
        "handler": echo,
    },
]
`
  writeFileSync(join(folder, `${name.split(':')[0]}.py`), text)
}
