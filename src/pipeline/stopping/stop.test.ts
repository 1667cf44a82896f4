import { expect, it } from 'vitest'
import { Stop } from './stop.ts'

it('calls every handler of a cancel request, and not those that were removed', () => {
  const stop = new Stop()
  const called: string[] = []
  const handlers = ['a', 'b', 'c', 'd'].map((name) => ({ cancel: () => void called.push(name) }))
  for (const handler of handlers) stop.onCancel(handler)
  for (const i of [0, 2]) stop.offCancel(handlers[i] ?? { cancel: () => undefined })
  stop.cancel()
  stop.cancel()
  expect(called).toEqual(['b', 'd'])
  expect(stop.signal.aborted).toBe(false)
})

it('aborts its signal when nobody handles the request', () => {
  const stop = new Stop()
  const handler = { cancel: () => undefined }
  stop.onCancel(handler)
  stop.offCancel(handler)
  stop.cancel()
  expect(stop.signal.aborted).toBe(true)
})
