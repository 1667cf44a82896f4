// A process that makes random calls in random sessions of two workspaces until it is killed; it prints a line for each call that has ended.
import { writeSync } from 'node:fs'
import fc from 'fast-check'
import { openHome } from '../../src/index.ts'
import { exampleTools } from './example-tools.ts'

const [folder = '', seed = '0', ...workspaces] = process.argv.slice(2)
const home = await openHome({ home: folder, tools: await exampleTools() })
const hosts = await Promise.all(workspaces.map((workspace) => home.host(workspace)))
const [first, second] = hosts
if (!first || !second) throw new Error('expected two workspaces')

/** What one step does: which host, an old session or a new one, and what it calls. */
const step = fc.record({
  host: fc.constantFrom(first, second),
  isNew: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  call: fc.constantFrom('add_numbers', 'write_note', 'fail_always', 'unknown'),
})
const steps = fc.sample(step, { numRuns: 400, seed: Number(seed) })
const sessions = new Map(await Promise.all(hosts.map(async (host) => [host, await host.session()] as const)))

const ARGUMENTS = {
  add_numbers: { a: 1, b: 2 },
  write_note: { path: 'note.txt', text: 'hi' },
  fail_always: {},
  unknown: {},
}

writeSync(1, 'ready\n')
for (const { host, isNew, call } of steps) {
  if (isNew) sessions.set(host, await host.session())
  await sessions.get(host)?.call(call, ARGUMENTS[call], { decision: 'allow' })
  writeSync(1, 'ended\n')
}
await home.close()
