import { changeCall } from './draw-call.ts'
import type { Event, Usage } from './event.ts'
import type { CallItem, MessageItem, NoteItem, SessionItem, SessionView } from './session-view.ts'

const NOTHING: SessionView = {
  session: '',
  workspace: undefined,
  parent: undefined,
  title: undefined,
  model: undefined,
  mode: undefined,
  tools: undefined,
  mcpServers: undefined,
  only: undefined,
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
        const { workspace, parent, model, mode, tools, mcpServers, only } = event
        Object.assign(view, { workspace, parent, model, mode, tools, mcpServers, only })
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
        view.usage = addUsage(view.usage, event.usage)
        if (event.thoughtMs !== undefined) this.#noteThought(event.thoughtMs)
        return
      case 'todos':
        view.todos = event.items
        return
      case 'run-start':
      case 'run-stop':
      case 'run-end':
      case 'model-retry':
      case 'context-folded':
      case 'tools-changed':
      case 'session-delete':
      case 'plan-report':
        this.#addNote(event)
        return
      // The session of a plan is shown by drawPlan.
      default:
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
    const { id, at, role, content, reasoning = '', attachments = [], isNotice } = event
    const item: MessageItem = {
      ...{ kind: 'message', id, at, role, content, reasoning, attachments, isStreaming: false },
      ...(isNotice && { isNotice }),
    }
    const streaming = this.#items.findLastIndex((one) => one.kind === 'message' && one.isStreaming)
    if (role !== 'assistant' || streaming === -1) this.#items.push(item)
    else this.#items[streaming] = item
    if (role !== 'assistant') return
    delete this.#streamed.message
    delete this.#streamed.reasoning
  }

  /** Says of the last reply how long the model reasoned. */
  #noteThought(thoughtMs: number): void {
    const index = this.#items.findLastIndex((one) => one.kind === 'message' && one.role === 'assistant')
    const item = this.#items[index]
    if (item?.kind === 'message') this.#items[index] = { ...item, thoughtMs }
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
        return changeCall(item, event)
    }
  }
}

function addUsage(before: SessionView['usage'], { input = 0, output = 0, cost }: Usage): SessionView['usage'] {
  const spent = cost === undefined ? before.cost : (before.cost ?? 0) + cost
  return {
    ...{ input: before.input + input, output: before.output + output, context: input },
    ...(spent !== undefined && { cost: spent }),
  }
}
