import { expect } from 'vitest'
import type { OpenQuestion } from '../../src/core/approval-desk.ts'
import type { Host } from '../../src/index.ts'

/** The one question that waits at a host, as soon as it does. */
export async function openQuestion(host: Host): Promise<OpenQuestion> {
  const waiting = () => host.approvals.list().filter(({ answer }) => answer === null)
  await expect.poll(() => waiting().length, { interval: 5 }).toBe(1)
  const [open] = waiting()
  if (!open) throw new Error('nothing waits')
  return open
}
