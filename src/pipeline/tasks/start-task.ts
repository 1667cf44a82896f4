import { isFailure, type Result, type Success } from '../../core/call/result.ts'
import type { TaskState } from '../../core/call/task.ts'
import type { EventBody } from '../../core/session/event.ts'
import type { Stop } from '../stopping/stop.ts'
import type { BackgroundCalls } from './background-calls.ts'

/** Turns a call into a background task. */
export interface Detach {
  /** To be called when the stages before approval are done: the caller gets the task id and no longer waits. */
  detach(state: TaskState): void
  /** True if it must wait for its turn. */
  readonly mustWait: boolean
  /** Resolves when the task may run, to a function that releases its turn. */
  takeTurn(): Promise<() => void>
}

/** A call to run in the background. */
export interface TaskCall {
  readonly id: string
  readonly session: string
  readonly tool: string
  readonly stop: Stop
}

interface TaskParts {
  readonly background: BackgroundCalls
  emit(body: EventBody): void
}

/** Runs a call in the foreground that can be moved to the background while its tool runs: `move` does that. Resolves to its result, or to its task id once it was moved. */
export function runMovable(
  { id, session, tool, stop }: TaskCall,
  { background, emit }: TaskParts,
  bringToEnd: (move: () => void) => Promise<Result>,
): Promise<Result> {
  return startTask({ id, session, tool, stop }, { background, emit }, ({ detach }) =>
    bringToEnd(() => {
      detach('running')
      // Its caller has gone on: neither the caller's signal nor the end of foreground calls stops it now.
      stop.end()
    }),
  )
}

/** Runs a call in the background. Resolves to its task id once the stages before approval are done, or to the failure of one of them. */
export function startTask(
  { id, session, tool, stop }: TaskCall,
  { background, emit }: TaskParts,
  bringToEnd: (task: Detach) => Promise<Result>,
): Promise<Result> {
  const started = Promise.withResolvers<Result>()
  const ended = Promise.withResolvers<void>()
  let isDetached = false
  const whole = bringToEnd({
    detach(state) {
      isDetached = true
      emit({ type: 'task-start', session, call: id })
      background.enter(id, stop, ended.promise)
      started.resolve(startedTask(tool, id, state))
    },
    get mustWait() {
      return background.isFull
    },
    takeTurn: () => background.takeTurn(stop),
  })
  whole.then((result) => {
    if (isDetached) emit({ type: 'task-end', session, call: id, outcome: isFailure(result) ? result.code : 'ok' })
    ended.resolve()
  })
  return Promise.race([started.promise, whole])
}

function startedTask(tool: string, task: string, state: TaskState): Success {
  const how = state === 'waiting' ? 'waits for a person to approve it; then it runs' : 'runs'
  const text = `${tool} ${how} in the background as task ${task}. Read it with get_background_task {"task_id":"${task}"}; "wait" waits for its end.`
  return { ok: true, text, data: { task_id: task, state } }
}
