import { ChevronDown, ChevronRight, Layers, Pencil, Wrench } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import type { CallItem } from '../../../../src/core/session/session-view.ts'
import { printedOf } from '../../../../src/core/terminal/call-facts.ts'
import { printableLine } from '../../../../src/core/text/printable.ts'
import { countDiff, DiffView } from '../../components/diff-view.tsx'
import { Output } from '../../components/output.tsx'
import { Shown } from '../../components/shown.tsx'
import { StateIcon } from '../../components/state-icon.tsx'
import { TimeSince } from '../../components/time-since.tsx'
import {
  type CallState,
  diffOf,
  factOf,
  isEdited,
  mainArgument,
  opensItself,
  shownDuration,
  shownName,
  stateOf,
} from '../call-state.ts'
import { CallLinks } from './call-links.tsx'
import { Why } from './call-why.tsx'
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
        <MainArgument text={mainArgument(item)} />
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

/** The main argument in one line. A path is cut in its middle, so that its name stays readable. */
function MainArgument({ text }: { readonly text: string }) {
  const isPath = text.length > 24 && /^[^\s:]+\/[^\s/]+$/.test(text)
  const cut = isPath ? text.lastIndexOf('/') : text.length
  return (
    <span className="arg" title={printableLine(text)}>
      <span className="cut">
        <Shown text={text.slice(0, cut)} isLine />
      </span>
      {isPath && (
        <span className="nw">
          <Shown text={text.slice(cut)} isLine />
        </span>
      )}
    </span>
  )
}

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
  if (state === 'asking') return <span className="ask">asks you</span>
  if (state === 'queued') return <span>queued</span>
  const diff = diffOf(item)
  const count = diff === undefined ? undefined : countDiff(diff)
  const fact = factOf(item)
  return (
    <>
      {count && (
        <span>
          <span className="ok b">+{count.added}</span> <span className="bad b">−{count.removed}</span>
        </span>
      )}
      {fact !== undefined && <span className={fact.isBad ? 'bad' : ''}>{fact.text}</span>}
      {item.duration !== undefined && <span className="d">{shownDuration(item.duration)}</span>}
    </>
  )
}

function Body({ item, state }: { readonly item: CallItem; readonly state: CallState }) {
  const diff = diffOf(item)
  const output = outputOf(item, state)
  return (
    <div className="bd">
      <Why item={item} state={state} />
      {item.repairs.length > 0 && (
        <p className="why t1">
          Haft repaired the call before it ran: <Shown text={item.repairs.join('; ')} />.
        </p>
      )}
      {item.problems.map((problem) => (
        <p key={problem} className="why t1">
          <Shown text={problem} />
        </p>
      ))}
      {diff !== undefined && diff !== '' && (
        <div className="in-">
          <DiffView diff={diff} />
        </div>
      )}
      {diff === undefined && output !== '' && <Output text={output} isLive={state === 'running'} />}
      {imagesOf(item)}
      <Requests item={item} />
      <CallLinks item={item} state={state} />
    </div>
  )
}

/** What a call printed: its stream while it runs; once it has ended, what of that its result does not hold, and the result. Failures say it in words instead. */
function outputOf(item: CallItem, state: CallState): string {
  if (item.result === undefined) return item.output
  if (item.result.ok) return printedOf(item) + item.result.text
  const { details } = item.result
  const partial = details && typeof details.output === 'string' ? details.output : item.output
  return state === 'denied' || state === 'blocked' ? '' : partial
}
