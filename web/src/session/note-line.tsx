import type { NoteItem } from '../../../src/core/session/session-view.ts'
import { Shown } from '../components/shown.tsx'

const ENDS = {
  complete: 'Done',
  reply: 'Replied',
  limit: 'Stopped at the step limit',
  loop: 'Stopped: the model repeated itself',
  cancelled: 'Stopped by you',
  failed: 'The run failed',
} as const

/** A line between messages: a run ended, tools changed, the context was folded. */
export function NoteLine({ item }: { readonly item: NoteItem }) {
  const { event } = item
  if (event.type === 'run-start' || event.type === 'run-stop') return null
  if (event.type === 'run-end') {
    const isBad = event.reason === 'failed' || event.reason === 'limit' || event.reason === 'loop'
    return (
      <div className={`turn${isBad ? ' bad' : ''}`}>
        <span>
          {ENDS[event.reason]}, {event.steps} {event.steps === 1 ? 'step' : 'steps'}
          {event.summary && event.reason !== 'reply' && (
            <>
              {': '}
              <Shown text={event.summary} />
            </>
          )}
        </span>
      </div>
    )
  }
  if (event.type === 'tools-changed') {
    const names = [
      ...event.added.map((name) => `+${name}`),
      ...event.removed.map((name) => `−${name}`),
      ...event.changed,
    ]
    return (
      <div className="turn">
        <span>
          Tools changed: <Shown text={names.join(', ')} isLine />
        </span>
      </div>
    )
  }
  if (event.type === 'context-folded')
    return (
      <div className="turn">
        <span>Older parts of the conversation were folded. The log keeps them.</span>
      </div>
    )
  return <div className="turn">This session was deleted.</div>
}
