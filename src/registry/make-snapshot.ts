import { nearest } from '../core/nearest.ts'
import type { DefinitionFormat, Issue, RegisteredTool, Skipped, Snapshot } from '../core/snapshot.ts'
import { definitionsOf } from './definitions.ts'
import { toJsonSchema } from './input-schema.ts'
import { findValidator, makeValidator, type ValidatorSource } from './validators.ts'

const FINE: readonly Issue[] = Object.freeze([])
const outputSchemas = new WeakMap<RegisteredTool, ReturnType<typeof toJsonSchema>>()

/** Makes an immutable snapshot; `names` holds ids, wire names and aliases and must not change afterwards. */
export function makeSnapshot(
  names: ReadonlyMap<string, RegisteredTool>,
  tools: readonly RegisteredTool[],
  skipped: readonly Skipped[],
): Snapshot {
  const kept = new Map<DefinitionFormat, string>()
  return Object.freeze({
    tools,
    skipped,
    find: (name: string) => names.get(name),
    nearest: (name: string) => nearest(name, [...names.keys()]),
    definitions(format: DefinitionFormat) {
      let text = kept.get(format)
      if (text === undefined) {
        text = definitionsOf(tools, format)
        kept.set(format, text)
      }
      return text
    },
    check(entry: RegisteredTool, input: unknown) {
      const ready = findValidator(entry.parameters)
      return ready ? ready(input) : checkFirst(entry, { schema: entry.parameters, given: entry.tool.input }, input)
    },
    checkOutput(entry: RegisteredTool, data: unknown) {
      const { output: given } = entry.tool
      if (given === undefined) return FINE
      const schema = outputSchemaOf(entry)
      const ready = findValidator(schema)
      return ready ? ready(data) : checkFirst(entry, { schema, given }, data)
    },
  })
}

/** The first check against a schema, which makes its validator. */
async function checkFirst(
  { origin }: RegisteredTool,
  source: Omit<ValidatorSource, 'isOurs'>,
  value: unknown,
): Promise<readonly Issue[]> {
  const validator = await makeValidator({ ...source, isOurs: origin === 'built-in' })
  return validator(value)
}

function outputSchemaOf(entry: RegisteredTool): ReturnType<typeof toJsonSchema> {
  const { output, name } = entry.tool
  let schema = outputSchemas.get(entry)
  if (schema === undefined) {
    schema = toJsonSchema(output ?? {}, `the output schema of tool "${name}"`)
    outputSchemas.set(entry, schema)
  }
  return schema
}
