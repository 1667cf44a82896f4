import type { Result } from '../call/result.ts'
import type { Decision } from '../rules/rule.ts'
import type { Preview } from '../tool/prepared.ts'
import type { Event, RunEndReason, Todo } from './event.ts'
import type { Attachment } from './message.ts'
import type { Mode } from './mode.ts'

/** A message as a front end shows it; `isStreaming` while it is still being written. */
export interface MessageItem {
  readonly kind: 'message'
  readonly id: string
  readonly at: number
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
  readonly reasoning: string
  readonly attachments: readonly Attachment[]
  readonly isStreaming: boolean
}

/** An approval request of a call, and its answer once there is one. */
export interface ApprovalView {
  readonly approval: string
  readonly reason: string
  readonly effects: readonly string[]
  readonly unusual: readonly string[]
  readonly preview?: Preview
  readonly answer?: { readonly approved: boolean; readonly by: string; readonly reason?: string }
}

/** A request of a tool to the person or the app, and the answer once there is one. */
export interface RequestView {
  readonly id: string
  readonly kind: 'input' | 'delegate'
  readonly asked: unknown
  readonly answer?: unknown
}

/** A call as a front end shows it. */
export interface CallItem {
  readonly kind: 'call'
  readonly id: string
  readonly at: number
  readonly call: string
  readonly name: string
  /** The arguments that run: the proposed ones, or those that a person changed. */
  readonly arguments: unknown
  readonly state: 'started' | 'waiting' | 'queued' | 'running' | 'ended'
  readonly isTask: boolean
  readonly decision?: Decision
  readonly rule?: string
  readonly reason?: string
  readonly clearedBy?: string
  readonly repairs: readonly string[]
  readonly problems: readonly string[]
  readonly approvals: readonly ApprovalView[]
  readonly requests: readonly RequestView[]
  /** Its output so far. Once the call has ended, the result has the full output. */
  readonly output: string
  readonly result?: Result
  /** Milliseconds. */
  readonly duration?: number
}

/** A note between messages and calls: a run began or ended, the context was compacted, tools changed. */
export interface NoteItem {
  readonly kind: 'note'
  readonly id: string
  readonly at: number
  readonly event: Extract<
    Event,
    { type: 'run-start' | 'run-stop' | 'run-end' | 'context-folded' | 'tools-changed' | 'session-delete' }
  >
}

export type SessionItem = MessageItem | CallItem | NoteItem

/** A session reconstructed from its events: everything that a front end needs to show it. */
export interface SessionView {
  readonly session: string
  readonly workspace: string | undefined
  readonly parent: string | undefined
  readonly title: string | undefined
  readonly model: string | undefined
  readonly mode: Mode | undefined
  /** Absent means all, empty means none. */
  readonly tools: readonly string[] | undefined
  readonly mcpServers: readonly string[] | undefined
  readonly isRunning: boolean
  readonly isDeleted: boolean
  /** How the last run ended. */
  readonly ended: RunEndReason | undefined
  readonly todos: readonly Todo[]
  readonly usage: { readonly input: number; readonly output: number }
  readonly items: readonly SessionItem[]
  /** The end offsets of unfinished streams. Pieces before them were already added. */
  readonly streamed: Readonly<Record<string, number>>
}

const NOTHING: SessionView = {
  session: '',
  workspace: undefined,
  parent: undefined,
  title: undefined,
  model: undefined,
  mode: undefined,
  tools: undefined,
  mcpServers: undefined,
  isRunning: false,
  isDeleted: false,
  ended: undefined,
  todos: [],
  usage: { input: 0, output: 0 },
  items: [],
  streamed: {},
}

/** Builds the view of a session from its events. Given a view of earlier events, continues from it; that view is not changed. */
export function drawSession(events: Iterable<Event>, before: SessionView = NOTHING): SessionView {
  const draft = new Draft(before)
  for (const event of events) draft.add(event)
  return draft.view()
}

type Open<View> = { -readonly [Member in keyof View]: View[Member] }

/** A view that is being built. */
class Draft {
  readonly #view: Open<SessionView>
  readonly #items: SessionItem[]
  readonly #streamed: Record<string, number>
  /** The index of each call in the list. */
  readonly #indexes = new Map<string, number>()

  constructor(before: SessionView) {
    this.#view = { ...before }
    this.#items = [...before.items]
    this.#streamed = { ...before.streamed }
    for (const [i, item] of this.#items.entries()) if (item.kind === 'call') this.#indexes.set(item.call, i)
  }

  view(): SessionView {
    return { ...this.#view, items: this.#items, streamed: this.#streamed }
  }

  add(event: Event): void {
    this.#view.session ||= event.session
    if ('call' in event) this.#addToCall(event)
    else this.#addToSession(event)
  }

  #addToSession(event: Exclude<Event, { call: string }>): void {
    const view = this.#view
    switch (event.type) {
      case 'session-start': {
        const { workspace, parent, model, mode, tools, mcpServers } = event
        Object.assign(view, { workspace, parent, model, mode, tools, mcpServers })
        return
      }
      case 'session-changed':
        view.title = event.title ?? view.title
        view.model = event.model ?? view.model
        view.mode = event.mode ?? view.mode
        return
      case 'message':
        this.#addMessage(event)
        return
      case 'message-delta':
        this.#addPiece(event)
        return
      case 'model-call':
        view.usage = {
          input: view.usage.input + (event.usage.input ?? 0),
          output: view.usage.output + (event.usage.output ?? 0),
        }
        return
      case 'todos':
        view.todos = event.items
        return
      default:
        this.#addNote(event)
    }
  }

  #addNote(event: NoteItem['event']): void {
    const view = this.#view
    if (event.type === 'run-start') {
      view.isRunning = true
      view.ended = undefined
    } else if (event.type === 'run-end') {
      view.isRunning = false
      view.ended = event.reason
    } else if (event.type === 'session-delete') view.isDeleted = true
    this.#items.push({ kind: 'note', id: event.id, at: event.at, event })
  }

