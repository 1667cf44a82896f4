import { ToolError } from '../../src/core/call/result.ts'
import type { Programs } from '../../src/core/ports/developer/programs.ts'

const missing = (name: string): never => {
  throw new ToolError('UNAVAILABLE', `${name} is not installed.`)
}

/** A machine without any program. */
export const NO_PROGRAMS: Programs = { system: missing, chosen: missing, env: () => ({}) }
