import type { RegisteredTool } from './snapshot.ts'

/** Another name that calls may use for a tool: understood, never offered to a model. */
export interface Alias {
  readonly name: string
  /** Arguments of the tool for a call by this name that does not give them itself. */
  readonly preset?: Readonly<Record<string, unknown>>
}

/** Returns what the name of a call presets; undefined for the tool's own name and for an alias without a preset. */
export function findPreset({ aliases }: RegisteredTool, name: string): Alias['preset'] {
  return aliases.length === 0 ? undefined : aliases.find((alias) => alias.name === name)?.preset
}

/** True for every name that means this tool: its id, its wire name and its aliases. */
export function isNameOf({ tool, wireName, aliases }: RegisteredTool, name: string): boolean {
  return name === tool.name || name === wireName || aliases.some((alias) => alias.name === name)
}
