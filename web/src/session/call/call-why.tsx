import type { ReactNode } from 'react'
import type { CallItem } from '../../../../src/core/session/session-view.ts'
import { asSentence } from '../../components/sentence-case.ts'
import { Shown } from '../../components/shown.tsx'
import { type CallState, isEdited, mainArgument, shownDuration } from '../call-state.ts'

interface Props {
  readonly item: CallItem
  readonly state: CallState
}

/** One sentence when a call is not simply done. */
export function Why({ item, state }: Props): ReactNode {
  if (state === 'denied') return <Denied item={item} />
  if (state === 'blocked')
    return (
      <p className="why">
        <span className="b bad">
          Blocked by rule <code>{item.rule}</code>.
        </span>{' '}
        <Shown text={asSentence(item.reason ?? '')} /> The model was told.
      </p>
    )
  if (state === 'interrupted')
    return (
      <p className="why">
        <span className="b">Outcome unknown.</span> Haft stopped while this ran. It was not repeated.{' '}
        <code className="qq">INTERRUPTED</code>
      </p>
    )
  if (item.result && !item.result.ok)
    return (
      <p className="why">
        <span className={state === 'failed' ? 'b bad' : 'b'}>{headOf(item, state)}</span>{' '}
        <Shown text={item.result.text} /> <code className="qq">{item.result.code}</code>
      </p>
    )
  return isEdited(item) && item.proposed !== undefined ? <Edited item={item} /> : null
}

function headOf({ duration }: CallItem, state: CallState): string {
  if (state === 'cancelled') return 'Cancelled.'
  if (state !== 'timed out') return 'Failed.'
  return duration === undefined ? 'Stopped at its time limit.' : `Stopped after ${shownDuration(duration)}.`
}

function Denied({ item }: { readonly item: CallItem }) {
  const { result } = item
  const answer = item.approvals.at(-1)?.answer
  const isPerson = answer !== undefined && answer.by !== 'nobody' && answer.by !== 'expiry'
  return (
    <p className="why">
      <span className="b">{isPerson ? 'Denied by you.' : 'Denied.'}</span>{' '}
      {answer?.reason ? (
        <>
          “<Shown text={answer.reason} />”{' '}
        </>
      ) : (
        result && !result.ok && !answer && <Shown text={`${asSentence(result.text)} `} />
      )}
      {answer?.by === 'expiry' && 'Nobody answered in time. '}
      The model was told.
    </p>
  )
}

/** What the model sent beside what the person made of it. */
function Edited({ item }: { readonly item: CallItem }) {
  const before = mainArgument({ arguments: item.proposed })
  const after = mainArgument(item)
  const isShort = before !== after
  return (
    <dl className="edit2 in-">
      <dt>Model sent</dt>
      <dd>
        <del>
          <Shown text={isShort ? before : JSON.stringify(item.proposed)} />
        </del>
      </dd>
      <dt>You ran</dt>
      <dd>
        <Shown text={isShort ? after : JSON.stringify(item.arguments)} />
      </dd>
    </dl>
  )
}
