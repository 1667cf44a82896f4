import type { Event } from './event.ts'

/** What had to be read or repaired in the replies and calls of one model. */
export interface ModelRepairs {
  /** As settings name it. */
  readonly model: string
  readonly replies: number
  /** Replies that were irregular, or in which calls were printed as text. */
  readonly repairedReplies: number
  readonly calls: number
  /** Calls whose arguments were malformed. */
  readonly repairedCalls: number
  /** Each kind of reading and repair, the most frequent first. */
  readonly repairs: readonly { readonly repair: string; readonly count: number }[]
}

/** Counts of one model while they grow. */
interface Counting {
  readonly model: string
  replies: number
  repairedReplies: number
  calls: number
  repairedCalls: number
  readonly kinds: Map<string, number>
}

/** Counts what was read and repaired per model, over the events of any number of sessions. Only what happens within a run counts: other calls of a session are not the model's. */
export function countRepairs(events: Iterable<Event>): readonly ModelRepairs[] {
  const models = new Map<string, Counting>()
  /** The model at work in each session. */
  const running = new Map<string, Counting>()
  for (const event of events) {
    if (event.type === 'run-start') running.set(event.session, countingOf(models, event.model))
    const counting = running.get(event.session)
    if (counting) addEvent(counting, event)
    if (event.type === 'run-end') running.delete(event.session)
  }
  return [...models.values()].map(({ kinds, ...counts }) => {
    const repairs = [...kinds].map(([repair, count]) => ({ repair, count })).sort((a, b) => b.count - a.count)
    return { ...counts, repairs }
  })
}

function countingOf(models: Map<string, Counting>, model: string): Counting {
  const zero = { replies: 0, repairedReplies: 0, calls: 0, repairedCalls: 0 }
  const counting = models.get(model) ?? { model, ...zero, kinds: new Map() }
  models.set(model, counting)
  return counting
}

function addEvent(counting: Counting, event: Event): void {
  if (event.type === 'call-start') counting.calls++
  else if (event.type === 'call-repaired') {
    counting.repairedCalls++
    addKinds(counting, event.repairs)
  } else if (event.type === 'model-call') {
    counting.replies++
    const { repairs = [] } = event
    if (repairs.length > 0) counting.repairedReplies++
    addKinds(counting, repairs)
  }
}

function addKinds({ kinds }: Counting, repairs: readonly string[]): void {
  for (const kind of new Set(repairs.map(kindOf))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
}

/** A repair without what differs from one time to the next: how many calls it was, and what follows a colon or is quoted. */
function kindOf(repair: string): string {
  const [kind = ''] = repair.replace(/^Read (?:a call|\d+ calls)\b/, 'Read calls').split(/[:"“`]/, 1)
  const plain = kind.trim().replace(/\.$/, '')
  return plain === '' ? repair : plain
}
