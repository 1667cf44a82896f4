import type { CallRecord } from '../../core/call/call-record.ts'
import type { Log } from '../../core/ports/log.ts'
import type { EventBody } from '../../core/session/event.ts'
import type { CallOrder } from '../agent/follow-stops.ts'
import type { CallStarter, ForegroundCall } from './call-starter.ts'

/** What came of a request about a running call. `stuck`: the call cannot be moved to the background, or not now. */
export type OrderOutcome = 'done' | 'unknown' | 'ended' | 'stuck'

/** Requests about calls that run in the foreground, in whatever process of this home an agent made them. */
export interface RunningCallOrders {
  /** Asks for the end of a call; it ends a moment later. `by` names the interface that the request comes through. */
  cancel(call: string, by: string): Promise<OrderOutcome>
  /** Lets a running call go on in the background, so that its caller no longer waits. */
  moveToBackground(call: string, by: string): Promise<OrderOutcome>
}

interface OrderParts {
  readonly log: Pick<Log, 'calls'>
  emit(body: EventBody): void
  /** Returns a call that this process runs in the foreground. */
  find(call: string): ForegroundCall | undefined
}

/** Creates them. Each request is in the log: other processes follow it there, and it says who asked. */
export function orderCalls({ log, emit, find }: OrderParts): RunningCallOrders {
  const open = async (call: string): Promise<CallRecord | OrderOutcome> => {
    const [record] = await log.calls({ call, limit: 1 })
    if (!record) return 'unknown'
    return record.outcome === null ? record : 'ended'
  }
  return {
    async cancel(call, by) {
      const record = await open(call)
      if (typeof record === 'string') return record
      emit({ type: 'call-cancel', session: record.session, call, by })
      find(call)?.cancel()
      return 'done'
    },
    async moveToBackground(call, by) {
      const record = await open(call)
      if (typeof record === 'string') return record
      const here = find(call)
      if (record.task !== null || !record.ran || here?.isMovable === false) return 'stuck'
      emit({ type: 'call-background', session: record.session, call, by })
      here?.moveToBackground()
      return 'done'
    },
  }
}

/** Does what a request of another process asks for, if the call runs here. */
export function followOrder({ type, call }: CallOrder, { find }: Pick<CallStarter, 'find'>): void {
  const here = find(call)
  if (type === 'call-cancel') here?.cancel()
  else here?.moveToBackground()
}
