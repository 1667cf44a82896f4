import { nearest } from '../core/nearest.ts'
import type { DefinitionFormat, Issue, RegisteredTool, Skipped, Snapshot } from '../core/snapshot.ts'
import { definitionsOf } from './definitions.ts'
import { toJsonSchema } from './input-schema.ts'
import { checkAgainst } from './validators.ts'

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
    check: (entry: RegisteredTool, input: unknown) => checkAgainst(entry.parameters, entry.tool.input, input),
    checkOutput(entry: RegisteredTool, data: unknown) {
      const { output } = entry.tool
      return output === undefined ? FINE : checkAgainst(outputSchemaOf(entry), output, data)
    },
  })
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
