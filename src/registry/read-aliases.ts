import { deepFreeze, isJsonValue, isPlainObject, isRecord, type JsonSchema } from '../core/text/json.ts'
import { nearest } from '../core/text/nearest.ts'
import type { Alias } from '../core/tool/alias.ts'
import type { Tool } from '../core/tool/tool.ts'
import { isToolName } from './tool-name.ts'

const NONE: readonly Alias[] = Object.freeze([])

/** Reads a tool's aliases as immutable copies. Throws when one is invalid. */
export function readAliases({ name: tool, aliases }: Tool): readonly Alias[] {
  if (aliases === undefined) return NONE
  if (!Array.isArray(aliases))
    throw new Error(`tool "${tool}" has aliases that are not a list; expected names or {name, preset}`)
  const read = aliases.map((given: unknown) => readAlias(given, tool))
  const names = read.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`tool "${tool}" has the alias "${twice}" twice`)
  return Object.freeze(read)
}

function readAlias(given: unknown, tool: string): Alias {
  const { name, preset, ...others } = isRecord(given) ? given : { name: given }
  if (!isToolName(name))
    throw new Error(`tool "${tool}" has an alias ${JSON.stringify(name)}; expected a name or {name, preset}`)
  const owner = `the alias "${name}" of tool "${tool}"`
  const [other] = Object.keys(others)
  if (other !== undefined) throw new Error(`${owner} has "${other}"; an alias has a name and a preset`)
  if (preset === undefined) return Object.freeze({ name })
  if (!isPlainObject(preset))
    throw new Error(`${owner} has a preset that is not an object; expected arguments of the tool`)
  if (!isJsonValue(preset)) throw new Error(`${owner} has a preset that is not valid JSON`)
  return deepFreeze({ name, preset: structuredClone(preset) })
}

/** Throws when an alias presets an argument that the tool does not have. */
export function checkPresets(aliases: readonly Alias[], { properties }: JsonSchema, tool: string): void {
  const known = isRecord(properties) ? Object.keys(properties) : []
  for (const { name, preset = {} } of aliases) {
    const unknown = Object.keys(preset).find((key) => !known.includes(key))
    if (unknown === undefined) continue
    const [near] = nearest(unknown, known)
    const hint = near === undefined ? `. It has ${known.join(', ') || 'none'}.` : `; did you mean ${near}?`
    throw new Error(`the alias "${name}" of tool "${tool}" presets "${unknown}", which its input does not have${hint}`)
  }
}
