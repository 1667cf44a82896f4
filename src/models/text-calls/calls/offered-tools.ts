import type { ToolDefinition } from '../../../core/ports/model.ts'
import { isRecord, type JsonSchema } from '../../../core/text/json.ts'

/** What stands between a namespace and a name: `functions.read`, `mcp__server__read`, `server/read`, `module::read`. */
const SEPARATOR = /\.|::?|\/|__/g
/** Longer names are no tool's. */
const MAX_NAME = 300

/** The tools of one request, found by the names that models give them. */
export interface OfferedTools {
  /** Returns the tool that a printed name means: exactly one fits by case, camel or kebab spelling, namespace prefix or id spelling; also without its own namespace. */
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
      const [only, ...others] = [...byWords].filter(([words]) => isWithoutNamespace(wordsOf(name), words))
      return others.length === 0 && only?.[1].length === 1 ? only[1][0] : undefined
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

/** What a name begins with: where one stands at the end of a dropped beginning, that was no namespace. */
const VERBS = new Set(
  `add append apply ask call cancel check close copy count create delete do download edit execute fetch find format get
  insert install list load make move open patch post push put query read remove rename replace run save search send set
  show start stop store sync test update upload use view watch write`.split(/\s+/),
)

/** True where a name of two words or more is the end of a tool's name, and what stands before it is a namespace: `get_weather` of `weather_tools_get_weather`, but not `weather` and not `weather_info` of `tools_get_weather_info`. */
function isWithoutNamespace(name: string, words: string): boolean {
  if (!name.includes('_') || !words.endsWith(`_${name}`)) return false
  const last =
    words
      .slice(0, -name.length - 1)
      .split('_')
      .at(-1) ?? ''
  return last !== '' && !VERBS.has(last)
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
