import type { ToolDefinition } from '../../core/ports/model.ts'
import { isRecord, type JsonSchema } from '../../core/text/json.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Gives a text to a tool by the parameter that takes it: one of the expected names, else its first text. */
export function textParameter(text: string, expected: readonly string[]): (tool: ToolDefinition) => Arguments {
  return ({ parameters }) => {
    const names = propertiesOf(parameters)
    const known = expected.find((name) => name in names)
    const [first] = Object.entries(names).find(([, schema]) => schema.type === 'string') ?? []
    return { [known ?? first ?? expected[0] ?? 'text']: text }
  }
}

/** Gives a list of texts to a tool by its first list: as texts, or as objects of the form that the tool wants. */
export function listParameter(texts: readonly string[]): (tool: ToolDefinition) => Arguments {
  return (tool) => {
    const found = Object.entries(propertiesOf(tool.parameters)).find(([, schema]) => schema.type === 'array')
    if (found === undefined) {
      const numbered = texts.map((text, index) => `${index + 1}. ${text}`).join('\n')
      return textParameter(numbered, ['plan'])(tool)
    }
    const [name, { items }] = found
    return { [name]: texts.map((text) => fillItem(text, isRecord(items) ? items : {})) }
  }
}

function fillItem(text: string, items: JsonSchema): unknown {
  const properties = propertiesOf(items)
  if (Object.keys(properties).length === 0) return text
  const required = Array.isArray(items.required) ? items.required : []
  const filled: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (Array.isArray(schema.enum)) filled[name] = schema.enum[0]
    else if (schema.type === 'string' && !Object.values(filled).includes(text)) filled[name] = text
    else if (required.includes(name)) filled[name] = schema.type === 'string' ? text : schema.default
  }
  return filled
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  if (!isRecord(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, JsonSchema] => isRecord(entry[1])),
  )
}
