import type { OutputStore } from '../../core/ports/output-store.ts'
import { cutLines } from '../../core/ports/outputs.ts'
import type { PathLocks } from '../../core/ports/path-locks.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { EventMask } from '../../core/secrets/mask-event.ts'
import { createMemoryApprovals } from './memory-approvals.ts'
import { createMemoryLeases } from './memory-leases.ts'
import { createMemoryLog } from './memory-log.ts'
import { createMemoryUndo } from './memory-undo.ts'

/** How much a memory storage keeps; the oldest entries are dropped first. */
export interface MemoryOptions {
  /** The number of events. */
  readonly maxEvents?: number
  /** The characters of full outputs. */
  readonly maxOutput?: number
  /** The bytes of replaced content. */
  readonly maxReplaced?: number
  readonly mask?: EventMask
}

/** Creates a storage in memory, which drops its oldest entries when it is full. */
export function createMemoryStorage(options: MemoryOptions = {}): Storage {
  const { maxEvents = 2_000, maxOutput = 64_000_000, maxReplaced = 256_000_000, mask } = options
  const { close, removeSessions, outcomeOf, ...log } = createMemoryLog(maxEvents, mask)
  const { removeSessions: removeRequests, ...approvals } = createMemoryApprovals(log)
  const { remove: removeOutput, ...outputs } = createOutputs(maxOutput)
  const effects = createEffects(maxEvents)
  const leases = createMemoryLeases(log, (sessions) => {
    for (const call of removeSessions(sessions, effects.has)) removeOutput(call)
    removeRequests(sessions)
  })
  return {
    log,
    approvals,
    ledger: { begin: async ({ call }) => effects.add(call) },
    outputs,
    undo: createMemoryUndo(maxReplaced, outcomeOf),
    leases,
    locks: NO_OTHERS,
    close,
  }
}

/** The calls that had an effect; the oldest are dropped, like their events. */
function createEffects(limit: number): { add(call: string): void; has(call: string): boolean } {
  const calls = new Set<string>()
  return {
    add(call) {
      calls.add(call)
      const [oldest] = calls
      if (calls.size > limit && oldest !== undefined) calls.delete(oldest)
    },
    has: (call) => calls.has(call),
  }
}

/** No other process shares a memory storage. */
const NO_OTHERS: PathLocks = {
  tryLock: async () => ({ release: () => undefined }),
  changed: () => Promise.resolve(),
}

function createOutputs(limit: number): OutputStore & { remove(call: string): void } {
  const outputs = new Map<string, string>()
  let kept = 0
  return {
    async keep(call, text) {
      kept += text.length - (outputs.get(call)?.length ?? 0)
      outputs.set(call, text)
      for (const [oldest, { length }] of outputs) {
        if (kept <= limit || oldest === call) break
        outputs.delete(oldest)
        kept -= length
      }
    },
    async read(call, from, to) {
      const text = outputs.get(call)
      return text === undefined ? undefined : cutLines(text, from, to)
    },
    remove(call) {
      kept -= outputs.get(call)?.length ?? 0
      outputs.delete(call)
    },
  }
}
