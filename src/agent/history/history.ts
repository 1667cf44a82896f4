import type { Result } from '../../core/call/result.ts'
import type { ModelMessage, ToolResultMessage } from '../../core/ports/model.ts'
import type { Event } from '../../core/session/event.ts'
import type { MessageCall } from '../../core/session/message.ts'
import { toolResult } from './tool-result.ts'

type MessageEvent = Extract<Event, { type: 'message' }>

/** One entry of a conversation, and the event it comes from. */
interface Entry {
  readonly event: string
  readonly message: Exclude<ModelMessage, ToolResultMessage>
}

/** What is folded away: everything up to an entry, and the outputs of some calls. */
interface Folds {
  /** The index of the first entry that is still sent. */
  from: number
  summary: string | undefined
  readonly outputs: Set<string>
}

/**
 * The conversation of a session, made from its events alone, so that a resumed session sends what the first one sent. Each result
 * follows the message that made its call; a call without an end gets one that says so.
 */
export class History {
  readonly #entries: Entry[] = []
  readonly #results = new Map<string, Result>()
  readonly #folds: Folds = { from: 0, summary: undefined, outputs: new Set() }
  readonly #tasks = new Set<string>()
  #system: string | undefined

  /** The latest system prompt. */
  get system(): string | undefined {
    return this.#system
  }

  /** The calls of the last assistant message that have no result yet. */
  get openCalls(): readonly MessageCall[] {
    const last = this.#entries.at(-1)?.message
    return last?.role === 'assistant' ? (last.calls ?? []).filter(({ call }) => !this.#results.has(call)) : []
  }

  /** Takes in one more event. */
  add(event: Event): void {
    if (event.type === 'message') this.#addMessage(event)
    else if (event.type === 'call-end') this.#results.set(event.call, event.result)
    else if (event.type === 'task-start') this.#tasks.add(event.call)
    else if (event.type === 'task-end') this.#addTaskEnd(event)
    else if (event.type === 'context-folded') this.#fold(event)
  }

  /** Everything that a model is sent. */
  messages(): readonly ModelMessage[] {
    const { from, summary, outputs } = this.#folds
    const sent: ModelMessage[] = this.#system === undefined ? [] : [{ role: 'system', content: this.#system }]
    for (const [index, { message }] of this.#entries.entries()) {
      // The first message says what the session is for: it is never folded.
      if (index > 0 && index < from) continue
      sent.push(message)
      if (index === 0 && summary !== undefined) sent.push({ role: 'user', content: summary })
      if (message.role === 'assistant')
        for (const call of message.calls ?? [])
          sent.push(toolResult(call, this.#resultOf(call), outputs.has(call.call)))
    }
    return sent
  }

  /** The entries that can be folded, oldest first, each with the ids of the calls it made. */
  foldable(): readonly { readonly event: string; readonly calls: readonly string[] }[] {
    return this.#entries.slice(Math.max(1, this.#folds.from)).map(({ event, message }) => ({
      event,
      calls: message.role === 'assistant' ? (message.calls ?? []).map(({ call }) => call) : [],
    }))
  }

  /** True while the output of a call is sent in full. */
  isOutputShown(call: string): boolean {
    return this.#results.has(call) && !this.#folds.outputs.has(call)
  }

  /** A task answered with its id at once; that answer is its result here, and its end comes as a message of its own. */
  #resultOf({ call }: MessageCall): Result | undefined {
    if (!this.#tasks.has(call)) return this.#results.get(call)
    return { ok: true, text: `It runs in the background as task ${call}.`, data: { task_id: call } }
  }

  #addMessage({ id, type: _, session: _session, at: _at, ...message }: MessageEvent): void {
    if (message.role === 'system') this.#system = message.content
    else this.#entries.push({ event: id, message })
  }

  #addTaskEnd({ id, call, outcome }: Extract<Event, { type: 'task-end' }>): void {
    const how = outcome === 'ok' ? 'has ended well' : `has ended with ${outcome}`
    const content = `[Task ${call} ${how}. Read its result with get_background_task {"task_id":"${call}"}.]`
    this.#entries.push({ event: id, message: { role: 'user', content } })
  }

  #fold({ upTo, outputs = [], summary }: Extract<Event, { type: 'context-folded' }>): void {
    for (const call of outputs) this.#folds.outputs.add(call)
    if (summary === undefined) return
    this.#folds.summary = summary
    this.#folds.from = this.#entries.findIndex(({ event }) => event === upTo) + 1
  }
}
