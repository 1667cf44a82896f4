import type { TaskRecord } from '../../../../src/core/call/task.ts'
import type { CallState } from '../../session/call-state.ts'
import { stateOfRecord } from '../log/call-words.ts'

/** The state of a task in one word. */
export function stateOfTask({ state, outcome }: Pick<TaskRecord, 'state' | 'outcome'>): CallState {
  if (state !== 'ended') return state
  return stateOfRecord({ outcome: outcome ?? 'INTERRUPTED' } as Parameters<typeof stateOfRecord>[0])
}
