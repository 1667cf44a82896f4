import { RefreshCw } from 'lucide-react'
import { Link } from 'wouter'
import type { NoteItem } from '../../../src/core/session/session-view.ts'
import { Shown } from '../components/shown.tsx'
import { GoOn } from './go-on.tsx'

const ENDS = {
  complete: 'Done',
  reply: 'Replied',
  limit: 'Stopped at the step limit',
  loop: 'Stopped: the model repeated itself',
  cancelled: 'Stopped by you',
  failed: 'The run failed',
} as const

interface Props {
  readonly item: NoteItem
  /** The session, for the last end of a run. */
  readonly session?: string | undefined
  /** Asks the model again; only for the last end of a run. */
  readonly onRegenerate?: (() => void) | undefined
}

/** A line between messages: a run ended, a model is asked again, tools changed, the context was folded. */
export function NoteLine({ item, session, onRegenerate }: Props) {
  const { event } = item
  if (event.type === 'run-start' || event.type === 'run-stop') return null
  if (event.type === 'run-end') return <RunEnd event={event} session={session} onRegenerate={onRegenerate} />
  return (
    <div className="turn">
      <span>{wordsOf(event)}</span>
    </div>
  )
}

type OtherEvent = Exclude<NoteItem['event'], { type: 'run-start' | 'run-stop' | 'run-end' }>

function wordsOf(event: OtherEvent) {
  if (event.type === 'tools-changed') {
    const { added, removed, changed } = event
    const names = [...added.map((name) => `+${name}`), ...removed.map((name) => `−${name}`), ...changed]
    return (
      <>
        Tools changed: <Shown text={names.join(', ')} isLine />
      </>
    )
  }
  if (event.type === 'model-retry')
    return (
      <>
        <Shown text={event.reason} isLine /> The model is asked again{' '}
        {event.seconds === 0 ? 'at once' : `in ${event.seconds} s`}.
      </>
    )
  if (event.type === 'context-folded')
    return 'Older parts of the conversation were shortened for the model. The log keeps them.'
  if (event.type === 'plan-report')
    return (
      <>
        Plan <Link href={`/plans/${event.plan}`}>{event.plan}</Link> {event.state}: <Shown text={event.text} isLine />
      </>
    )
  return 'This session was deleted.'
}

interface RunEndProps {
  readonly event: Extract<NoteItem['event'], { type: 'run-end' }>
  readonly session: Props['session']
  readonly onRegenerate: Props['onRegenerate']
}

function RunEnd({ event, session, onRegenerate }: RunEndProps) {
  const { reason, steps, summary } = event
  const isBad = reason === 'failed' || reason === 'limit' || reason === 'loop'
  return (
    <div className={`turn${isBad ? ' bad' : ''}`}>
      <span>
        {ENDS[reason]}, {steps} {steps === 1 ? 'step' : 'steps'}
        {summary && reason !== 'reply' && (
          <>
            {': '}
            <Shown text={summary.replaceAll('`', '')} />
          </>
        )}
      </span>
      {session && reason === 'limit' && <GoOn session={session} />}
      {onRegenerate && (
        <button type="button" className="linkish again" onClick={onRegenerate}>
          <RefreshCw className="i s" strokeWidth={1.75} aria-hidden="true" />
          {isBad ? 'Try again' : 'Regenerate'}
        </button>
      )}
    </div>
  )
}
