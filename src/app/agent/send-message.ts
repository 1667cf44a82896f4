import { makeSystemPrompt } from '../../agent/prompt/system-prompt.ts'
import { type RunEnd, runSession } from '../../agent/run/run-session.ts'
import { makeTitle } from '../../agent/session-title.ts'
import type { Calls } from '../../core/ports/calls.ts'
import type { Model, ToolDefinition } from '../../core/ports/model.ts'
import type { Event } from '../../core/session/event.ts'
import { canGoOn, isCutOff } from '../../core/session/is-cut-off.ts'
import type { Mode } from '../../core/session/mode.ts'
import type { SessionChange, SessionRecord } from '../../core/session/session-record.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import type { AgentParts } from './agent-parts.ts'
import { findInstructions } from './find-instructions.ts'
import { followRun } from './follow-run.ts'
import { leavePlanMode } from './leave-plan-mode.ts'
import type { ResumeOptions, SendOptions } from './send-options.ts'

/** What sending needs of the session and its host. */
export interface SendParts {
  readonly session: string
  readonly workspace: string
  /** What the session began with; the log says what was changed since. */
  readonly mode: Mode
  /** The model that the session began with. */
  readonly model: string | undefined
  readonly calls: Calls
  readonly agent: AgentParts
}

/** How old what is known of the secrets of files may be when a message is sent, in milliseconds. */
const RECENT = 100

/** A message that is in the log, and the run that answers it. */
export interface SentMessage {
  readonly event: Event
  /** Resolves when the run has ended. Rejects only where the log cannot be read. */
  readonly end: Promise<RunEnd>
}

/** Sends a message to a session. The process that gets its lease runs the loop; elsewhere the run that another process makes is followed to its end. Rejects with ModelError where there is no such model, and with UNAVAILABLE where the log cannot be written. */
export async function postMessage(text: string, options: SendOptions, parts: SendParts): Promise<SentMessage> {
  const { session, agent } = parts
  const { storage, bus, masker } = agent
  const [record] = await storage.log.sessions({ session, limit: 1 })
  const model = await agent.openModel(options, record?.model ?? parts.model)
  const { attachments } = options
  // The message may repeat a secret that was written to a file just now.
  masker.refresh(RECENT)
  agent.stops.begin()
  const message = { role: 'user', content: text, ...(attachments && { attachments }) } as const
  const { event, cursor: after, isHolder } = await storage.leases.claim(session, message)
  bus.notify(event)
  if (!isHolder) return { event, end: followRun({ session, after, ...storage }, options.signal) }
  const title = makeTitle(text)
  if (!record?.title && title !== '') bus.emit({ type: 'session-changed', session, title })
  return { event, end: runHere({ after, model, record }, options, parts) }
}

/** Goes on with the run of a session whose process has died, with `afterLimit` also with one that reached its limit of steps; undefined where there is none, or where it still waits for an answer. Rejects as `postMessage` does. */
export async function resumeRun(
  { afterLimit = false, ...options }: ResumeOptions,
  parts: SendParts,
): Promise<RunEnd | undefined> {
  const { session, agent } = parts
  const { log, leases } = agent.storage
  const [record] = await log.sessions({ session, limit: 1 })
  const events = await log.read({ session })
  const isLeft = afterLimit ? canGoOn(events) : isCutOff(events)
  const model = isLeft ? await agent.openModel(options, record?.model ?? parts.model) : undefined
  agent.stops.begin()
  const after = await log.end()
  if (!(await leases.takeOver(session, isLeft && !isCutOff(events)))) return undefined
  if (model) return runHere({ after, model, record }, options, parts)
  await leases.end(session, Number.MAX_SAFE_INTEGER)
  return undefined
}

interface Claim {
  /** The cursor of the message. */
  readonly after: number
  readonly model: Model
  readonly record: SessionRecord | undefined
}

/** Runs the loop in this process. Changes of model and mode, from whatever process, count from the next step on. */
async function runHere({ after, model, record }: Claim, options: SendOptions, parts: SendParts): Promise<RunEnd> {
  const { session, agent } = parts
  const { storage, bus, running } = agent
  const stop = new AbortController()
  const systemFor = (mode: Mode) => options.system ?? systemPromptOf({ ...parts, mode })
  const firstMode = record?.mode ?? parts.mode
  const now = { model, mode: firstMode, system: systemFor(firstMode) }
  const setMode = (mode: Mode): void => {
    if (mode === now.mode) return
    now.mode = mode
    now.system = systemFor(mode)
  }
  const change = async ({ model: name, mode }: SessionChange): Promise<void> => {
    if (mode !== undefined) setMode(mode)
    if (name === undefined) return
    // A model that cannot be opened here leaves the run with the one it has.
    now.model = await agent.openModel({ model: name }).catch(() => now.model)
    running.set(session, { model: now.model, stop, after })
  }
  const calls = leavePlanMode(parts.calls, {
    ...{ session, log: storage.log, mode: () => now.mode },
    leave() {
      bus.emit({ type: 'session-changed', session, mode: 'ask' })
      setMode('ask')
    },
  })
  running.set(session, { model, stop, after })
  try {
    return await runSession({
      session,
      calls,
      after,
      masker: agent.masker,
      emit: bus.emit,
      log: storage.log,
      leases: storage.leases,
      outputs: storage.outputs,
      signal: options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal,
      maxSteps: options.maxSteps ?? agent.maxSteps(),
      definitions: () => definitionsOf(calls.snapshot()),
      change,
      stop: () => stop.abort(),
      now,
    })
  } finally {
    running.delete(session)
  }
}

/** Stops the run of a session, in whatever process it runs; one of this process at once. */
export function stopRun(session: string, { bus, running }: AgentParts, by: string): void {
  bus.emit({ type: 'run-stop', session, by })
  running.get(session)?.stop.abort()
}

/** The system prompt of a session as it is now. */
export function systemPromptOf({ workspace, mode, calls, agent }: SendParts): string {
  return makeSystemPrompt({
    workspace,
    mode,
    platform: process.platform === 'darwin' ? 'macOS' : process.platform === 'linux' ? 'Linux' : process.platform,
    hasTools: calls.snapshot().tools.length > 0,
    instructions: findInstructions(workspace, agent.haftHome),
  })
}

const definitions = new WeakMap<Snapshot, readonly ToolDefinition[]>()

/** The definitions of a snapshot's tools, as models get them. */
export function definitionsOf(snapshot: Snapshot): readonly ToolDefinition[] {
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
