import type { Event } from '../../core/session/event.ts'
import { count } from '../../core/terminal/call-facts.ts'

/** What a run has taken and done so far. */
export interface RunTotals {
  add(event: Event): void
  /** `12.1 s · 3 steps · 1,804 tokens` */
  describe(): string
  /** True once a call was blocked or denied. */
  hasRefusal(): boolean
}

/** Counts the steps, calls, tokens, cost and time of a run. Calls of control tools, as `isControl` says, are not counted as work. */
export function createTotals(isControl: (tool: string) => boolean): RunTotals {
  const started = performance.now()
  const names = new Map<string, string>()
  const totals = { steps: 0, calls: 0, tokens: 0, cost: 0, hasRefusal: false, isEstimated: false }
  return {
    add(event) {
      if (event.type === 'model-call') {
        const { input = 0, output = 0, cost = 0, estimated } = event.usage
        totals.steps++
        totals.tokens += input + output
        totals.cost += cost
        totals.isEstimated ||= estimated === true
      } else if (event.type === 'call-start') names.set(event.call, event.name)
      else if (event.type === 'call-end') {
        const { call, result } = event
        if (!isControl(names.get(call) ?? '')) totals.calls++
        totals.hasRefusal ||= !result.ok && (result.code === 'BLOCKED' || result.code === 'DENIED')
      }
    },
    describe() {
      const { steps, calls, tokens, cost, isEstimated } = totals
      return [
        `${((performance.now() - started) / 1_000).toFixed(1)} s`,
        count(steps, 'step', 'steps'),
        ...(calls > 0 ? [count(calls, 'call', 'calls')] : []),
        ...(tokens > 0 ? [`${isEstimated ? 'about ' : ''}${count(tokens, 'token', 'tokens')}`] : []),
        ...(cost > 0 ? [`cost ${cost.toFixed(4)}`] : []),
      ].join(' · ')
    },
    hasRefusal: () => totals.hasRefusal,
  }
}
