import type { Event } from '../../core/session/event.ts'
import type { MessageCall } from '../../core/session/message.ts'
import type { SessionStart } from '../../core/session/session-record.ts'
import type { RegisteredTool, Snapshot } from '../../core/tool/snapshot.ts'
import { explainCalls } from './explain-calls.ts'
import type { WhyFinding } from './finding.ts'

/** What is asked: a tool by any of its names, the tools there are, and the events of a session; no events where there is no session. */
export interface WhyRequest {
  readonly tool: string
  readonly snapshot: Pick<Snapshot, 'find' | 'nearest' | 'only' | 'skipped'>
  readonly events: readonly Event[]
}

/** Says why a tool was not offered, not called, blocked, or its result not used in a session. Always gives at least one finding. */
export function explainTool({ tool, snapshot, events }: WhyRequest): readonly WhyFinding[] {
  const entry = snapshot.find(tool)
  const made = callsIn(events)
  const own = made.filter(({ name }) => name === tool || (entry !== undefined && snapshot.find(name) === entry))
  if (entry === undefined) return [...explainMissing(tool, snapshot), ...explainCalls(own, events)]
  const reasons = [...explainOffer(entry, snapshot, events), ...explainNames(entry, snapshot, made)]
  if (own.length > 0) return [...reasons, ...explainCalls(own, events)]
  return reasons.length > 0 ? reasons : [explainSilence(entry.tool.name, made, events)]
}

/** The calls that models made, those that were never started among them. */
function callsIn(events: readonly Event[]): readonly MessageCall[] {
  return events.flatMap((event) => (event.type === 'message' ? (event.calls ?? []) : []))
}

/** There is no such tool: its file was skipped, or the name is wrong. */
function explainMissing(tool: string, { skipped, nearest }: WhyRequest['snapshot']): WhyFinding[] {
  const found = skipped.filter(({ source, reason }) => mentions(source, tool) || mentions(reason, tool))
  if (found.length > 0)
    return found.map(({ source, line, reason }) => ({
      cause: 'skipped',
      text: `It was not loaded from ${line === undefined ? source : `${source}:${line}`}: ${reason}`,
    }))
  const near = nearest(tool)
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'List the tools with: haft tools'
  const files = skipped.filter(({ isWarning }) => !isWarning)
  const others =
    files.length === 0
      ? ''
      : ` Skipped files may hold it: ${[...new Set(files.map(({ source }) => source))].join(', ')}.`
  return [{ cause: 'unknown', text: `There is no tool ${JSON.stringify(tool)}. ${hint}${others}` }]
}

/** True where a text holds a name, or the file or function of a name such as `file:function`, not merely as a part of a longer one. */
function mentions(text: string, name: string): boolean {
  const words = new Set(text.split(/[^\w-]+/))
  return name.split(':').some((part) => words.has(part))
}

/** Says why the model was not told of a tool. */
function explainOffer(entry: RegisteredTool, snapshot: WhyRequest['snapshot'], events: readonly Event[]): WhyFinding[] {
  const reply = events.findLast((event) => event.type === 'model-call' && event.leftOut !== undefined)
  if (reply?.type === 'model-call' && reply.leftOut?.includes(entry.wireName)) {
    const refusal = events.findLast((event) => event.type === 'model-retry' && mentions(event.reason, entry.wireName))
    const words = refusal?.type === 'model-retry' ? `: ${refusal.reason}` : '.'
    const text = `Requests leave it out, since the model's server refuses its definition${words} Simplify the schema of its parameters; a changed definition is sent again.`
    return [{ cause: 'not-offered', text }]
  }
  const start = events.find((event) => event.type === 'session-start')
  const { name } = entry.tool
  if (start?.type === 'session-start' && !isSelected(entry, snapshot, start)) {
    const chosen = start.tools?.join(', ') || 'none'
    const text = `The session does not have it: the tools that it began with are ${chosen}. Start a new one that names it in --tools.`
    return [{ cause: 'not-selected', text }]
  }
  const change = events.findLast(
    (event) => event.type === 'tools-changed' && [...event.added, ...event.removed].includes(name),
  )
  if (change?.type !== 'tools-changed' || !change.removed.includes(name)) return []
  const text = `Requests no longer named it: its file was changed or removed at ${new Date(change.at).toISOString()}. New sessions have it again.`
  return [{ cause: 'not-offered', text }]
}

function isSelected(
  entry: RegisteredTool,
  snapshot: WhyRequest['snapshot'],
  { tools, mcpServers, only }: Pick<SessionStart, 'tools' | 'mcpServers' | 'only'>,
): boolean {
  if (tools === undefined && mcpServers === undefined) return true
  // A tool of the selection that is gone by now cannot be selected again.
  const there = tools?.filter((name) => snapshot.find(name) !== undefined)
  return snapshot.only(there, mcpServers, only).find(entry.tool.name) !== undefined
}

/** Says which calls were meant for a tool and named nothing. */
function explainNames(
  entry: RegisteredTool,
  snapshot: WhyRequest['snapshot'],
  made: readonly MessageCall[],
): WhyFinding[] {
  const { name } = entry.tool
  return made
    .filter((call) => snapshot.find(call.name) === undefined && snapshot.nearest(call.name).includes(name))
    .map((call) => ({
      cause: 'misnamed',
      call: call.call,
      text: `The model called ${JSON.stringify(call.name)}, which is not a tool; the reply to it suggested ${name}.`,
    }))
}

/** Says why there is no call of a tool that was offered. */
function explainSilence(name: string, made: readonly MessageCall[], events: readonly Event[]): WhyFinding {
  const replies = events.filter((event) => event.type === 'message' && event.role === 'assistant').length
  const end = events.findLast((event) => event.type === 'run-end')
  if (replies === 0) {
    const why = end?.type === 'run-end' && end.summary ? `: ${end.summary}` : '.'
    const text =
      events.length === 0
        ? 'There is no session in which it could have been called.'
        : `No reply of a model came in this session${why}`
    return { cause: 'no-reply', text }
  }
  if (end?.type === 'run-end' && end.reason === 'limit')
    return {
      cause: 'step-limit',
      text: `The run was cut off after ${end.steps} steps, before the model called ${name}. Raise --max-steps, or go on with --continue.`,
    }
  const others = made.length === 0 ? 'no calls at all' : `${made.length} calls of other tools`
  return {
    cause: 'never-called',
    text: `The model was told of ${name} and did not call it: ${replies} replies, ${others}. Name the tool in the prompt, or make its description say when to use it.`,
  }
}
