import { join } from 'node:path'
import { type Answer, answer, isAnswer, ToolError } from '../../core/call/result.ts'
import { answerRun, describeChanges } from '../../core/call/run-answer.ts'
import { SCRIPT_PLACE } from '../../core/ports/sandbox.ts'
import { isRecord } from '../../core/text/json.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import { LineReader } from './line-reader.ts'
import type { HostAnswer, ToolRequest } from './python-process.ts'
import { readAnswer } from './read-answer.ts'

/** How much a call may print and answer together, in bytes. */
const MAX_OUTPUT = 150_000_000

/** A tool's file, and where the host lies. */
export interface OncePlace {
  readonly hostFolder: string
  readonly file: string
  /** The files of its folder as they were loaded. */
  readonly texts: Readonly<Record<string, string>>
}

/** Runs a call in a process of its own, as a command runs: in the sandbox, its changes judged before they are applied. Rejects with ToolError. */
export async function runOnce(request: ToolRequest, context: ToolContext, place: OncePlace): Promise<unknown> {
  const { hostFolder, file, texts } = place
  const { workspace } = context
  let last: HostAnswer | undefined
  const lines = new LineReader(
    (line) => {
      const message = readMessage(line)
      if (typeof message?.delta === 'string') context.delta(message.delta)
      else if (message?.id === 1) last = { line, message }
    },
    () => undefined,
  )
  const report = await context.run({
    argv: ['python3', join(hostFolder, 'host.py'), 'same-group', '-', SCRIPT_PLACE],
    script: JSON.stringify({ workspace, file, texts, request: { id: 1, ...request } }),
    limits: { output: MAX_OUTPUT },
    output: (stream, text) => {
      if (stream === 'stdout') lines.add(text)
    },
  })
  if (report.ended !== 'exit') answerRun({ ...report, stdout: '' })
  if (last === undefined) throw notAnswered(request.tool, report.exitCode, report.stderr)
  return withChanges(last, describeChanges(report.changed))
}

/** The answer, or the failure, with a line on what the call did to the workspace, as commands have it. */
function withChanges(given: HostAnswer, changes: string): unknown {
  try {
    const value = readAnswer(given)
    if (changes === '') return value
    const { text, data }: Pick<Answer, 'text' | 'data'> = isAnswer(value)
      ? value
      : { text: typeof value === 'string' ? value : JSON.stringify(value), data: value }
    return answer([text, changes], data)
  } catch (thrown) {
    if (!(thrown instanceof ToolError) || changes === '') throw thrown
    throw new ToolError(thrown.code, `${thrown.message}\n${changes}`, thrown.details ? { details: thrown.details } : {})
  }
}

function notAnswered(tool: string, exitCode: number, printed: string): ToolError {
  const last = printed.trim() === '' ? '' : ` It had printed last: ${printed.trim().slice(-500)}`
  return new ToolError(
    'EXECUTION_ERROR',
    `${tool} ended its process with exit code ${exitCode} and gave no result.${last}`,
  )
}

function readMessage(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isRecord(message) ? message : undefined
  } catch {
    return undefined
  }
}
