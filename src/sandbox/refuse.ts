import { ToolError } from '../core/call/result.ts'
import type { Sandbox } from '../core/ports/sandbox.ts'

/** Creates a sandbox that refuses every run and says what to install, for machines without one. */
export function createRefusingSandbox(why: string, remedy: string): Sandbox {
  const text = `Commands need a sandbox, and this machine has none: ${why}. ${remedy} Nothing was run.`
  const refuse = () => Promise.reject(new ToolError('UNAVAILABLE', text))
  return {
    run: refuse,
    start: refuse,
    examine: () => Promise.resolve([{ promise: 'sandbox', holds: false, seen: `${why}. ${remedy}`, remedy }]),
    close: () => Promise.resolve(),
  }
}
