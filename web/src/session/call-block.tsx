import { ChevronDown, ChevronRight, Layers, Pencil, Wrench } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import type { CallItem } from '../../../src/core/session/session-view.ts'
import { countDiff, DiffView } from '../components/diff-view.tsx'
import { Output } from '../components/output.tsx'
import { Shown } from '../components/shown.tsx'
import { StateIcon } from '../components/state-icon.tsx'
import { TimeSince } from '../components/time-since.tsx'
import { CallLinks } from './call-links.tsx'
import {
  type CallState,
  diffOf,
  isEdited,
  mainArgument,
  opensItself,
  shownDuration,
  shownName,
  stateOf,
} from './call-state.ts'
import { imagesOf } from './images.tsx'
import { Requests } from './requests.tsx'

/** One call: a line of 32 pixels when all went well; opened by itself when a person should look. */
export const CallBlock = memo(function CallBlock({
  item,
  children,
}: {
  readonly item: CallItem
  readonly children?: ReactNode
}) {
  const state = stateOf(item)
  const [choice, setChoice] = useState<boolean>()
  const isOpen = choice ?? opensItself(item, state)
  const isLive = state === 'running'
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div className={`call${isLive ? ' live' : ''}${item.isTask ? ' bg' : ''}`} data-call={item.call} data-state={state}>
      <button type="button" className="hd" aria-expanded={isOpen} onClick={() => setChoice(!isOpen)}>
        <StateIcon state={state} />
        <span className="nm">{shownName(item.name)}</span>
        <span className="arg cut" title={mainArgument(item)}>
          <Shown text={mainArgument(item)} isLine />
        </span>
        <Marks item={item} />
        <span className="end">
          <Facts item={item} state={state} />
          <span className="sr">{state}</span>
          <Chevron className="i s chev" strokeWidth={1.75} aria-hidden="true" />
        </span>
      </button>
      {isOpen && <Body item={item} state={state} />}
      {children}
    </div>
  )
})

function Marks({ item }: { readonly item: CallItem }) {
  return (
    <>
      {item.repairs.length > 0 && (
        <span className="tag line">
          <Wrench className="i" strokeWidth={1.75} aria-hidden="true" /> repaired
        </span>
      )}
      {isEdited(item) && (
        <span className="tag line">
          <Pencil className="i" strokeWidth={1.75} aria-hidden="true" /> edited by you
        </span>
      )}
      {item.isTask && (
        <span className="tag line">
          <Layers className="i" strokeWidth={1.75} aria-hidden="true" /> background
        </span>
      )}
    </>
  )
}

function Facts({ item, state }: { readonly item: CallItem; readonly state: CallState }) {
  if (state === 'running')
    return (
      <span className="run">
        running <TimeSince at={item.at} />
      </span>
    )
  const diff = diffOf(item)
  const count = diff === undefined ? undefined : countDiff(diff)
  const data = item.result?.ok ? item.result.data : undefined
  const exit = typeof data === 'object' && data !== null && 'exitCode' in data ? data.exitCode : undefined
  return (
    <>
      {count && (
        <span>
          <span className="ok b">+{count.added}</span> <span className="bad b">−{count.removed}</span>
        </span>
      )}
      {exit !== undefined && exit !== null && <span className={exit === 0 ? '' : 'bad'}>exit {String(exit)}</span>}
      {item.duration !== undefined && <span className="d">{shownDuration(item.duration)}</span>}
    </>
  )
}

function Body({ item, state }: { readonly item: CallItem; readonly state: CallState }) {
  const diff = diffOf(item)
  const output = outputOf(item, state)
  return (
    <>
      <Why item={item} state={state} />
      {item.repairs.length > 0 && (
        <p className="why t1">
          Haft repaired the call before it ran: <Shown text={item.repairs.join('; ')} />.
        </p>
      )}
      {diff !== undefined && diff !== '' && (
        <div className="in-">
          <DiffView diff={diff} />
        </div>
      )}
      {diff === undefined && output !== '' && <Output text={output} isLive={state === 'running'} />}
      {imagesOf(item)}
      <Requests item={item} />
      <CallLinks item={item} state={state} />
    </>
  )
}

/** What a call printed: its stream while it runs, its result once it has ended. Failures say it in words instead. */
function outputOf(item: CallItem, state: CallState): string {
  if (item.result === undefined) return item.output
  if (item.result.ok) return item.result.text
  const { details } = item.result
  const partial = details && typeof details.output === 'string' ? details.output : item.output
  return state === 'denied' || state === 'blocked' ? '' : partial
}

/** One sentence when a call is not simply done. */
function Why({ item, state }: { readonly item: CallItem; readonly state: CallState }) {
  const { result } = item
  const answer = item.approvals.at(-1)?.answer
  if (state === 'denied')
    return (
      <p className="why">
        <span className="b">Denied{answer && answer.by !== 'nobody' && answer.by !== 'expiry' ? ' by you' : ''}.</span>{' '}
        {answer?.reason ? (
          <>
            “<Shown text={answer.reason} />”{' '}
          </>
        ) : (
          result && !result.ok && !answer && <Shown text={result.text} />
        )}
        {answer?.by === 'expiry' && 'Nobody answered in time. '}
        The model was told.
      </p>
    )
  if (state === 'blocked')
    return (
      <p className="why">
        <span className="b bad">
          Blocked by rule <code>{item.rule}</code>.
        </span>{' '}
        <Shown text={item.reason ?? ''} />. The model was told.
      </p>
    )
  if (state === 'interrupted')
    return (
      <p className="why">
        <span className="b">Outcome unknown.</span> Haft stopped while this ran. It was not repeated.
      </p>
    )
  if (result && !result.ok)
    return (
      <p className="why">
        <span className={state === 'failed' ? 'b bad' : 'b'}>
          {state === 'cancelled' ? 'Cancelled.' : state === 'timed out' ? 'Stopped at its time limit.' : 'Failed.'}
        </span>{' '}
        <Shown text={result.text} /> <code className="qq">{result.code}</code>
      </p>
    )
  if (isEdited(item)) return <p className="why q">You changed the arguments before it ran.</p>
  return null
}
