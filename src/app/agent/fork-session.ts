import type { OutputStore } from '../../core/ports/output-store.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { Event, EventBody } from '../../core/session/event.ts'
import type { MessageCall } from '../../core/session/message.ts'

/** Where a fork ends. */
export interface ForkOptions {
  /** Leaves the event itself out: for a message that is written anew. */
  readonly before?: true
}

interface ForkParts {
  readonly storage: Pick<Storage, 'log' | 'outputs'>
  nextSession(): string
  nextCall(): string
}

/** Copies a session up to an event into a new one, and returns its id. Its calls get ids of their own and are not run again, so undo and approvals stay with the first session. Rejects where there is no such session or event. */
export async function forkSession(
  session: string,
  { event, before }: { readonly event: string } & ForkOptions,
  { storage, nextSession, nextCall }: ForkParts,
): Promise<string> {
  const { log, outputs } = storage
  const events = await log.read({ session })
  const start = events.find((one) => one.type === 'session-start')
  const at = events.findIndex(({ id }) => id === event)
  if (!start || at < 0)
    throw new Error(`there is no event ${JSON.stringify(event)} in a session ${JSON.stringify(session)}`)
  const copied = events.slice(0, before ? at : at + 1)
  const fork = nextSession()
  const { workspace, mode, model, tools, mcpServers, only } = start
  const selection = { ...(tools && { tools }), ...(mcpServers && { mcpServers }), ...(only && { only }) }
  log.append({
    ...{ type: 'session-start', session: fork, workspace, mode, forkedFrom: session },
    ...{ ...selection, ...(model !== undefined && { model }) },
  })
  const copy = new EventCopy(fork, copied, nextCall)
  for (const one of copied) {
    const body = copy.of(one)
    if (body) copy.note(one, log.append(body))
  }
  await copyOutputs(copy.calls, outputs)
  await log.flush()
  return fork
}

/** Copies the events of one session for another: what a model is sent and what a person reads, with the ids changed. */
class EventCopy {
  /** Ids of the calls that had ended, and those of their copies. */
  readonly calls: ReadonlyMap<string, string>
  readonly #session: string
  readonly #nextCall: () => string
  readonly #events = new Map<string, string>()

  constructor(session: string, events: readonly Event[], nextCall: () => string) {
    this.#session = session
    this.#nextCall = nextCall
    const ended = events.filter((event) => event.type === 'call-end')
    this.calls = new Map(ended.map(({ call }) => [call, nextCall()]))
  }

  /** Returns the copy of an event; undefined for one that is not copied. */
  of({ id: _, at: _at, cursor: _cursor, ...event }: Event & { readonly cursor?: number }): EventBody | undefined {
    const session = this.#session
    switch (event.type) {
      case 'message':
        return { ...event, session, ...(event.calls && { calls: event.calls.map((call) => this.#copyCall(call)) }) }
      case 'context-folded': {
        const { upTo, outputs } = event
        const folded = outputs && { outputs: outputs.map((call) => this.calls.get(call) ?? call) }
        return { ...event, session, upTo: this.#events.get(upTo) ?? upTo, ...folded }
      }
      case 'session-changed':
      case 'todos':
      case 'tools-changed':
      case 'run-start':
      case 'run-end':
      case 'model-call':
        return { ...event, session }
      case 'call-start':
      case 'task-start':
      case 'task-end':
      case 'call-end': {
        const call = this.calls.get(event.call)
        return call === undefined ? undefined : { ...event, session, call }
      }
      default:
        return undefined
    }
  }

  /** Remembers which event became which. */
  note(original: Event, copied: Event): void {
    this.#events.set(original.id, copied.id)
  }

  /** A call that had not ended gets an id that nothing else has, so that its end in the first session is not taken for one here. */
  #copyCall(made: MessageCall): MessageCall {
    return { ...made, call: this.calls.get(made.call) ?? this.#nextCall() }
  }
}

/** Keeps the full outputs for the copies too, so that they can still be read. */
async function copyOutputs(calls: ReadonlyMap<string, string>, outputs: OutputStore): Promise<void> {
  for (const [from, to] of calls) {
    const kept = await outputs.read(from, 1, Number.MAX_SAFE_INTEGER)
    if (kept) await outputs.keep(to, kept.lines.join('\n'))
  }
}
