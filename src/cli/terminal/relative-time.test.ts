import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = Date.parse('2026-03-10T12:00:00Z')

test.for([
  ['2026-03-10T12:00:01Z', 'just now'],
  ['2026-03-10T11:59:20Z', '40 s ago'],
  ['2026-03-10T11:48:00Z', '12 min ago'],
  ['2026-03-10T09:10:00Z', '2 h ago'],
  ['2026-03-09T09:10:00Z', '1 day ago'],
  ['2026-03-01T09:10:00Z', '9 days ago'],
  ['2025-03-01T09:10:00Z', '2025-03-01'],
  ['2026-03-10T13:30:00Z', 'in 1 h'],
  ['yesterday', 'yesterday'],
] as const)('%s is %s', ([iso, words]) => {
  expect(relativeTime(iso, now)).toBe(words)
})
