import { isFailure, type Result, type Success } from '../../core/call/result.ts'
import type { TaskState } from '../../core/call/task.ts'
import type { EventBody } from '../../core/session/event.ts'
import type { Stop } from '../stopping/stop.ts'
import type { BackgroundCalls } from './background-calls.ts'

/** How a call on its way becomes a task. */
export interface Detach {
  /** To be called when it has come to the line: its caller gets the task id and goes on. */
  detach(state: TaskState): void
  /** True where it must wait for its turn. */
  readonly mustWait: boolean
  /** Resolves to how to give the turn back, once it may run. */
  takeTurn(): Promise<() => void>
}

/** A call that shall run in the background. */
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

/** Brings a call to the line and answers with its task id, while it goes on; one that fails before gives that failure. */
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
