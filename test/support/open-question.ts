import { expect } from 'vitest'
import type { OpenQuestion } from '../../src/core/approval/approval-queue.ts'
import type { Host } from '../../src/index.ts'

/** Resolves to the one pending approval request of a host. */
export async function openQuestion(host: Host): Promise<OpenQuestion> {
  const waiting = async () => (await host.approvals.list()).filter(({ answer }) => answer === null)
  await expect.poll(async () => (await waiting()).length, { interval: 5 }).toBe(1)
  const [open] = await waiting()
  if (!open) throw new Error('nothing waits')
  return open
}
