import { type Contestant, findContestant } from './contestant.ts'
import type { Cost, Message, Order } from './warm-process.ts'

/** A contestant that is ready to be called. */
export interface Caller {
  call(index: number): unknown
  /** How many tool calls one `call` makes; 1 when left out. */
  readonly callsEach?: number
  /** Ends what it has started, where it does not end with its process. */
  end?(): void | Promise<void>
}

/** The child's side of startWarm: starts the contestant named on the command line and carries out orders until killed. */
export async function serveOrders(contestants: readonly Contestant<Caller>[]): Promise<void> {
  try {
    const caller = await findContestant(contestants, process.argv[2]).start()
    process.on('message', (order: Order) => {
      carryOut(order, caller).then(send, fail)
    })
    send({ ready: true })
  } catch (thrown) {
    fail(thrown)
  }
}

/** Makes the calls of an order and returns what they cost this process. */
export async function carryOut({ calls, inFlight }: Order, caller: Caller): Promise<Cost> {
  const { callsEach = 1 } = caller
  const count = Math.ceil(calls / callsEach)
  const lanes = Math.max(1, Math.floor(inFlight / callsEach))
  const before = process.cpuUsage()
  const start = performance.now()
  if (lanes === 1) for (let i = 0; i < count; i++) await caller.call(i)
  else await callInLanes(caller, count, lanes)
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { wall, cpu: (user + system) / 1000, rss: process.memoryUsage.rss() }
}

async function callInLanes(caller: Caller, count: number, lanes: number): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await caller.call(next++)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

function send(message: Message): void {
  process.send?.(message)
}

function fail(thrown: unknown): void {
  send({ error: String((thrown instanceof Error && thrown.stack) || thrown).slice(0, 600) })
}
