import { ToolError } from '../../../core/call/result.ts'
import type { ToolContext } from '../../../core/tool/context.ts'
import type { CallMessage } from '../protocol.ts'

/** What a tool of a folder gets. It runs in a process of its own, so what Haft itself guards is not offered: Node's own modules are there. */
export type FolderContext = Pick<ToolContext, 'workspace' | 'session' | 'call' | 'signal' | 'delta'> & {
  /** Shows a line to the person. */
  log(...values: readonly unknown[]): void
  /** Shows how far the work is. */
  progress(...values: readonly unknown[]): void
}

/** What a tool can only be given inside Haft. */
const MISSING = ['files', 'http', 'run', 'rehearse', 'tasks', 'agents', 'outputs', 'delegate', 'input', 'todos']

/** The context of one call. */
export function makeContext(
  { tool, context }: Pick<CallMessage, 'tool' | 'context'>,
  signal: AbortSignal,
  output: (text: string) => void,
): FolderContext {
  const sayLine = (...values: readonly unknown[]) => output(`${values.map(textOf).join(' ')}\n`)
  const made = { ...context, signal, delta: (text: string) => output(String(text)), log: sayLine, progress: sayLine }
  for (const name of MISSING) Object.defineProperty(made, name, { get: () => refuse(tool, name) })
  return made
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

function refuse(tool: string, name: string): never {
  throw new ToolError(
    'EXECUTION_ERROR',
    `${tool} uses context.${name}, which tools of a folder do not have: they run in a process of their own. Use Node's own modules, such as node:fs.`,
  )
}