  /** Replaces the streamed pieces by the complete message. */
  #addMessage(event: Extract<Event, { type: 'message' }>): void {
    const { id, at, role, content, reasoning = '', attachments = [] } = event
    const item: MessageItem = { kind: 'message', id, at, role, content, reasoning, attachments, isStreaming: false }
    const streaming = this.#items.findLastIndex((one) => one.kind === 'message' && one.isStreaming)
    if (role !== 'assistant' || streaming === -1) this.#items.push(item)
    else this.#items[streaming] = item
    if (role !== 'assistant') return
    delete this.#streamed.message
    delete this.#streamed.reasoning
  }

  #addPiece(event: Extract<Event, { type: 'message-delta' }>): void {
    const stream = event.reasoning ? 'reasoning' : 'message'
    const text = this.#unseen(stream, event)
    if (text === '') return
    let index = this.#items.findLastIndex((one) => one.kind === 'message' && one.isStreaming)
    if (index === -1) {
      const empty = { role: 'assistant', content: '', reasoning: '', attachments: [], isStreaming: true } as const
      index = this.#items.push({ kind: 'message', id: event.id, at: event.at, ...empty }) - 1
    }
    const item = this.#items[index]
    if (item?.kind !== 'message') return
    const member = event.reasoning ? 'reasoning' : 'content'
    this.#items[index] = { ...item, [member]: item[member] + text }
  }

  /** Returns the part of a piece that was not added before. */
  #unseen(stream: string, { text, offset }: { readonly text: string; readonly offset: number }): string {
    const seen = this.#streamed[stream] ?? 0
    this.#streamed[stream] = Math.max(seen, offset + text.length)
    return offset >= seen ? text : text.slice(seen - offset)
  }

  #addToCall(event: Extract<Event, { call: string }>): void {
    if (event.type === 'call-start') {
      const { id, at, call, name } = event
      const lists = { repairs: [], problems: [], approvals: [], requests: [] }
      const item: CallItem = {
        kind: 'call',
        id,
        at,
        call,
        name,
        arguments: event.arguments,
        state: 'started',
        isTask: false,
        output: '',
        ...lists,
      }
      this.#indexes.set(call, this.#items.push(item) - 1)
      return
    }
    const index = this.#indexes.get(event.call)
    const item = index === undefined ? undefined : this.#items[index]
    if (index === undefined || item?.kind !== 'call') return
    this.#items[index] = { ...item, ...this.#changeOf(item, event) }
  }

  #changeOf(item: CallItem, event: Extract<Event, { call: string }>): Partial<CallItem> {
    switch (event.type) {
      case 'call-delta':
        return { output: item.output + this.#unseen(`call ${event.call}`, event) }
      case 'call-end':
        delete this.#streamed[`call ${event.call}`]
        return { state: 'ended', result: event.result, duration: event.duration }
      default:
        return changeOf(item, event)
    }
  }
}

/** Returns the changes that an event makes to its call. */
function changeOf(item: CallItem, event: Extract<Event, { call: string }>): Partial<CallItem> {
  switch (event.type) {
    case 'call-repaired':
      return { repairs: [...item.repairs, ...event.repairs] }
    case 'call-judged':
      return {
        ...{ decision: event.decision, rule: event.rule, reason: event.reason },
        ...('arguments' in event && { arguments: event.arguments }),
      }
    case 'approval-request': {
      const { approval, reason, effects, unusual, preview } = event
      const asked: ApprovalView = { approval, reason, effects, unusual, ...(preview && { preview }) }
      return { state: 'waiting', approvals: [...item.approvals.filter((one) => one.approval !== approval), asked] }
    }
    case 'approval-answer':
      return { state: 'queued', approvals: item.approvals.map((asked) => answered(asked, event)) }
    case 'call-run':
      return {
        state: 'running',
        clearedBy: event.clearedBy,
        ...('arguments' in event && { arguments: event.arguments }),
      }
    case 'call-problem':
      return { problems: [...item.problems, event.text] }
    case 'task-start':
      return { isTask: true, state: item.state === 'started' ? 'queued' : item.state }
    case 'input-request':
      return { requests: [...item.requests, { id: event.input, kind: 'input', asked: event.question }] }
    case 'input-answer':
      return { requests: withAnswer(item.requests, event.input, event.answer) }
    case 'delegate-request':
      return { requests: [...item.requests, { id: event.delegate, kind: 'delegate', asked: event.effect }] }
    case 'delegate-answer':
      return { requests: withAnswer(item.requests, event.delegate, event.answer) }
    default:
      return {}
  }
}

function answered(
  asked: ApprovalView,
  { approval, reply, by }: Extract<Event, { type: 'approval-answer' }>,
): ApprovalView {
  if (asked.approval !== approval) return asked
  const reason = reply.approved ? undefined : reply.reason
  return { ...asked, answer: { approved: reply.approved === true, by, ...(reason !== undefined && { reason }) } }
}

function withAnswer(requests: readonly RequestView[], id: string, answer: unknown): readonly RequestView[] {
  return requests.map((request) => (request.id === id ? { ...request, answer } : request))
}
