import { makeSystemPrompt } from '../../agent/prompt/system-prompt.ts'
import { type RunEnd, runSession } from '../../agent/run/run-session.ts'
import type { Calls } from '../../core/ports/calls.ts'
import type { Model, ToolDefinition } from '../../core/ports/model.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { Attachment } from '../../core/session/message.ts'
import type { Mode } from '../../core/session/mode.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import type { EventBus } from '../event-bus.ts'
import { findInstructions } from './find-instructions.ts'
import { followRun } from './follow-run.ts'

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
  readonly mode: Mode
  readonly calls: Calls
  readonly storage: Storage
  readonly secrets: readonly RegExp[]
  readonly bus: EventBus
  readonly running: Map<string, AbortController>
  openModel(options: SendOptions): Promise<Model>
}

const MAX_STEPS = 50

/** Given as the reason, since making one costs as much as a call. */
const ENDED = new Error('the run has ended')

/** Sends a message to a session. The process that gets its lease runs the loop; elsewhere the run that another process makes is followed to its end. Rejects with ModelError where there is no such model, and with UNAVAILABLE where the log cannot be written. */
export async function sendMessage(text: string, options: SendOptions, parts: SendParts): Promise<RunEnd> {
  const { session, storage, bus, calls } = parts
  const model = await parts.openModel(options)
  const { attachments } = options
  const message = { role: 'user', content: text, ...(attachments && { attachments }) } as const
  const claimed = await storage.leases.claim(session, message)
  bus.notify(claimed.event)
  const after = claimed.cursor
  if (!claimed.isHolder) return followRun({ session, after, ...storage }, options.signal)
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const over = new AbortController()
  parts.running.set(session, stop)
  followStops(parts, after, { stop, over: over.signal })
  try {
    return await runSession({
      ...{ session, model, calls, signal, after, mode: parts.mode, secrets: parts.secrets },
      ...{ log: storage.log, leases: storage.leases, outputs: storage.outputs, emit: bus.emit },
      system: options.system ?? systemPromptOf(parts),
      maxSteps: options.maxSteps ?? MAX_STEPS,
      definitions: () => definitionsOf(calls.snapshot),
    })
  } finally {
    parts.running.delete(session)
    over.abort(ENDED)
  }
}

/** Stops the run of a session, in whatever process it runs; one of this process at once. */
export function stopRun({ session, bus, running }: Pick<SendParts, 'session' | 'bus' | 'running'>, by: string): void {
  bus.emit({ type: 'run-stop', session, by })
  running.get(session)?.abort()
}

/** The system prompt of a session as it is now. */
export function systemPromptOf({ workspace, haftHome, mode, calls }: SendParts): string {
  return makeSystemPrompt({
    workspace,
    mode,
    platform: process.platform === 'darwin' ? 'macOS' : process.platform === 'linux' ? 'Linux' : process.platform,
    hasTools: calls.snapshot.tools.length > 0,
    instructions: findInstructions(workspace, haftHome),
  })
}

/** Aborts the run when somebody asks for it, in whatever process. */
async function followStops(
  { session, storage }: SendParts,
  after: number,
  { stop, over }: { readonly stop: AbortController; readonly over: AbortSignal },
): Promise<void> {
  try {
    for await (const event of storage.log.follow({ session, after, signal: over, unref: true }))
      if (event.type === 'run-stop') stop.abort()
  } catch {
    // A log that cannot be read tells of no stop; the run's own signal still works.
  }
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
