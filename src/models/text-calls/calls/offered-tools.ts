import type { ToolDefinition } from '../../../core/ports/model.ts'
import { isRecord, type JsonSchema } from '../../../core/text/json.ts'

/** What stands between a namespace and a name: `functions.read`, `mcp__server__read`, `server/read`, `module::read`. */
const SEPARATOR = /\.|::?|\/|__/g
/** Longer names are no tool's. */
const MAX_NAME = 300

/** The tools of one request, found by the names that models give them. */
export interface OfferedTools {
  /** Returns the tool that a printed name means: exactly one fits by case, camel or kebab spelling, namespace prefix or id spelling. */
  find(name: string): ToolDefinition | undefined
  /** True when a name that was cut off may still become the name of a tool. */
  mayBecome(beginning: string): boolean
  readonly isEmpty: boolean
}

export function offerTools(tools: readonly ToolDefinition[]): OfferedTools {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const byWords = new Map<string, ToolDefinition[]>()
  for (const tool of byName.values()) {
    const words = wordsOf(tool.name)
    byWords.set(words, [...(byWords.get(words) ?? []), tool])
  }
  const findSpelled = (name: string): readonly ToolDefinition[] => {
    const exact = byName.get(name)
    return exact === undefined ? (byWords.get(wordsOf(name)) ?? []) : [exact]
  }
  return {
    isEmpty: byName.size === 0,
    find(printed) {
      const name = printed.trim()
      if (name.length > MAX_NAME) return undefined
      for (const part of partsOf(name)) {
        const found = findSpelled(part)
        if (found.length > 0) return found.length === 1 ? found[0] : undefined
      }
      return undefined
    },
    mayBecome(beginning) {
      const parts = beginning.length > MAX_NAME ? [] : partsOf(beginning.trim())
      return parts.some((part) => [...byWords.keys()].some((words) => words.startsWith(wordsOf(part))))
    },
  }
}

/** The name itself, then what is left of it after each namespace. */
function partsOf(name: string): string[] {
  return [name, ...[...name.matchAll(SEPARATOR)].map(({ 0: mark, index }) => name.slice(index + mark.length))]
}

/** The words of a name in one spelling: `readFile`, `Read_File`, `read-file` and `READ_FILE` are all `read_file`. */
function wordsOf(name: string): string {
  const split = /[a-z]/.test(name) ? name.replace(/([a-z\d])([A-Z])/g, '$1_$2') : name
  return split.toLowerCase().replace(/::?|[-./]|__/g, '_')
}

/** The schemas of a tool's parameters, in their order. */
export function parametersOf({ parameters }: ToolDefinition): Readonly<Record<string, JsonSchema>> {
  const { properties } = parameters
  if (!isRecord(properties)) return {}
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, isRecord(value) ? value : {}]))
}

/** The names of the parameters that a call must give. */
export function requiredOf({ parameters }: ToolDefinition): readonly string[] {
  const { required } = parameters
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
