import { type LineProcess, startLines } from '../lines.ts'
import type { TestHome } from './open-test-home.ts'

/** Another process on the same home. */
export interface AgentWorker {
  /** Sends an order and returns the value of the next line. */
  order(...order: readonly string[]): Promise<unknown>
  /** Sends an order without waiting for its answer. */
  send(...order: readonly string[]): void
  next(): Promise<unknown>
  readonly process: LineProcess
}

/** Starts a process that works on the home of a test. */
export async function startAgentWorker({ folder, workspace }: TestHome): Promise<AgentWorker> {
  const process = startLines('agents/agent-worker.ts', [folder, workspace])
  const next = async (): Promise<unknown> => JSON.parse((await process.next()) ?? 'null')
  if ((await next()) !== 'ready') throw new Error('the worker did not start')
  const send = (...order: readonly string[]) => process.send(JSON.stringify(order))
  return {
    process,
    next,
    send,
    order(...order) {
      send(...order)
      return next()
    },
  }
}
