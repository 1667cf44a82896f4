import type { Calls } from '../../core/ports/calls.ts'
import type { Leases } from '../../core/ports/leases.ts'
import type { Log } from '../../core/ports/log.ts'
import { type Model, ModelError, type ToolDefinition } from '../../core/ports/model.ts'
import type { OutputStore } from '../../core/ports/output-store.ts'
import type { Masker } from '../../core/secrets/masker.ts'
import type { Event, EventBody, RunEndReason } from '../../core/session/event.ts'
import type { Mode } from '../../core/session/mode.ts'
import type { SessionChange } from '../../core/session/session-record.ts'
import { DEFAULT_WINDOW, type FoldParts, foldContext, isFull } from '../history/fold-context.ts'
import { History } from '../history/history.ts'
import { offerTools, ToolUse } from '../tools-budget.ts'
import { LOOP_WARNING, LoopGuard } from './loop-guard.ts'
import { runCalls } from './run-calls.ts'
import { takeStep } from './take-step.ts'

/** What a run needs. */
export interface RunParts {
  readonly session: string
  /** Read before each step, so that a change counts from the next one on. */
  readonly now: RunSettings
  readonly calls: Calls
  readonly log: Log
  readonly leases: Leases
  readonly outputs: Pick<OutputStore, 'keep'>
  readonly masker: Masker
  /** Model replies at most. */
  readonly maxSteps: number
  /** The cursor of the message that the run answers. */
  readonly after: number
  /** Stops the run. */
  readonly signal: AbortSignal
  /** The definitions of all tools of the session. */
  definitions(): readonly ToolDefinition[]
  /** Appends an event. Returns it as the log has it, with its secrets masked. */
  emit(body: EventBody): Event
  /** Called when the log asks for the end of the run. */
  stop(): void
  /** Called with each change of the session since the run began, before the next step; model, mode and system prompt follow it. */
  change?(change: SessionChange): Promise<void>
}

/** What may change while a run is under way. */
export interface RunSettings {
  readonly mode: Mode
  readonly model: Model
  /** The system prompt; logged where it differs from the last one. */
  readonly system: string
}

/** How a run ended. */
export interface RunEnd {
  readonly reason: RunEndReason
  /** What `task_complete` said, the last reply, or why the run failed. */
  readonly summary?: string
  readonly steps: number
}

/** Runs the loop of a session whose lease this process holds, until the model is done, a limit is reached or somebody stops it. Gives the lease back; never rejects. */
export async function runSession(parts: RunParts): Promise<RunEnd> {
  const { session, emit, now } = parts
  const start = () => emit({ type: 'run-start', session, model: now.model.name, mode: now.mode })
  start()
  const state = new RunState(parts)
  let end: RunEnd
  for (;;) {
    end = await runUntilEnd(state, parts)
    emit({ type: 'run-end', session, ...end })
    if (!(await hasNewMessage(state, parts))) return end
    start()
  }
}

/** Gives the lease back, unless a message came since: true then, and the run goes on. One that was stopped gives it back in any case. */
async function hasNewMessage(state: RunState, { leases, session, signal }: RunParts): Promise<boolean> {
  try {
    if (await leases.end(session, signal.aborted ? Number.MAX_SAFE_INTEGER : state.lastMessage)) return false
    await state.refresh()
    return true
  } catch {
    return false
  }
}

async function runUntilEnd(state: RunState, parts: RunParts): Promise<RunEnd> {
  try {
    for (;;) {
      if (parts.signal.aborted) return state.end('cancelled')
      if (state.steps >= parts.maxSteps) return state.end('limit', limitText(parts.maxSteps))
      const end = await runStep(state, parts)
      if (end) return end
    }
  } catch (thrown) {
    if (parts.signal.aborted) return state.end('cancelled')
    return state.end('failed', thrown instanceof Error ? thrown.message : String(thrown))
  }
}

