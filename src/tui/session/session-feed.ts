import { drawSession } from '../../core/session/draw-session.ts'
import type { Event } from '../../core/session/event.ts'
import type { CallItem, SessionItem, SessionView } from '../../core/session/session-view.ts'
import { outputOf } from '../../core/terminal/call-facts.ts'
import type { Look } from '../look.ts'
import { itemRows, NO_SESSION, type ToolFacts, taskStartRows } from './item-rows.ts'

/** How much of the output of a running call is kept, in characters: its end. The log has all of it. */
const KEPT_OUTPUT = 50_000

/** The view of one session without what is finished: that is written to the terminal for good, once all before it is. */
export class SessionFeed {
  #view: SessionView = NO_SESSION
  #lastCall: CallItem | undefined
  #lastThought = ''
  /** Background tasks whose start was written. */
  readonly #announced = new Set<string>()

  get view(): SessionView {
    return this.#view
  }

  /** The last call that has printed something: one that runs, else the last one that has ended. */
  get lastCall(): CallItem | undefined {
    const running = this.#view.items.findLast((item) => item.kind === 'call' && item.output !== '')
    return running?.kind === 'call' ? running : this.#lastCall
  }

  /** What the model thought last, in full. */
  get lastThought(): string {
    const writing = this.#view.items.findLast((item) => item.kind === 'message' && item.reasoning !== '')
    return writing?.kind === 'message' ? writing.reasoning : this.#lastThought
  }

  /** The items that still change, background tasks aside. */
  get live(): readonly SessionItem[] {
    return this.#view.items.filter((item) => !(item.kind === 'call' && this.#announced.has(item.call)))
  }

  /** The background tasks that run. */
  get tasks(): readonly CallItem[] {
    return this.#view.items.filter((item): item is CallItem => item.kind === 'call' && this.#announced.has(item.call))
  }

  add(events: readonly Event[]): void {
    const view = drawSession(events, this.#view)
    this.#view = { ...view, items: view.items.map(shortened) }
  }

  /** Takes out the items that are finished and returns their rows, item by item. */
  settle(look: Look, tools: ToolFacts): string[][] {
    const blocks: string[][] = []
    const left: SessionItem[] = []
    let isBlocked = false
    for (const item of this.#view.items) {
      const isAnnounced = item.kind === 'call' && this.#announced.has(item.call)
      if (isAnnounced ? item.result !== undefined : !isBlocked && isFinished(item)) {
        blocks.push(itemRows(item, look, tools))
        this.#remember(item)
        continue
      }
      left.push(item)
      if (isAnnounced) continue
      if (item.kind === 'call' && item.isTask && !isBlocked && item.state === 'running') {
        this.#announced.add(item.call)
        blocks.push(taskStartRows(item, look, tools))
      } else isBlocked = true
    }
    if (blocks.length > 0) this.#view = { ...this.#view, items: left }
    return blocks.filter((rows) => rows.length > 0)
  }

  /** Keeps what was shown in part, so that it can be seen in full. */
  #remember(item: SessionItem): void {
    if (item.kind === 'message' && item.reasoning !== '') this.#lastThought = item.reasoning
    if (item.kind !== 'call') return
    this.#announced.delete(item.call)
    const { text, problem } = outputOf(item)
    if (`${text}${problem}` !== '') this.#lastCall = item
  }
}

function isFinished(item: SessionItem): boolean {
  if (item.kind === 'message') return !item.isStreaming
  return item.kind === 'note' || item.result !== undefined
}

function shortened(item: SessionItem): SessionItem {
  if (item.kind !== 'call' || item.output.length <= 2 * KEPT_OUTPUT) return item
  // A copy of the end, so that the long text it was cut from can be freed.
  return { ...item, output: Buffer.from(item.output.slice(-KEPT_OUTPUT)).toString() }
}
