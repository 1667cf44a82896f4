import { makeSystemPrompt } from '../../agent/prompt/system-prompt.ts'
import { type RunEnd, runSession } from '../../agent/run/run-session.ts'
import { makeTitle } from '../../agent/session-title.ts'
import type { Calls } from '../../core/ports/calls.ts'
import type { Model, ToolDefinition } from '../../core/ports/model.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { Masker } from '../../core/secrets/masker.ts'
import type { Attachment } from '../../core/session/message.ts'
import type { Mode } from '../../core/session/mode.ts'
import type { SessionChange, SessionRecord } from '../../core/session/session-record.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import type { EventBus } from '../event-bus.ts'
import { findInstructions } from './find-instructions.ts'
import { followRun } from './follow-run.ts'
import { followStops } from './follow-stops.ts'
import { leavePlanMode } from './leave-plan-mode.ts'

/** How a message is sent. */
export interface SendOptions {
  readonly attachments?: readonly Attachment[]
  /** The model for this run, by name or as an object; else that of the session, else that of the settings. */
  readonly model?: string | Model
  /** Replies of the model at most; 50 when left out. */
  readonly maxSteps?: number
  /** In place of the system prompt that Haft makes. */
  readonly system?: string
  /** Records the replies of the model in this file. */
  readonly record?: string
  /** Stops the run; the session stays. */
  readonly signal?: AbortSignal
}

/** What sending needs of the session and its host. */
export interface SendParts {
  readonly session: string
  readonly workspace: string
  readonly haftHome: string
  /** What the session began with; the log says what was changed since. */
  readonly mode: Mode
  readonly calls: Calls
  readonly storage: Storage
  readonly masker: Masker
  readonly bus: EventBus
  /** The runs under way in this process, by session. */
  readonly running: Map<string, { readonly model: Model; readonly stop: AbortController }>
  openModel(options: SendOptions, ofSession?: string): Promise<Model>
}

const MAX_STEPS = 50

/** Given as the reason, since making one costs as much as a call. */
const ENDED = new Error('the run has ended')

/** Sends a message to a session. The process that gets its lease runs the loop; elsewhere the run that another process makes is followed to its end. Rejects with ModelError where there is no such model, and with UNAVAILABLE where the log cannot be written. */
export async function sendMessage(text: string, options: SendOptions, parts: SendParts): Promise<RunEnd> {
  const { session, storage, bus } = parts
  const [record] = await storage.log.sessions({ session, limit: 1 })
  const model = await parts.openModel(options, record?.model ?? undefined)
  const { attachments } = options
  const message = { role: 'user', content: text, ...(attachments && { attachments }) } as const
  const claimed = await storage.leases.claim(session, message)
  bus.notify(claimed.event)
  const after = claimed.cursor
  if (!claimed.isHolder) return followRun({ session, after, ...storage }, options.signal)
  const title = makeTitle(text)
  if (!record?.title && title !== '') bus.emit({ type: 'session-changed', session, title })
  return runHere({ after, model, record }, options, parts)
}

interface Claim {
  /** The cursor of the message. */
  readonly after: number
  readonly model: Model
  readonly record: SessionRecord | undefined
}

/** Runs the loop in this process. Changes of model and mode, from whatever process, count from the next step on. */
async function runHere({ after, model, record }: Claim, options: SendOptions, parts: SendParts): Promise<RunEnd> {
  const { session, storage, bus, running } = parts
  const stop = new AbortController()
  const over = new AbortController()
  const systemFor = (mode: Mode) => options.system ?? systemPromptOf({ ...parts, mode })
  const firstMode = record?.mode ?? parts.mode
  const now = { model, mode: firstMode, system: systemFor(firstMode) }
  const setMode = (mode: Mode): void => {
    if (mode !== now.mode) Object.assign(now, { mode, system: systemFor(mode) })
  }
  const change = async ({ model: name, mode }: SessionChange): Promise<void> => {
    if (mode !== undefined) setMode(mode)
    if (name === undefined) return
    // A model that cannot be opened here leaves the run with the one it has.
    now.model = await parts.openModel({ model: name }).catch(() => now.model)
    running.set(session, { model: now.model, stop })
  }
  followStops({ session, log: storage.log, after, over: over.signal }, stop)
  const calls = leavePlanMode(parts.calls, {
    ...{ session, log: storage.log, mode: () => now.mode },
    leave() {
      bus.emit({ type: 'session-changed', session, mode: 'ask' })
      setMode('ask')
    },
  })
  running.set(session, { model, stop })
  try {
    return await runSession({
      ...{ session, calls, after, masker: parts.masker, emit: bus.emit },
      ...{ log: storage.log, leases: storage.leases, outputs: storage.outputs },
      signal: options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal,
      maxSteps: options.maxSteps ?? MAX_STEPS,
      definitions: () => definitionsOf(calls.snapshot),
      change,
      get model() {
        return now.model
      },
      get mode() {
        return now.mode
      },
      get system() {
        return now.system
      },
    })
  } finally {
    running.delete(session)
    over.abort(ENDED)
  }
}

/** Stops the run of a session, in whatever process it runs; one of this process at once. */
export function stopRun({ session, bus, running }: Pick<SendParts, 'session' | 'bus' | 'running'>, by: string): void {
  bus.emit({ type: 'run-stop', session, by })
  running.get(session)?.stop.abort()
}

/** The system prompt of a session as it is now. */
export function systemPromptOf({
  workspace,
  haftHome,
  mode,
  calls,
}: Pick<SendParts, 'workspace' | 'haftHome' | 'mode' | 'calls'>): string {
  return makeSystemPrompt({
    workspace,
    mode,
    platform: process.platform === 'darwin' ? 'macOS' : process.platform === 'linux' ? 'Linux' : process.platform,
    hasTools: calls.snapshot.tools.length > 0,
    instructions: findInstructions(workspace, haftHome),
  })
}

const definitions = new WeakMap<Snapshot, readonly ToolDefinition[]>()

/** What a model is told of the tools of a snapshot. */
function definitionsOf(snapshot: Snapshot): readonly ToolDefinition[] {
  let made = definitions.get(snapshot)
  if (made === undefined) {
    made = snapshot.tools.map(({ tool, wireName, offered }) => ({
      name: wireName,
      description: tool.description,
      parameters: offered,
    }))
    definitions.set(snapshot, made)
  }
  return made
}
