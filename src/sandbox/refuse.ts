import { ToolError } from '../core/result.ts'
import type { Sandbox } from '../core/sandbox.ts'

/** The sandbox of a machine that has none: refuses every run and says what to install. */
export function createRefusingSandbox(why: string, remedy: string): Sandbox {
  const text = `Commands run in a sandbox, and there is none here: ${why}. ${remedy} Nothing was run.`
  const refuse = () => Promise.reject(new ToolError('UNAVAILABLE', text))
  return {
    run: refuse,
    start: refuse,
    examine: () => Promise.resolve([{ promise: 'sandbox', holds: false, seen: `${why}. ${remedy}` }]),
    close: () => Promise.resolve(),
  }
}
