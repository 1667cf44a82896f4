import type { CallRecord } from '../core/call-record.ts'
import type { Event, EventBody } from '../core/event.ts'
import type { Store } from '../core/store.ts'
import type { TaskRecord, TaskReport, Tasks } from '../core/task.ts'
import type { BackgroundCalls } from './background-calls.ts'

/** The most characters of output in one report. */
const MAX_REPORT = 40_000

/** How often the log is asked about tasks of other processes, in milliseconds. */
const LOOK = 250

interface TaskLogParts {
  readonly store: Store
  readonly background: BackgroundCalls
  emit(body: EventBody): void
}

/** The tasks as the log knows them: of this process and of others, those under way and those that have ended. */
export function createTasks({ store, background, emit }: TaskLogParts): Tasks {
  const find = (task: string): CallRecord | undefined => {
    const [record] = store.calls({ call: task, limit: 1 })
    return record?.task ? record : undefined
  }
  const isUnderWay = (task: string) => find(task)?.outcome === null
  return {
    list: ({ session, limit } = {}) =>
      store
        .calls({ isTask: true, ...(session !== undefined && { session }), ...(limit !== undefined && { limit }) })
        .map(taskOf),
    read(task, from) {
      const record = find(task)
      const after = from ?? record?.seq ?? 0
      return record && report(record, { after, events: store.events({ callSeq: record.seq, after }) })
    },
    async wait(task, { seconds = Number.POSITIVE_INFINITY, signal } = {}) {
      const end = performance.now() + seconds * 1000
      while (isUnderWay(task) && !signal?.aborted && performance.now() < end)
        await pause({ call: task, background, time: end - performance.now(), signal })
    },
    cancel(task) {
      const record = find(task)
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

function report(record: CallRecord, { after, events }: { after: number; events: readonly Event[] }): TaskReport {
  let output = ''
  let next = after
  let more = false
  for (const event of events) {
    more = output.length >= MAX_REPORT && event.type === 'call-delta'
    if (more) break
    if (event.type === 'call-delta') output += event.text
    next = event.seq
  }
  const end = events.at(-1)
  return { ...taskOf(record), output, next, more, result: end?.type === 'call-end' ? end.result : undefined }
}

interface Pause {
  readonly call: string
  readonly background: BackgroundCalls
  readonly time: number
  readonly signal: AbortSignal | undefined
}

/** Until the task ends where it runs here, else until it is worth another look. */
function pause({ call, background, time, signal }: Pause): Promise<void> {
  return new Promise((resolve) => {
    const isHere = background.has(call)
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.max(1, Math.min(time, isHere ? 2 ** 30 : LOOK)))
    signal?.addEventListener('abort', wake, { once: true })
    if (isHere) background.ended(call).then(wake)
  })
}
