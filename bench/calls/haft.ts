import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rule } from '../../src/index.ts'
import { parse } from '../../src/pipeline/parse/parse.ts'
import { validateArguments } from '../../src/pipeline/validate/validate.ts'
import { createRegistry } from '../../src/registry/registry.ts'
import { importHaft } from '../lib/built-haft.ts'
import type { Contestant } from '../lib/contestant.ts'
import { ARGUMENTS, checkEcho, type EchoArguments, echo, echoSchema, textsOf } from '../lib/echo-tool.ts'
import type { Caller } from '../lib/serve-orders.ts'
import { HAFT_CALL, HAFT_LOGGED, HAFT_RUN, HAFT_STAGES, HAFT_STEP, HAFT_STEP_64, STEPS } from './names.ts'

/** Haft: two stages alone, the full call, and a step of the agent's loop. */
export const haft: readonly Contestant<Caller>[] = [
  { name: HAFT_STAGES, start: startStages },
  { name: HAFT_CALL, start: () => startHost([]) },
  { name: HAFT_LOGGED, start: () => startHost([], temporaryHome()) },
  { name: `${HAFT_CALL}, ten rules that match nothing`, start: () => startHost(tenRules()) },
  { name: HAFT_STEP, start: () => startRuns(STEPS, 1) },
  { name: HAFT_RUN, start: () => startRuns(1, 1) },
  { name: HAFT_STEP_64, start: () => startRuns(1, 64) },
]

const NAMES = Array.from({ length: 1000 }, (_, i) => `t${i}`)

/** As many tools as the references have, with one schema between them as theirs. */
async function makeTools() {
  const { defineTool } = await importHaft()
  const input = echoSchema()
  return NAMES.map((name) =>
    defineTool({ name, description: 'Echo', input, effect: 'none', execute: (given) => echo(given as EchoArguments) }),
  )
}

async function startStages(): Promise<Caller> {
  const registry = createRegistry()
  for (const tool of await makeTools()) registry.register(tool)
  const snapshot = registry.snapshot()
  const call = (i: number) => {
    const name = NAMES[i % 1000] ?? ''
    const parsed = parse({ id: 'c_1', session: 's_1', name, arguments: ARGUMENTS }, snapshot)
    if (!('raw' in parsed)) throw new Error('parse did not take the arguments at once')
    return validateArguments(parsed, snapshot)
  }
  const validated = await call(0)
  checkEcho('call' in validated ? validated.call.input : validated)
  return { call }
}

/** A session of its own for each run of so many steps, each a reply with so many calls of one tool, as `ai` is measured. Steps differ in their arguments: the same call with the same result is a loop. */
async function startRuns(steps: number, callsEach: number): Promise<Caller> {
  const { createHost, defineTool } = await importHaft()
  const tool = defineTool({
    ...{ name: 'echo', description: 'Echo', input: echoSchema(), effect: 'none' as const },
    execute: (given) => echo(given as EchoArguments),
  })
  const host = await createHost({ workspace: import.meta.dirname, tools: [tool] })
  const replies = textsOf(steps).map((text) => {
    const calls = Array.from({ length: callsEach }, () => ({ name: 'echo', arguments: text }))
    return { type: 'reply', reply: { text: '', calls, finish: 'calls', usage: {}, repairs: [] } } as const
  })
  const makeModel = () => {
    let step = 0
    return {
      name: 'mock',
      abilities: async () => ({}),
      async *stream() {
        const reply = replies[step++]
        if (reply) yield reply
      },
    }
  }
  return {
    callsEach: steps * callsEach,
    async call() {
      const session = await host.session({ tools: ['echo'] })
      const { reason } = await session.send('go', { model: makeModel(), maxSteps: steps, system: 'Go.' })
      if (reason !== 'limit') throw new Error(`it ended with ${reason}`)
    },
  }
}

/** A folder for the log that goes when the process does. */
function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'haft-bench-home-'))
  process.on('exit', () => rmSync(home, { recursive: true, force: true }))
  process.on('SIGTERM', () => process.exit())
  return home
}

/** JSON text in, one listener; the log in memory, or in the folder given. */
async function startHost(rules: readonly Rule[], home?: string): Promise<Caller> {
  const { createHost } = await importHaft()
  const host = await createHost({
    workspace: import.meta.dirname,
    tools: await makeTools(),
    rules,
    ...(home && { home }),
  })
  let heard = 0
  host.on((event) => {
    heard += event.at > 0 ? 1 : 0
  })
  const text = JSON.stringify(ARGUMENTS)
  const result = await host.call('t0', text)
  checkEcho(result.ok ? result.data : result)
  if (heard === 0) throw new Error('the listener heard nothing')
  return { call: (i) => host.call(NAMES[i % 1000] ?? '', text) }
}

/** The reference pipeline's rules, as Haft takes them. */
function tenRules(): readonly Rule[] {
  return Array.from({ length: 10 }, (_, i) => ({
    name: `rule ${i}`,
    decision: 'deny',
    arguments: { text: `rm -rf ${i}|mkfs\\.${i}` },
  }))
}
