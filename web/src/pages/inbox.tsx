import { ArrowLeft, Bell, BellRing, ChevronDown, ChevronUp, Hand, Inbox } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import type { OpenInput } from '../../../src/core/input/input.ts'
import { useApprovals, useInputs, useSessions } from '../api/queries.ts'
import { ApprovalCard } from '../approval/approval-card.tsx'
import { worstOf } from '../approval/effect-rows.tsx'
import { Page } from '../components/page.tsx'
import { Sentence, Shown } from '../components/shown.tsx'
import { TimeSince } from '../components/time-since.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { shownName } from '../session/call-state.ts'
import { AnsweredToday } from './answered-today.tsx'

/** Everything that waits for the person, of all sessions and processes, and what was answered today. */
export function InboxPage() {
  const approvals = useApprovals()
  const inputs = useInputs()
  const titles = new Map(useSessions().map(({ session, title }) => [session, title]))
  const [search, setSearch] = useSearchParams()
  const chosen = search.get('approval')
  const isDetail = chosen !== null && approvals.some(({ id }) => id === chosen)
  const index = Math.max(
    0,
    approvals.findIndex(({ id }) => id === chosen),
  )
  const current = approvals[index]
  // Opening a card from the list is a step of its own: on a phone the browser's Back leads to the list again.
  const choose = (id: string | undefined) =>
    setSearch(id === undefined ? {} : { approval: id }, { replace: id === undefined || isDetail })
  const move = (step: number) => {
    const next = approvals[Math.min(approvals.length - 1, Math.max(0, index + step))]
    if (next) choose(next.id)
  }
  // Where list and card share one scroller, on a phone, a card begins at its top.
  const split = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls for each card that is opened
  useEffect(() => {
    split.current?.scrollTo(0, 0)
  }, [current?.id, isDetail])
  useKeys(true, {
    j: () => move(1),
    k: () => move(-1),
    escape: isDetail ? () => choose(undefined) : undefined,
  })
  const waiting = approvals.length + inputs.length
  const heading = (
    <>
      <button type="button" className="btn bare ico back" aria-label="Back" onClick={() => choose(undefined)}>
        <ArrowLeft className="i" strokeWidth={1.75} aria-hidden="true" />
      </button>
      <h1>Inbox</h1>
      {waiting > 0 && (
        <span className="tag ask">
          <Hand className="i" strokeWidth={1.75} aria-hidden="true" />
          {waiting} waiting
        </span>
      )}
    </>
  )
  const actions = (
    <>
      {current && approvals.length > 1 && (
        <span className="q nw only-detail">
          {index + 1} of {approvals.length}
        </span>
      )}
      {approvals.length > 1 && (
        <>
          <Step label="Previous" Icon={ChevronUp} isOff={index === 0} onClick={() => move(-1)} />
          <Step label="Next" Icon={ChevronDown} isOff={index === approvals.length - 1} onClick={() => move(1)} />
        </>
      )}
      <NotifyMe />
    </>
  )
  return (
    <Page title="Inbox" className="p-inbox" view={isDetail ? 'detail' : undefined} heading={heading} actions={actions}>
      {waiting === 0 ? (
        <div className="body">
          <Empty />
          <div className="alone">
            <AnsweredToday titles={titles} />
          </div>
        </div>
      ) : (
        <div className="split push" ref={split}>
          <div className="pane">
            <h2 className="gh">Waiting for you</h2>
            <ul aria-label="Waiting calls">
              {approvals.map((approval) => (
                <WaitingRow
                  key={approval.id}
                  approval={approval}
                  from={approval.label ?? titles.get(approval.session) ?? 'A call without a session'}
                  isCurrent={approval.id === current?.id}
                  onChoose={() => choose(approval.id)}
                />
              ))}
              {inputs.map((input) => (
                <QuestionRow key={input.input} input={input} from={titles.get(input.session) ?? 'A session'} />
              ))}
            </ul>
            <AnsweredToday titles={titles} />
          </div>
          <div className="pane" key={current?.id}>
            <div className="det">
              {current && (
                <ApprovalCard
                  approval={current}
                  hasKeys
                  from={
                    <Link href={`/sessions/${current.session}`}>
                      <Shown text={titles.get(current.session) ?? 'Open session'} isLine />
                    </Link>
                  }
                  onAnswered={() => choose(undefined)}
                />
              )}
              {current && (
                <p className="help hide-s">
                  <kbd>J</kbd> <kbd>K</kbd> move · answers from the terminal and other tabs appear here at once
                </p>
              )}
            </div>
          </div>
        </div>
      )}
    </Page>
  )
}

function Empty() {
  return (
    <div className="empty">
      <Inbox className="i" strokeWidth={1.75} aria-hidden="true" />
      <p className="b">Nothing waits for you.</p>
      <p className="q">
        Calls that need a yes appear here, from every session. <Link href="/new">Start a session</Link>, and let it
        change a file.
      </p>
    </div>
  )
}

interface StepProps {
  readonly label: string
  readonly Icon: typeof ChevronUp
  readonly isOff: boolean
  readonly onClick: () => void
}

function Step({ label, Icon, isOff, onClick }: StepProps) {
  return (
    <button
      type="button"
      className="btn bare ico hide-s"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}

interface WaitingRowProps {
  readonly approval: ListedApproval
  readonly from: string
  readonly isCurrent: boolean
  readonly onChoose: () => void
}

function WaitingRow({ approval, from, isCurrent, onChoose }: WaitingRowProps) {
  const { tool, summary, askedAt } = approval
  const { Icon, look } = worstOf(summary?.rows ?? [])
  return (
    <li>
      <button type="button" className="li" aria-current={isCurrent ? 'true' : undefined} onClick={onChoose}>
        <Icon className={`i ${look}`} strokeWidth={1.75} aria-hidden="true" />
        <span className="grow">
          <span className="t">
            <Sentence text={summary?.sentence ?? `Call \`${shownName(tool)}\``} />
          </span>
          <span className="meta">
            <Shown text={from} isLine /> · {shownName(tool)}
          </span>
        </span>
        <span className="meta nw">
          <TimeSince at={askedAt} />
        </span>
      </button>
    </li>
  )
}

function QuestionRow({ input, from }: { readonly input: OpenInput; readonly from: string }) {
  return (
    <li>
      <Link className="li" href={`/sessions/${input.session}`}>
        <Hand className="i ask" strokeWidth={1.75} aria-hidden="true" />
        <span className="grow">
          <span className="t">
            <Shown text={input.question} />
          </span>
          <span className="meta">
            <Shown text={from} isLine /> · a question
          </span>
        </span>
        <span className="meta nw">
          <TimeSince at={input.askedAt} />
        </span>
      </Link>
    </li>
  )
}

/** Asks the browser to show notifications; says so once it does. */
function NotifyMe() {
  const [permission, setPermission] = useState(() =>
    typeof Notification === 'undefined' ? 'denied' : Notification.permission,
  )
  if (permission === 'denied') return null
  if (permission === 'granted')
    return (
      <span className="q nw hide-s flex" title="A notification is shown while no page of Haft is in sight">
        <BellRing className="i" strokeWidth={1.75} aria-hidden="true" /> Notifications on
      </span>
    )
  return (
    <button
      type="button"
      className="btn bare"
      onClick={() => Notification.requestPermission().then(setPermission, () => undefined)}
    >
      <Bell className="i" strokeWidth={1.75} aria-hidden="true" />
      <span>Notify me</span>
    </button>
  )
}
