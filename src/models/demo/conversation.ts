import { JOB_HEADING } from '../../core/plans/job-heading.ts'
import type { ModelMessage, ToolResultMessage } from '../../core/ports/model.ts'

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
  const results = new Map(since.flatMap((one) => (one.role === 'tool' ? [[one.call, readResult(one)] as const] : [])))
  return {
    message: jobOf(messages[start]?.content ?? ''),
    results: calls.filter(({ name }) => name !== TASK_COMPLETE).map(({ call }) => results.get(call) ?? { content: '' }),
    isComplete: calls.some(({ name }) => name === TASK_COMPLETE),
    callCount: messages.reduce((sum, one) => sum + (one.role === 'assistant' ? (one.calls?.length ?? 0) : 0), 0),
  }
}

/** The job where the message is what a sub-agent of a plan is told; else the message. */
function jobOf(message: string): string {
  const [, told] = message.split(`\n## ${JOB_HEADING}: `)
  if (told === undefined) return message
  const [, ...lines] = told.split('\n\n## ', 1)[0]?.split('\n') ?? []
  return lines.join('\n')
}

/** A result without its code, which the text of a failure may start with: `DENIED: Denied by user`. */
function readResult({ content, code }: ToolResultMessage): DemoResult {
  if (code === undefined) return { content }
  const start = `${code}: `
  return { content: content.startsWith(start) ? content.slice(start.length) : content, failed: code }
}
