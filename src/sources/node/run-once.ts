import { ToolError } from '../../core/call/result.ts'
import { answerRun, describeChanges } from '../../core/call/run-answer.ts'
import { SCRIPT_PLACE } from '../../core/ports/sandbox.ts'
import { isRecord } from '../../core/text/json.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import { commandFor } from './command.ts'
import type { CallOrder } from './connection.ts'
import { type FromProcess, type GivenFile, MAX_MESSAGE, ONCE, type OnceOrder } from './protocol.ts'
import { errorOf, readMessage } from './read-message.ts'
import { splitLines } from './split-lines.ts'

/** Runs a call in a process of its own, as a command runs: in the sandbox, its changes judged before they are applied. Rejects with ToolError. */
export async function runOnce(
  order: CallOrder,
  context: ToolContext,
  { program, file, helpers }: GivenFile & { readonly program: string },
): Promise<unknown> {
  let last: FromProcess | undefined
  const take = splitLines((line) => {
    const message = readMessage(line)
    if (message?.type === 'output') context.delta(String(message.text))
    else if (message?.type === 'done' || message?.type === 'failed') last = message
  })
  const script: OnceOrder = { file, helpers, call: { type: 'call', id: 1, ...order } }
  const report = await context.run({
    argv: commandFor(program, ONCE, SCRIPT_PLACE),
    script: JSON.stringify(script),
    limits: { output: 2 * MAX_MESSAGE },
    output: (stream, text) => {
      if (stream === 'stdout') take(text)
    },
  })
  if (report.ended !== 'exit') answerRun({ ...report, stdout: '' })
  const changes = describeChanges(report.changed)
  if (last?.type === 'done') return addChanges(last.value, changes)
  if (last?.type === 'failed') throw errorOf(last.failure, changes)
  const printed = report.stderr.trim() === '' ? '' : ` It had printed last: ${report.stderr.trim().slice(-500)}`
  const text = `${order.tool} ended its process with exit code ${report.exitCode} and gave no result.${printed}`
  throw new ToolError('EXECUTION_ERROR', text)
}

/** What the call returned, with a line on what it did to the workspace, as commands have it. */
function addChanges(returned: unknown, changes: string): unknown {
  if (changes === '' || !isRecord(returned)) return returned
  const { data, text } = returned
  const own = typeof text === 'string' ? text : typeof data === 'string' ? data : JSON.stringify(data)
  return { data, text: `${own}\n${changes}` }
}
