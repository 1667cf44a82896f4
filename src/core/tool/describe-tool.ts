import type { JsonSchema } from '../text/json.ts'
import { isControl, type Origin, type RegisteredTool, type Skipped, type Snapshot } from './snapshot.ts'
import type { Effect } from './tool.ts'

/** A tool as front ends list it. */
export interface ToolDescription {
  readonly name: string
  readonly wireName: string
  readonly description: string
  /** The parameters that a model sees, as JSON Schema. */
  readonly parameters: JsonSchema
  readonly effect: Effect
  readonly origin: Origin
  readonly source: string
  readonly line?: number
  /** Offered whenever any tool is, and never part of a selection. */
  readonly isControl?: true
}

/** The tools of a workspace, and what was not loaded. */
export interface ToolListing {
  readonly tools: readonly ToolDescription[]
  readonly skipped: readonly Skipped[]
}

/** Describes one tool for people and programs. */
export function describeTool(entry: RegisteredTool): ToolDescription {
  const { tool, wireName, origin, source, line, offered } = entry
  const { name, description, effect } = tool
  const location = line === undefined ? { source } : { source, line }
  const described = { name, wireName, description, parameters: offered, effect, origin, ...location }
  return isControl(entry) ? { ...described, isControl: true } : described
}

/** Describes every tool of a snapshot. `haft tools --json` prints it and `GET /api/tools` answers with it. */
export function describeTools({ tools, skipped }: Snapshot): ToolListing {
  return { tools: tools.map(describeTool), skipped }
}