/** One reply of the model and its calls; undefined while the run goes on. */
async function runStep(state: RunState, parts: RunParts): Promise<RunEnd | undefined> {
  await state.refresh()
  const { session, signal, masker, calls, emit } = parts
  const { model, system } = parts.now
  const { history } = state
  // The latest system prompt counts wherever it stands, so the log need not be read again for it.
  if (history.system !== system && state.system !== system)
    history.add(emit({ type: 'message', session, role: 'system', content: system }))
  state.system = system
  const { context: window = DEFAULT_WINDOW } = await model.abilities()
  const tools = offerTools(parts.definitions(), { snapshot: calls.snapshot(), use: state.toolUse, window })
  if (isFull(history, { tools, window })) await fold(state, parts, { tools, window })
  const { reply, calls: made } = await takeStep({
    session,
    step: state.steps + 1,
    model,
    messages: history.messages(),
    tools,
    simplified: state.simplified,
    leftOut: state.leftOut,
    signal,
    masker,
    emit,
    nextCallId: calls.nextId,
  })
  state.steps++
  if (reply.finish === 'length' && made.length === 0) throw new ModelError(CUT_OFF, { retryable: true })
  if (made.length === 0 && reply.text.trim() === '') {
    const { reasoning = '' } = reply
    if (state.wasEmpty && reasoning.trim() === '')
      throw new ModelError('The model gave an empty reply twice: no text and no call.')
    if (state.wasEmpty) {
      // Servers that take the end of reasoning for missing put the whole answer into it.
      emit({ type: 'message', session, role: 'assistant', content: reasoning })
      return state.end('reply', reasoning)
    }
    state.wasEmpty = true
    emit({ type: 'message', session, role: 'user', content: EMPTY_REPLY, isNotice: true })
    return undefined
  }
  state.wasEmpty = false
  if (made.length === 0) return state.end('reply', reply.text)
  const { results, ending } = await runCalls(made, calls, signal)
  if (ending) return state.end('complete', ending.result.text)
  const guarded = state.guard.add(made, results)
  if (guarded === 'stop') return state.end('loop', 'The model repeated the same calls with the same results.')
  if (guarded === 'warn') emit({ type: 'message', session, role: 'user', content: LOOP_WARNING, isNotice: true })
  return undefined
}

const CUT_OFF =
  'The reply was cut off by the limit of tokens. Raise max_output of the model in the settings, or the context window of its server.'

/** Sent to a model after an empty reply. */
const EMPTY_REPLY = 'Your reply was empty. Go on with the task, or answer.'

/** Makes room in the history. */
function fold(state: RunState, parts: RunParts, room: Pick<FoldParts, 'tools' | 'window'>): Promise<void> {
  const { session, now, signal, outputs, emit } = parts
  return foldContext({
    ...{ session, history: state.history, model: now.model, signal, outputs, ...room },
    append: (body) => {
      emit(body)
      return state.refresh()
    },
  })
}

function limitText(steps: number): string {
  return `The run was cut off after ${steps} steps; the task may not be finished.`
}

/** What a run knows: the conversation so far, and what the log has said up to a cursor. */
class RunState {
  readonly history = new History()
  readonly guard = new LoopGuard()
  readonly toolUse = new ToolUse()
  /** The tools that are described to the model in a simpler form, as the log has it. */
  simplified: readonly string[] = []
  /** The tools that are left out since the model's server refuses them, as the log has it. */
  leftOut: readonly string[] = []
  /** The system prompt of the last step; the one in the log may be masked. */
  system: string | undefined
  /** The cursor of the last message of a person. */
  lastMessage: number
  /** True after a reply without a text or a call. */
  wasEmpty = false
  steps = 0
  readonly #parts: RunParts
  #cursor = 0

  constructor(parts: RunParts) {
    this.#parts = parts
    this.lastMessage = parts.after
  }

  /** Takes in what was logged since, by this process or another. */
  async refresh(): Promise<void> {
    const { log, session, after, change, stop } = this.#parts
    for (const event of await log.read({ session, after: this.#cursor })) {
      const { cursor = Number.POSITIVE_INFINITY } = event
      if (Number.isFinite(cursor)) this.#cursor = cursor
      this.history.add(event)
      switch (event.type) {
        case 'message':
          this.toolUse.addCalls(event.calls)
          if (event.role === 'user') this.lastMessage = event.cursor ?? this.lastMessage
          break
        case 'call-end':
          this.toolUse.addResult(event.call, event.result)
          break
        case 'model-call':
          this.simplified = event.simplified ?? this.simplified
          this.leftOut = event.leftOut ?? this.leftOut
          break
        case 'session-changed':
          if (cursor > after) await change?.(event)
          break
        case 'run-stop':
          if (cursor > after) stop()
      }
    }
  }

  end(reason: RunEndReason, summary?: string): RunEnd {
    return { reason, steps: this.steps, ...(summary !== undefined && summary !== '' && { summary }) }
  }
}
