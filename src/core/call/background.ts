import { isRecord, type JsonSchema } from '../text/json.ts'
import type { Origin } from '../tool/snapshot.ts'
import type { Tool } from '../tool/tool.ts'

/** The argument that every tool takes beside its own. */
export const BACKGROUND = 'background'

const PROPERTY = Object.freeze({
  type: 'boolean',
  description: 'Run in the background: gives a task id at once; read it with get_background_task',
})

/** False for a tool that has an argument of that name of its own: it then means what the tool says. */
export function takesBackground({ properties }: JsonSchema): boolean {
  return !(isRecord(properties) && Object.hasOwn(properties, BACKGROUND))
}

/** True for tools that may take long: those that run programs or reach the network, those that say so, and those of an MCP server. Only they offer `background` to a model, since every word of a definition costs every turn. */
export function offersBackground({ effect, mayTakeLong }: Tool, origin: Origin): boolean {
  return mayTakeLong === true || effect === 'run' || effect === 'network' || origin === 'mcp'
}

/** A tool's own parameters with `background` beside them. */
export function withBackground(parameters: JsonSchema): JsonSchema {
  const own = isRecord(parameters.properties) ? parameters.properties : {}
  return { ...parameters, properties: { ...own, [BACKGROUND]: PROPERTY } }
}

/** The way back. */
export function withoutBackground(parameters: JsonSchema): JsonSchema {
  const { [BACKGROUND]: _, ...own } = isRecord(parameters.properties) ? parameters.properties : {}
  return { ...parameters, properties: own }
}
