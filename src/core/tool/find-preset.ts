import type { Alias } from './alias.ts'
import type { RegisteredTool } from './snapshot.ts'

/** Returns the default arguments of an alias; undefined for the tool's own name and for an alias without defaults. */
export function findPreset({ aliases }: RegisteredTool, name: string): Alias['preset'] {
  return aliases.length === 0 ? undefined : aliases.find((alias) => alias.name === name)?.preset
}

/** True for every name of this tool: its id, its wire name and its aliases. */
export function isNameOf({ tool, wireName, aliases }: RegisteredTool, name: string): boolean {
  return name === tool.name || name === wireName || aliases.some((alias) => alias.name === name)
}
