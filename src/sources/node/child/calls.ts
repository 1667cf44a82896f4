import { AsyncLocalStorage } from 'node:async_hooks'
import { type Failure, failure, failureOf, messageOf, ToolError } from '../../../core/call/result.ts'
import { type CallMessage, MAX_MESSAGE } from '../protocol.ts'
import { ownFrames } from './find-line.ts'
import { makeContext } from './folder-context.ts'
import type { ToolTable } from './load-files.ts'
import { runMember } from './run-member.ts'
import { send, sendText } from './send.ts'

interface Running {
  readonly id: number
  readonly file: string
  readonly abort: AbortController
  isOver: boolean
}

const running = new Map<number, Running>()
const current = new AsyncLocalStorage<Running>()

/** The call that the present code belongs to, as far as it can be followed. */
export function currentCall(): number | undefined {
  return current.getStore()?.id
}

/** Runs a call and sends how it ended; never rejects. */
export async function runCall(message: CallMessage, table: ToolTable): Promise<void> {
  const call: Running = { id: message.id, file: message.file, abort: new AbortController(), isOver: false }
  running.set(call.id, call)
  send({ type: 'begun', id: call.id })
  await current.run(call, async () => {
    try {
      const tool = table.get(message.file)?.get(message.tool)
      if (tool === undefined) throw new Error(`${message.file} has no tool ${message.tool}`)
      const context = makeContext(message, call.abort.signal, (text) => sendOutput(call, text))
      endCall(call, { value: await runMember(tool, message, context) })
    } catch (thrown) {
      const failed = failureOf(thrown)
      // A tool that fails with a code of Haft has said what is wrong.
      const isExpected = thrown instanceof ToolError
      endCall(call, isExpected ? failed : { ...failed, text: failed.text + ownFrames(thrown, call.file) })
    }
  })
}

/** Tells the tool of a call to stop. */
export function cancelCall(id: number, reason: string): void {
  running.get(id)?.abort.abort(new Error(reason))
}

/** Ends the call that something belongs to which nobody caught; true where there is one. */
export function failCurrentCall(thrown: unknown, kind: string): boolean {
  const call = current.getStore()
  if (call === undefined || call.isOver) return false
  endCall(call, failure('EXECUTION_ERROR', `${kind}: ${messageOf(thrown)}${ownFrames(thrown, call.file)}`))
  return true
}

/** Sends what was printed as output of the call it belongs to; false where there is none. */
export function printForCall(text: string): boolean {
  const call = current.getStore()
  if (call === undefined || call.isOver) return false
  sendOutput(call, text)
  return true
}

function sendOutput({ id, isOver }: Running, text: string): void {
  if (!isOver && text !== '') send({ type: 'output', id, text: text.slice(0, MAX_MESSAGE / 2) })
}

function endCall(call: Running, outcome: { readonly value: unknown } | Failure): void {
  if (call.isOver) return
  call.isOver = true
  running.delete(call.id)
  sendText(writeEnd(call.id, outcome))
}

function writeEnd(id: number, outcome: { readonly value: unknown } | Failure): string {
  try {
    const message =
      'value' in outcome ? { type: 'done', id, value: outcome.value } : { type: 'failed', id, failure: outcome }
    const text = JSON.stringify(message)
    if (text.length <= MAX_MESSAGE) return text
    const size = `${Math.ceil(text.length / 1_000_000)} MB`
    return writeEnd(
      id,
      failure('TOO_LARGE', `The tool ran, but its result of ${size} is larger than ${MAX_MESSAGE / 1_000_000} MB.`),
    )
  } catch (thrown) {
    const text = `The tool ran, but its result cannot be turned into JSON: ${messageOf(thrown)}`
    return JSON.stringify({ type: 'failed', id, failure: failure('EXECUTION_ERROR', text) })
  }
}
