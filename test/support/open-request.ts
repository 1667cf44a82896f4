import { expect } from 'vitest'
import type { OpenRequest } from '../../src/core/approval/approval-queue.ts'
import type { Host } from '../../src/index.ts'

/** Resolves to the only open approval request of a host, as soon as there is one. */
export async function openRequest(host: Host): Promise<OpenRequest> {
  const waiting = async () => (await host.approvals.list()).filter(({ answer }) => answer === null)
  await expect.poll(async () => (await waiting()).length, { interval: 5 }).toBe(1)
  const [open] = await waiting()
  if (!open) throw new Error('nothing waits')
  return open
}
