import { expect, test } from 'vitest'
import { maskCommandLine } from './mask-command-line.ts'

test.for([
  ['psql --password hunter2 -h db', 'psql --password *** -h db'],
  ['app --api-key=abc123 --port=80', 'app --api-key=*** --port=80'],
  ['env DB_PASSWORD=hunter2 node x.js', 'env DB_PASSWORD=*** node x.js'],
  ['curl -H Authorization: Bearer abc.def https://x.test', 'curl -H Authorization: *** https://x.test'],
  ['psql postgres://ada:hunter2@db/app', 'psql postgres://ada:***@db/app'],
  ['run sk-abcdefghijklmnop1234 x', 'run *** x'],
  ['git commit --author=Ada --message tokens', 'git commit --author=Ada --message tokens'],
  ['node --max-old-space-size=4096 a.js', 'node --max-old-space-size=4096 a.js'],
] as const)('%s', ([command, masked]) => {
  expect(maskCommandLine(command)).toBe(masked)
})
