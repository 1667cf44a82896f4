import type { CallRecord } from '../../core/call/call-record.ts'
import type { TaskRecord, TaskReport, Tasks } from '../../core/call/task.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Event, EventBody } from '../../core/session/event.ts'
import type { BackgroundCalls } from './background-calls.ts'

/** The most characters of output in one report. */
const MAX_REPORT = 40_000

interface TaskLogParts {
  readonly log: Log
  /** The tasks of this process; those of others learn of a cancel request through the log. */
  readonly background: Pick<BackgroundCalls, 'cancel' | 'idle'>
  emit(body: EventBody): void
}

/** Reads tasks from the log: those of all processes, running and ended. */
export function createTasks({ log, background, emit }: TaskLogParts): Tasks {
  const find = async (task: string): Promise<CallRecord | undefined> => {
    const [record] = await log.calls({ call: task, limit: 1 })
    return record?.task ? record : undefined
  }
  return {
    async list({ session, limit } = {}) {
      const filter = { isTask: true, ...(session !== undefined && { session }) } as const
      const newest = await log.calls({ ...filter, ...(limit !== undefined && { limit }) })
      const open = await log.calls({ ...filter, isOpen: true, limit: Number.MAX_SAFE_INTEGER })
      const known = new Set(newest.map(({ call }) => call))
      return [...newest, ...open.filter(({ call }) => !known.has(call))].map(taskOf)
    },
    async read(task, from = 0) {
      const record = await find(task)
      return record && report(record, from, await log.read({ call: task }))
    },
    async wait(task, { seconds, signal } = {}) {
      const after = await log.end()
      const record = await find(task)
      if (record?.outcome === null) await waitForEnd(log, { record, after, seconds, signal })
    },
    async cancel(task) {
      const record = await find(task)
      if (!record || record.outcome !== null) return false
      emit({ type: 'task-cancel', session: record.session, call: task })
      background.cancel(task)
      return true
    },
    idle: () => background.idle(),
  }
}

function taskOf({ call, session, tool, arguments: args, task, at, outcome, duration }: CallRecord): TaskRecord {
  const state = outcome === null ? (task ?? 'queued') : 'ended'
  return { task: call, session, tool, arguments: args, state, startedAt: at, outcome, duration }
}

/** Returns the output of a task from an offset on, and its result once there is one. */
function report(record: CallRecord, from: number, events: readonly Event[]): TaskReport {
  let output = ''
  let next = from
  let more = false
  for (const event of events) {
    if (event.type !== 'call-delta') continue
    const end = event.offset + event.text.length
    if (end <= next) continue
    more = output.length >= MAX_REPORT
    if (more) break
    output += event.text.slice(Math.max(0, next - event.offset))
    next = end
  }
  const last = events.findLast((event) => event.type === 'call-end')
  return { ...taskOf(record), output, next, more, result: last?.type === 'call-end' ? last.result : undefined }
}

interface Ending {
  readonly record: CallRecord
  readonly after: number
  readonly seconds: number | undefined
  readonly signal: AbortSignal | undefined
}

/** Resolves when the call has ended, the time is up or the signal aborts. Never rejects. */
async function waitForEnd(log: Log, { record, after, seconds, signal }: Ending): Promise<void> {
  const { session, call } = record
  const late = new AbortController()
  const timer =
    seconds === undefined ? undefined : setTimeout(() => late.abort(), Math.min(seconds * 1000, 2 ** 31 - 1))
  const ending = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  try {
    for await (const event of log.follow({ session, after, signal: ending }))
      if (event.type === 'call-end' && event.call === call) return
  } catch {
    // If the log cannot be read, the end is not seen; the time limit and the signal still end the wait.
  } finally {
    clearTimeout(timer)
  }
}
