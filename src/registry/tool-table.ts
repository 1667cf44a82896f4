import type { Origin } from '../core/tool/snapshot.ts'
import type { Tool } from '../core/tool/tool.ts'
import { wireNameOf } from '../core/tool/wire-name.ts'
import { checkTool } from './check-tool.ts'
import { type Entry, makeEntry } from './entry.ts'
import { readAliases } from './read-aliases.ts'

/** The options of adding a tool. */
export interface RegisterOptions {
  /** Replaces a tool with the same name; a tool that has the name only as an alias loses that alias. */
  readonly override?: boolean
  readonly origin?: Origin
  readonly source?: string
  /** The line of its file where it is defined. */
  readonly line?: number | undefined
}

/** Tools by all their names. */
export interface ToolTable {
  readonly entries: ReadonlyMap<string, Entry>
  /** Ids, wire names and aliases. */
  readonly names: ReadonlyMap<string, Entry>
  /** Throws when the name is taken or the tool is invalid; nothing changes then. */
  add(tool: Tool, options?: RegisterOptions): void
}

/** Creates an empty table. */
export function createToolTable(): ToolTable {
  const entries = new Map<string, Entry>()
  const names = new Map<string, Entry>()

  const replaceEntry = (before: Entry, after: Entry): void => {
    entries.set(before.tool.name, after)
    for (const [name, owner] of names) if (owner === before) names.set(name, after)
  }
  const forget = (entry: Entry): void => {
    entries.delete(entry.tool.name)
    for (const [name, owner] of names) if (owner === entry) names.delete(name)
  }
  return {
    entries,
    names,
    add(tool, { override, origin = 'code', source = 'code', line } = {}) {
      checkTool(tool)
      const owner = names.get(tool.name)
      if (owner && !override) throw nameTaken(tool.name, owner, origin)
      const replaced = owner?.isOfferedAs(tool.name) ? owner : undefined
      const isTaken = (name: string) => name !== tool.name && names.has(name) && names.get(name) !== replaced
      const wireName = wireNameOf(tool.name, isTaken)
      const aliases = readAliases(tool).filter(({ name }) => name !== tool.name && name !== wireName && !isTaken(name))
      const entry = makeEntry(tool, { wireName, aliases, origin, source, line })
      if (replaced) forget(replaced)
      else if (owner) replaceEntry(owner, owner.withoutAlias(tool.name))
      entries.set(tool.name, entry)
      for (const name of [tool.name, wireName, ...aliases.map((alias) => alias.name)]) names.set(name, entry)
    },
  }
}

/** Only a program can replace a tool. */
function nameTaken(name: string, owner: Entry, origin: Origin): Error {
  const hint = origin === 'code' ? '; register with {override: true} to replace it' : ''
  const who =
    owner.origin === 'built-in'
      ? 'a built-in tool'
      : `a tool from ${owner.source}${owner.line === undefined ? '' : `:${owner.line}`}`
  return new Error(`the name "${name}" is taken by ${who}${hint}`)
}
