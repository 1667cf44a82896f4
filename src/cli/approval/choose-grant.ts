import type { Question } from '../../core/approval/approval.ts'
import type { GrantLimits, GrantWish } from '../../core/approval/grant.ts'
import { askLine } from '../terminal/ask-line.ts'
import { paintError } from '../terminal/front-end.ts'

/** Lets the person choose what to remember with their yes, and how long; undefined when they go back. */
export async function chooseGrant({ grants }: Question, signal: AbortSignal): Promise<GrantWish | undefined> {
  for (const [index, { text }] of grants.entries())
    process.stderr.write(`  ${paintError('bold', String(index + 1))} ${paintError('reset', text)}\n`)
  const which = await askLine({ text: `${paintError('bold', 'Which?')} (Enter goes back) › `, signal })
  const offer = grants[Number(which?.trim() || 0) - 1]
  if (!offer) return undefined
  for (;;) {
    const text = `${paintError('bold', 'How long?')} [a]lways, [s]ession, 30m, 5x (Enter goes back) › `
    const given = await askLine({ text, signal })
    if (given === undefined || given.trim() === '') return undefined
    const limits = readLimits(given.trim())
    if (limits) return { scope: offer.scope.kind, ...limits }
  }
}

/** `a`, `s`, `30m` or `5x`; undefined for anything else. */
export function readLimits(given: string): GrantLimits | undefined {
  if (/^a(lways)?$/i.test(given)) return {}
  if (/^s(ession)?$/i.test(given)) return { session: true }
  const [, number, unit] = /^(\d{1,6})\s*([mx])$/i.exec(given) ?? []
  if (number === undefined || Number(number) === 0) return undefined
  return unit?.toLowerCase() === 'm' ? { minutes: Number(number) } : { times: Number(number) }
}
