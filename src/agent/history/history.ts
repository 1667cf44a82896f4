import type { Result } from '../../core/call/result.ts'
import type { ModelMessage, ToolResultMessage } from '../../core/ports/model.ts'
import type { Event } from '../../core/session/event.ts'
import type { MessageCall } from '../../core/session/message.ts'
import { messageTokens } from './count-tokens.ts'
import { toolResult } from './tool-result.ts'

const NONE: readonly ModelMessage[] = Object.freeze([])
/** The most tools of each kind that a note on changed tools names. */
const MAX_NAMED = 30

type MessageEvent = Extract<Event, { type: 'message' }>

/** One entry of a conversation, and the event it comes from. */
interface Entry {
  readonly event: string
  readonly message: Exclude<ModelMessage, ToolResultMessage>
  /** True for a note that may come while calls run. */
  readonly isNote?: true
}

/** What is folded away: everything up to an entry, and the outputs of some calls. */
interface Folds {
  /** The index of the first entry that is still sent. */
  from: number
  summary: string | undefined
  readonly outputs: Set<string>
}

/** The message of an event, without what only the log needs. */
function messageOf({ role, content, reasoning, calls, attachments, wire }: MessageEvent): Entry['message'] {
  if (role !== 'assistant') return attachments ? { role, content, attachments } : { role, content }
  const message = calls ? { role, content, calls } : { role, content }
  if (reasoning === undefined && wire === undefined) return message
  return { ...message, ...(reasoning !== undefined && { reasoning }), ...(wire !== undefined && { wire }) }
}

