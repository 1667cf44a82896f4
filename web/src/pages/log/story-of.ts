import type { CommittedEvent, Event } from '../../../../src/core/session/event.ts'

/** One line of a story: an event, and what came before it that changes how it is told. */
export interface StoryPart {
  readonly event: Event
  /** How long after the approval request an answer came, in milliseconds. */
  readonly after?: number
  /** True for the second and later judgements of a call. */
  readonly isAgain?: boolean
  /** The arguments that a person replaced. */
  readonly replaced?: unknown
}

/** Events that say nothing to a person who reads a story. */
const QUIET = new Set(['call-progress', 'task-end'])

/** Turns the events of a call into the lines of its story. Pieces of output are joined, and left out once the result has them. */
export function storyOf(events: readonly CommittedEvent[]): readonly StoryPart[] {
  const isOver = events.some(({ type }) => type === 'call-end')
  const parts: StoryPart[] = []
  let sent: unknown
  let askedAt: number | undefined
  let isJudged = false
  for (const event of events) {
    if (QUIET.has(event.type) || (event.type === 'call-delta' && isOver)) continue
    const last = parts.at(-1)
    if (event.type === 'call-delta' && last?.event.type === 'call-delta') {
      parts[parts.length - 1] = { event: { ...last.event, text: last.event.text + event.text } }
      continue
    }
    if (event.type === 'call-start') sent = event.arguments
    if (event.type === 'approval-request') askedAt = event.at
    parts.push({
      event,
      ...(event.type === 'call-judged' && isJudged && { isAgain: true }),
      ...(event.type === 'approval-answer' && {
        ...(askedAt !== undefined && { after: event.at - askedAt }),
        ...(event.reply.approved && 'modifiedArgs' in event.reply && { replaced: sent }),
      }),
    })
    if (event.type === 'call-judged') isJudged = true
  }
  return parts
}
