import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Approver,
  createHost,
  defineTool,
  type Event,
  fail,
  integer,
  next,
  objectSchema,
  output,
  pipeline,
  type Result,
} from '../../../src/index.ts'
import { temporaryFolder } from '../../support/example-host.ts'

interface CallPlan {
  readonly session: 'one' | 'two' | undefined
  readonly background: boolean
  readonly effect: 'none' | 'write'
  readonly answer: 'yes' | 'no'
  readonly deltas: number
  readonly fails: boolean
  readonly cancels: boolean
}

const anyCall: fc.Arbitrary<CallPlan> = fc.record({
  session: fc.constantFrom('one', 'two', undefined),
  background: fc.boolean(),
  effect: fc.constantFrom('none', 'write'),
  answer: fc.constantFrom('yes', 'no'),
  deltas: fc.nat(4),
  fails: fc.boolean(),
  cancels: fc.boolean(),
})

/** How many plans were made and cleaned up, by the number of the call. */
interface Counts {
  readonly made: Map<number, number>
  readonly cleaned: Map<number, number>
}

const count = (map: Map<number, number>, index: number) => map.set(index, (map.get(index) ?? 0) + 1)

/** A tool whose every pause is ended by the scheduler, in whatever order it likes. */
function makeTool(effect: 'none' | 'write', scheduler: fc.Scheduler, { made, cleaned }: Counts) {
  const plain = pipeline().step(() => next())
  return defineTool({
    name: `walk_${effect}`,
    description: 'Walks.',
    input: objectSchema({ deltas: integer('How many'), fails: integer('1 for yes') }),
    effect,
    steps({ deltas, fails }) {
      const index = deltas >> 4
      count(made, index)
      return (effect === 'write' ? plain.approval() : plain)
        .step(async function* (_, { signal }) {
          for (let said = 0; said < (deltas & 15); said++) {
            yield String(said)
            await scheduler.schedule(Promise.resolve(), `piece ${said}`)
            signal.throwIfAborted()
          }
          return fails === 1 ? fail('EXECUTION_ERROR', 'it failed') : output('done')
        })
        .finally(async () => {
          await scheduler.schedule(Promise.resolve(), 'cleanup')
          count(cleaned, index)
        })
    },
  })
}

function expectOneEnd(events: readonly Event[], call: string): void {
  const own = events.filter((event) => 'call' in event && event.call === call)
  const types = own.map(({ type }) => type)
  expect(types.filter((type) => type === 'call-end')).toHaveLength(1)
  expect(types.slice(types.indexOf('call-end') + 1).filter((type) => type !== 'task-end')).toEqual([])
  const deltas = own.flatMap((event) => (event.type === 'call-delta' ? [event.text] : []))
  expect(deltas).toEqual(deltas.map((_, index) => String(index)))
}

function expectedCodes({ effect, answer, fails, cancels }: CallPlan): string[] {
  const plain = effect === 'write' && answer === 'no' ? 'DENIED' : fails ? 'EXECUTION_ERROR' : 'ok'
  return cancels ? [plain, 'CANCELLED'] : [plain]
}

const codeOf = (result: Result | undefined) => (result?.ok ? 'ok' : result?.code)

async function runAll(plans: readonly CallPlan[], scheduler: fc.Scheduler, workspace: string): Promise<void> {
  const counts: Counts = { made: new Map(), cleaned: new Map() }
  const approver: Approver = {
    ask: async ({ arguments: args }) => {
      await scheduler.schedule(Promise.resolve(), 'a person answers')
      return { approved: plans[Number(args.deltas) >> 4]?.answer === 'yes' }
    },
  }
  const tools = (['none', 'write'] as const).map((effect) => makeTool(effect, scheduler, counts))
  const host = await createHost({ workspace, approver, tools })
  const events: Event[] = []
  host.on((event) => events.push(event))
  const calls = plans.map(async ({ session, background, effect, deltas, fails, cancels }, index) => {
    const cancel = new AbortController()
    await scheduler.schedule(Promise.resolve(), `start ${index}`)
    // The number of the call rides above the number of its deltas, for the person to know which one is asked about.
    const args = { deltas: (index << 4) + deltas, fails: fails ? 1 : 0, background }
    const running = host.call(`walk_${effect}`, args, { ...(session && { session }), signal: cancel.signal })
    const ending = scheduler.schedule(Promise.resolve(), `cancel ${index}`)
    if (cancels) ending.then(() => cancel.abort())
    const first = await running
    const task = first.ok && background ? (first.data as { task_id: string }).task_id : undefined
    if (task === undefined) return first
    if (cancels) ending.then(() => host.tasks.cancel(task))
    await host.tasks.wait(task)
    return (await host.tasks.read(task))?.result
  })
  const results = await scheduler.waitFor(Promise.all(calls))
  await scheduler.waitFor(host.close())
  check({ plans, results, counts, events })
}

interface Outcome {
  readonly plans: readonly CallPlan[]
  readonly results: readonly (Result | undefined)[]
  readonly counts: Counts
  readonly events: readonly Event[]
}

function check({ plans, results, counts, events }: Outcome): void {
  for (const [index, plan] of plans.entries()) expect(expectedCodes(plan)).toContain(codeOf(results[index]))
  expect(counts.cleaned).toEqual(counts.made)
  for (const event of events) if (event.type === 'call-start') expectOneEnd(events, event.call)
}

test('however start, answer, cancel, piece and end interleave, every call ends once, says things in order and nothing after', async () => {
  const workspace = temporaryFolder()
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 6 }), fc.scheduler(), (plans, scheduler) =>
      runAll(plans, scheduler, workspace),
    ),
    { numRuns: 500 },
  )
}, 120_000)
