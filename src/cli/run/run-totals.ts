import type { Event } from '../../core/session/event.ts'
import { count } from '../../core/terminal/call-facts.ts'

/** What a run has taken and done so far. */
export interface RunTotals {
  add(event: Event): void
  /** `12.1 s · 3 steps · 1,804 tokens` */
  describe(): string
  /** True where calls were blocked or denied and no other call did anything. */
  isRefused(): boolean
}

/** Counts the steps, calls, tokens, cost and time of a run. Calls of control tools, as `isControl` says, are not counted as work. */
export function createTotals(isControl: (tool: string) => boolean): RunTotals {
  const started = performance.now()
  const names = new Map<string, string>()
  const totals = { steps: 0, calls: 0, tokens: 0, cost: 0, done: 0, refused: 0, isEstimated: false }
  return {
    add(event) {
      if (event.type === 'model-call') {
        const { input = 0, output = 0, cost = 0, estimated } = event.usage
        totals.steps++
        totals.tokens += input + output
        totals.cost += cost
        totals.isEstimated ||= estimated === true
      } else if (event.type === 'call-start') names.set(event.call, event.name)
      else if (event.type === 'call-end' && !isControl(names.get(event.call) ?? '')) {
        const { result } = event
        totals.calls++
        if (result.ok) totals.done++
        else if (result.code === 'BLOCKED' || result.code === 'DENIED') totals.refused++
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
    isRefused: () => totals.refused > 0 && totals.done === 0,
  }
}
