import { ERROR_CODES } from '../../core/call/codes.ts'
import type { ModelMessage } from '../../core/ports/model.ts'

/** What came of a call. */
export interface DemoResult {
  readonly content: string
  /** The code of a failure. */
  readonly failed?: string
}

/** What a request says of where the conversation stands. */
export interface Conversation {
  /** The last message of the person; empty where there is none. */
  readonly message: string
  /** The results of the calls made since then, in order. */
  readonly results: readonly DemoResult[]
  /** True where the run was ended since then. */
  readonly isComplete: boolean
  /** The calls of the full history, so that ids are not used twice. */
  readonly callCount: number
}

/** The tool that ends a run. */
export const TASK_COMPLETE = 'task_complete'

/** Reads the history of a request. */
export function readConversation(messages: readonly ModelMessage[]): Conversation {
  const start = messages.findLastIndex(({ role }) => role === 'user')
  const since = messages.slice(start + 1)
  const calls = since.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : []))
  const contents = new Map(since.flatMap((one) => (one.role === 'tool' ? [[one.call, one.content] as const] : [])))
  return {
    message: messages[start]?.content ?? '',
    results: calls.filter(({ name }) => name !== TASK_COMPLETE).map(({ call }) => readResult(contents.get(call) ?? '')),
    isComplete: calls.some(({ name }) => name === TASK_COMPLETE),
    callCount: messages.reduce((sum, one) => sum + (one.role === 'assistant' ? (one.calls?.length ?? 0) : 0), 0),
  }
}

/** How the loop writes a failure: `DENIED: Denied by user`. */
const FAILURE = new RegExp(`^(?:Error: )?(${ERROR_CODES.join('|')}): `)

function readResult(content: string): DemoResult {
  const found = FAILURE.exec(content)
  return found?.[1] === undefined ? { content } : { content: content.slice(found[0].length), failed: found[1] }
}
