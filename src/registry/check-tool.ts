import { EFFECTS, type Tool } from '../core/tool/tool.ts'
import { isToolName } from './tool-name.ts'

/** The members that are functions where they are there. */
const FUNCTIONS = ['timeout', 'touches', 'approval', 'prepare', 'dryRun', 'execute', 'steps'] as const

/** Throws when a tool is invalid, with what was expected. */
export function checkTool(tool: Tool): void {
  if (!isToolName(tool.name)) {
    throw new Error(
      `${JSON.stringify(tool.name)} is not a valid tool name; use at most 128 letters, digits and _ - . : /`,
    )
  }
  if (typeof tool.description !== 'string' || tool.description.trim() === '')
    throw new Error(`tool "${tool.name}" has no description; models need it to choose a tool`)
  if (!EFFECTS.includes(tool.effect))
    throw new Error(
      `tool "${tool.name}" has the effect ${JSON.stringify(tool.effect)}; expected one of ${EFFECTS.join(', ')}`,
    )
  const executes = typeof tool.execute === 'function'
  const steps = typeof tool.steps === 'function'
  if (!executes && !steps)
    throw new Error(
      `tool "${tool.name}" has neither an execute function nor steps; members inherited from a class do not count`,
    )
  if (steps && (executes || tool.prepare))
    throw new Error(`tool "${tool.name}" has steps and also execute or prepare; steps take the place of both`)
  for (const member of FUNCTIONS) {
    const given: unknown = tool[member]
    if (given !== undefined && typeof given !== 'function') throw noFunction(tool.name, member, given)
  }
}

function noFunction(name: string, member: string, given: unknown): Error {
  const isPlain =
    (member === 'approval' && typeof given === 'boolean') || (member === 'timeout' && typeof given === 'number')
  const hint = isPlain ? `; defineTool takes ${member === 'approval' ? 'true and false' : 'a number'} too` : ''
  return new Error(`tool "${name}" has ${member} as ${typeof given}; expected a function${hint}`)
}
