import { expect, onTestFinished, test, vi } from 'vitest'
import { createBurst } from './burst.ts'

/** A burst on a clock that only the test moves. */
function countedBurst() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const listener = vi.fn()
  const burst = createBurst(listener)
  return { burst, count: () => listener.mock.calls.length }
}

test('S0.4 changes that never pause for 25 ms are passed on at least once a second', () => {
  const { burst, count } = countedBurst()
  for (let second = 1; second <= 3; second++) {
    const before = count()
    for (let edit = 0; edit < 100; edit++) {
      burst.add()
      vi.advanceTimersByTime(10)
    }
    expect(count()).toBeGreaterThan(before)
    expect(count() - before).toBeLessThanOrEqual(3)
  }
})

test('changes close to one another are one, soon after the last; after close there is none', () => {
  const { burst, count } = countedBurst()
  for (let edit = 0; edit < 5; edit++) burst.add()
  expect(count()).toBe(0)
  vi.advanceTimersByTime(50)
  expect(count()).toBe(1)
  vi.advanceTimersByTime(5_000)
  expect(count()).toBe(1)
  burst.add()
  burst.close()
  vi.advanceTimersByTime(5_000)
  expect(count()).toBe(1)
})
