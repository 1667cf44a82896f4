import { isRecord, type JsonSchema } from '../text/json.ts'
import type { Origin } from '../tool/snapshot.ts'
import type { Tool } from '../tool/tool.ts'

/** The argument that every tool accepts in addition to its own. */
export const BACKGROUND = 'background'

const PROPERTY = Object.freeze({
  type: 'boolean',
  description: 'Run in the background: gives a task id at once; read it with get_background_task',
})

/** False for a tool that defines an argument of that name itself. */
export function takesBackground({ properties }: JsonSchema): boolean {
  return !(isRecord(properties) && Object.hasOwn(properties, BACKGROUND))
}

/** True for tools that may take long: those that run programs or reach the network, and those of an MCP server. Only their definitions offer `background` to a model, because every word of a definition costs tokens in every turn. */
export function offersBackground({ effect }: Tool, origin: Origin): boolean {
  return effect === 'run' || effect === 'network' || origin === 'mcp'
}

/** Returns the parameters of a tool with `background` added. */
export function withBackground(parameters: JsonSchema): JsonSchema {
  const own = isRecord(parameters.properties) ? parameters.properties : {}
  return { ...parameters, properties: { ...own, [BACKGROUND]: PROPERTY } }
}

/** Returns the parameters without `background`. */
export function withoutBackground(parameters: JsonSchema): JsonSchema {
  const { [BACKGROUND]: _, ...own } = isRecord(parameters.properties) ? parameters.properties : {}
  return { ...parameters, properties: own }
}