/** True for a message that a person wrote. */
function isWritten(entry: Entry | undefined): boolean {
  return entry?.message.role === 'user' && !entry.isNote
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
  /** The index of the first entry of the run under way. */
  #runFrom = 0
  /** True after the end of a run, until a message of a person follows. */
  #hasEnded = false
  /** What is sent of the first entries, up to the first that still waits for a result. It is only extended, so that a step costs the same however long the conversation is (gate 1c). */
  #sent: ModelMessage[] = []
  #sentEntries = 0
  #sentTokens = 0

  /** The latest system prompt. */
  get system(): string | undefined {
    return this.#system
  }

  /** The calls of the last assistant message that have no result yet. */
  get openCalls(): readonly MessageCall[] {
    const last = this.#entries.findLast(({ isNote }) => !isNote)?.message
    return last?.role === 'assistant' ? (last.calls ?? []).filter(({ call }) => !this.#results.has(call)) : []
  }

  /** Takes in one more event. */
  add(event: Event): void {
    switch (event.type) {
      case 'message':
        this.#addMessage(event)
        break
      case 'call-end':
        this.#results.set(event.call, event.result)
        break
      case 'task-start':
        this.#addTask(event.call)
        break
      case 'task-end':
        this.#addTaskEnd(event)
        break
      case 'plan-report':
        this.#addPlanReport(event)
        break
      case 'tools-changed':
        this.#addToolChange(event)
        break
      case 'context-folded':
        this.#fold(event)
        break
      case 'run-start':
        this.#beginRun()
        break
      case 'run-end':
        this.#hasEnded = true
    }
  }

  /** Everything that a model is sent. */
  messages(): readonly ModelMessage[] {
    this.#extend()
    return [...this.#sent, ...this.#open()]
  }

  /** Estimates the tokens of everything that a model is sent. */
  countTokens(): number {
    this.#extend()
    return this.#open().reduce((sum, message) => sum + messageTokens(message), this.#sentTokens)
  }

  /** A run that begins without a message answers one that came while the last reply was on its way. The model did not know it then, so it follows that reply. */
  #beginRun(): void {
    const last = this.#entries.at(-1)
    if (this.#hasEnded && last?.message.role === 'assistant') {
      let from = this.#entries.length - 1
      while (from > this.#runFrom && isWritten(this.#entries[from - 1])) from--
      this.#entries.splice(from, 0, ...this.#entries.splice(-1))
      this.#startOver()
    }
    this.#hasEnded = false
    this.#runFrom = this.#entries.length
  }

  /** What replaces the messages that are folded away. */
  get summary(): string | undefined {
    return this.#folds.summary
  }

  /** The entries that can be folded, oldest first, each with the ids of the calls it made. */
  foldable(): readonly { readonly event: string; readonly isReply: boolean; readonly calls: readonly string[] }[] {
    return this.#entries.slice(Math.max(1, this.#folds.from)).map(({ event, message }) => ({
      event,
      isReply: message.role === 'assistant',
      calls: message.role === 'assistant' ? (message.calls ?? []).map(({ call }) => call) : [],
    }))
  }

  /** The result of a call, if it has ended. */
  resultOf(call: string): Result | undefined {
    return this.#results.get(call)
  }

  /** True while the output of a call is sent in full. */
  isOutputShown(call: string): boolean {
    return this.#results.has(call) && !this.#folds.outputs.has(call)
  }

  /** A task answered with its id at once; that answer is its result here, and its end comes as a message of its own. */
  #sentResult({ call }: MessageCall): Result | undefined {
    if (!this.#tasks.has(call)) return this.#results.get(call)
    return { ok: true, text: `It runs in the background as task ${call}.`, data: { task_id: call } }
  }

  /** Adds the messages of entries that are complete. */
  #extend(): void {
    if (this.#sentEntries === 0 && this.#sent.length === 0 && this.#system !== undefined)
      this.#send({ role: 'system', content: this.#system })
    for (; this.#sentEntries < this.#entries.length; this.#sentEntries++) {
      const entry = this.#entries[this.#sentEntries]
      if (!entry || !this.#isComplete(entry)) return
      for (const message of this.#messagesOf(entry, this.#sentEntries)) this.#send(message)
    }
  }

  #send(message: ModelMessage): void {
    this.#sent.push(message)
    this.#sentTokens += messageTokens(message)
  }

  /** The messages of the entries from the first incomplete one on. */
  #open(): readonly ModelMessage[] {
    if (this.#sentEntries === this.#entries.length) return NONE
    const from = this.#sentEntries
    return this.#entries.slice(from).flatMap((entry, index) => this.#messagesOf(entry, from + index))
  }

  #isComplete({ message }: Entry): boolean {
    if (message.role !== 'assistant' || !message.calls) return true
    return message.calls.every(({ call }) => this.#results.has(call) || this.#tasks.has(call))
  }

  /** What is sent of an entry: its message, and the results of its calls. */
  #messagesOf({ message }: Entry, index: number): readonly ModelMessage[] {
    const { from, summary, outputs } = this.#folds
    // The first message says what the session is for: it is never folded.
    if (index > 0 && index < from) return NONE
    const sent: ModelMessage[] = [message]
    if (index === 0 && summary !== undefined) sent.push({ role: 'user', content: summary })
    if (message.role === 'assistant')
      for (const call of message.calls ?? [])
        sent.push(toolResult(call, this.#sentResult(call), outputs.has(call.call)))
    return sent
  }

  /** Makes everything anew, after something changed that was sent before. */
  #startOver(): void {
    this.#sent = []
    this.#sentEntries = 0
    this.#sentTokens = 0
  }

  #addTask(call: string): void {
    this.#tasks.add(call)
    this.#startOver()
  }

  #addMessage(event: MessageEvent): void {
    if (event.role === 'user') this.#hasEnded = false
    if (event.role !== 'system') this.#entries.push({ event: event.id, message: messageOf(event) })
    else if (event.content !== this.#system) {
      this.#system = event.content
      this.#startOver()
    }
  }

  #addTaskEnd({ id, call, outcome }: Extract<Event, { type: 'task-end' }>): void {
    const how = outcome === 'ok' ? 'has ended well' : `has ended with ${outcome}`
    const content = `[Task ${call} ${how}. Read its result with get_background_task {"task_id":"${call}"}.]`
    this.#entries.push({ event: id, message: { role: 'user', content } })
  }

  #addPlanReport({ id, plan, state, text }: Extract<Event, { type: 'plan-report' }>): void {
    const content = `[Plan ${plan} is ${state}. ${text}]`
    this.#entries.push({ event: id, message: { role: 'user', content }, isNote: true })
  }

  /** Before the first message the model has not seen any tools. */
  #addToolChange({ id, added, removed, changed }: Extract<Event, { type: 'tools-changed' }>): void {
    if (this.#entries.length === 0) return
    const list = (what: string, names: readonly string[]) => {
      const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
      return names.length === 0 ? '' : ` ${what}: ${names.slice(0, MAX_NAMED).join(', ')}${more}.`
    }
    const content = `[Your tools have changed.${list('New', added)}${list('Gone', removed)}${list('Changed', changed)}]`
    this.#entries.push({ event: id, message: { role: 'user', content }, isNote: true })
  }

  #fold({ upTo, outputs = [], summary }: Extract<Event, { type: 'context-folded' }>): void {
    this.#startOver()
    for (const call of outputs) this.#folds.outputs.add(call)
    if (summary === undefined) return
    this.#folds.summary = summary
    this.#folds.from = this.#entries.findIndex(({ event }) => event === upTo) + 1
  }
}
