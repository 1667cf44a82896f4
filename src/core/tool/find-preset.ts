import type { Alias } from './alias.ts'
import type { RegisteredTool } from './snapshot.ts'

/** Returns what the name of a call presets; undefined for the tool's own name and for an alias without a preset. */
export function findPreset({ aliases }: RegisteredTool, name: string): Alias['preset'] {
  return aliases.length === 0 ? undefined : aliases.find((alias) => alias.name === name)?.preset
}

/** True for every name that means this tool: its id, its wire name and its aliases. */
export function isNameOf({ tool, wireName, aliases }: RegisteredTool, name: string): boolean {
  return name === tool.name || name === wireName || aliases.some((alias) => alias.name === name)
}
