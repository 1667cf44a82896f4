import type { Decision } from '../rules/rule.ts'
import type { Event } from '../session/event.ts'
import { isRecord } from '../text/json.ts'
import type { Outcome } from './codes.ts'
import type { TaskState } from './task.ts'

/** A call in one line of the log; what is not known yet is null. */
export interface CallRecord {
  /** The cursor of its `call-start`; undefined until that is committed. */
  readonly cursor: number | undefined
  readonly session: string
  /** The workspace and the parent of its session; null where that is not known. */
  readonly workspace: string | null
  readonly parent: string | null
  readonly call: string
  readonly tool: string
  /** The arguments as JSON text, masked and cut to `SHORT_LENGTH`. If the schema or a person changed them, these are the changed ones. */
  readonly arguments: string
  readonly at: number
  readonly decision: Decision | null
  readonly rule: string | null
  /** Who allowed it, from its `call-run` event; null if nobody has, and in logs of older versions. */
  readonly clearedBy: string | null
  /** True once it has passed the commit point: something may have happened. */
  readonly ran: boolean
  readonly outcome: Outcome | null
  /** Milliseconds from start to end. */
  readonly duration: number | null
  /** Its state as a background task; null for a call in the foreground. */
  readonly task: TaskState | null
}

/** The most characters of the arguments that a record holds. The event holds all of them. */
export const SHORT_LENGTH = 300

/** A record that can still change; for implementations of the log. */
export type OpenRecord = { -readonly [Member in keyof CallRecord]: CallRecord[Member] }

/** Updates the record of a call from one of its events. */
export function applyEvent(record: OpenRecord, event: Event): void {
  if (event.type === 'call-judged') {
    record.decision = event.decision
    record.rule = event.rule
    if ('arguments' in event) record.arguments = shortArguments(event.arguments)
  } else if (event.type === 'call-run') {
    record.ran = true
    record.clearedBy = event.clearedBy
    moveTask(record, 'running')
    if ('arguments' in event) record.arguments = shortArguments(event.arguments)
  } else if (event.type === 'call-end') {
    record.outcome = event.result.ok ? 'ok' : event.result.code
    record.duration = event.duration
    moveTask(record, 'ended')
  } else if (event.type === 'task-start') {
    // A call that a person moves to the background runs already.
    record.task = record.ran ? 'running' : 'queued'
  } else if (event.type === 'approval-request') {
    moveTask(record, 'waiting')
  } else if (event.type === 'approval-answer') {
    moveTask(record, 'queued')
  }
}

function moveTask(record: OpenRecord, state: TaskState): void {
  if (record.task !== null) record.task = state
}

/** The record of a call that has just begun. */
export function startedCall(event: Extract<Event, { type: 'call-start' }>): OpenRecord {
  return {
    cursor: undefined,
    session: event.session,
    workspace: null,
    parent: null,
    call: event.call,
    tool: event.name,
    arguments: shortArguments(event.arguments),
    at: event.at,
    decision: null,
    rule: null,
    clearedBy: null,
    ran: false,
    outcome: null,
    duration: null,
    task: null,
  }
}

/** Returns the arguments as JSON text of at most `SHORT_LENGTH` characters. Long strings inside are cut first, so that all keys are visible. */
export function shortArguments(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonText(value)
  if (text.length <= SHORT_LENGTH) return text
  const shorter = isRecord(value) ? jsonText(Object.fromEntries(Object.entries(value).map(cutEntry))) : text
  return shorter.length <= SHORT_LENGTH ? shorter : `${shorter.slice(0, SHORT_LENGTH - 1)}…`
}

function cutEntry([key, value]: [string, unknown]): [string, unknown] {
  return [key, typeof value === 'string' && value.length > 60 ? `${value.slice(0, 59)}…` : value]
}

/** Returns any value as JSON text, or a placeholder for a value that JSON cannot represent. Never throws. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '"(a value that JSON cannot represent)"'
  }
}
