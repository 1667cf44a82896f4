import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Stop } from './stop.ts'

function follow(signal: AbortSignal): Stop {
  const stop = new Stop()
  stop.follow(signal)
  return stop
}

const countListeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

describe('calls that follow one signal', () => {
  it('are cancelled when it aborts, except those that are over', () => {
    const caller = new AbortController()
    const stops = Array.from({ length: 500 }, () => follow(caller.signal))
    const over = stops.filter((_, i) => i % 3 === 0)
    for (const stop of over) stop.end()
    const late = follow(caller.signal)
    caller.abort()
    for (const stop of [...stops, late]) expect(stop.isCancelled).toBe(!over.includes(stop))
  })

  it('share one listener, and the signal has none left once another signal was followed to its end', () => {
    const caller = new AbortController()
    const first = follow(caller.signal)
    const second = follow(caller.signal)
    expect(countListeners(caller.signal)).toBe(1)
    first.end()
    second.end()
    follow(new AbortController().signal).end()
    expect(countListeners(caller.signal)).toBe(0)
  })

  it('can follow a signal again after all before them are over', () => {
    const caller = new AbortController()
    for (let i = 0; i < 200; i++) follow(caller.signal).end()
    const stop = follow(caller.signal)
    expect(countListeners(caller.signal)).toBe(1)
    caller.abort()
    expect(stop.isCancelled).toBe(true)
  })

  it('are cancelled at once by a signal that has aborted', () => {
    expect(follow(AbortSignal.abort()).isCancelled).toBe(true)
  })
})
