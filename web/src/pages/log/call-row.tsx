import { memo } from 'react'
import type { CallRecord } from '../../../../src/core/call/call-record.ts'
import { Shown } from '../../components/shown.tsx'
import { StateIcon } from '../../components/state-icon.tsx'
import { shownDuration, shownName } from '../../session/call-state.ts'
import { decisionWords, mainText, shownTime, stateOfRecord } from './call-words.ts'

interface Props {
  readonly record: CallRecord
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

const COLOURS: Readonly<Record<string, string>> = {
  ...{ done: 'ok', failed: 'bad', blocked: 'bad', waiting: 'ask', asking: 'ask', running: 'run' },
}

/** One call of the log in one line, in two on a phone. */
export const CallRow = memo(
  function CallRow({ record, isCurrent, onOpen }: Props) {
    const state = stateOfRecord(record)
    const words = decisionWords(record)
    const main = mainText(record.arguments)
    return (
      <button type="button" className="call-row" aria-current={isCurrent ? 'true' : undefined} onClick={onOpen}>
        <time className="m qq when" dateTime={new Date(record.at).toISOString()}>
          {shownTime(record.at)}
        </time>
        <span className="m b cut name">{shownName(record.tool)}</span>
        <span className="m cut arg" title={main}>
          <Shown text={main} isLine />
        </span>
        <span className="q cut dec" title={words}>
          {words}
        </span>
        <span className={`st ${COLOURS[state] ?? 'off'}`}>
          <StateIcon state={state} />
          {state}
        </span>
        <span className="m qq took">{record.duration === null ? '' : shownDuration(record.duration)}</span>
      </button>
    )
  },
  (before, after) =>
    before.isCurrent === after.isCurrent && JSON.stringify(before.record) === JSON.stringify(after.record),
)
