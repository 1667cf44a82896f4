import { isRecord, type JsonSchema } from './json.ts'

/** The argument that every tool takes beside its own. */
export const BACKGROUND = 'background'

const PROPERTY = Object.freeze({
  type: 'boolean',
  description: 'Run in the background: gives a task id at once; read it with get_background_task',
})

const exported = new WeakMap<JsonSchema, JsonSchema>()

/** False for a tool that has an argument of that name of its own: it then means what the tool says. */
export function takesBackground({ properties }: JsonSchema): boolean {
  return !(isRecord(properties) && Object.hasOwn(properties, BACKGROUND))
}

/** A tool's parameters as they are told to the outside: with `background`. The same object for the same parameters. */
export function exportedParameters(parameters: JsonSchema): JsonSchema {
  if (!takesBackground(parameters)) return parameters
  let made = exported.get(parameters)
  if (made === undefined) {
    made = Object.freeze(withBackground(parameters))
    exported.set(parameters, made)
  }
  return made
}

/** The same as JSON text, of which nothing is kept. */
export function exportedText(parameters: JsonSchema): string {
  return JSON.stringify(takesBackground(parameters) ? withBackground(parameters) : parameters)
}

function withBackground(parameters: JsonSchema): JsonSchema {
  const own = isRecord(parameters.properties) ? parameters.properties : {}
  return { ...parameters, properties: Object.freeze({ ...own, [BACKGROUND]: PROPERTY }) }
}
