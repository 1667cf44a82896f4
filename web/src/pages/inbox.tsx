import { Hand, Inbox } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useApprovals, useInputs, useSessions } from '../api/queries.ts'
import { ApprovalCard } from '../approval/approval-card.tsx'
import { Page } from '../components/page.tsx'
import { Sentence, Shown } from '../components/shown.tsx'
import { TimeSince } from '../components/time-since.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { shownName } from '../session/call-state.ts'

/** Everything that waits for the person, of all sessions and processes. */
export function InboxPage() {
  const approvals = useApprovals()
  const inputs = useInputs()
  const titles = new Map(useSessions().map(({ session, title }) => [session, title]))
  const [chosen, setChosen] = useState<string>()
  const [isDetail, setDetail] = useState(false)
  const index = Math.max(
    0,
    approvals.findIndex(({ id }) => id === chosen),
  )
  const current = approvals[index]
  const move = (step: number) => {
    const next = approvals[Math.min(approvals.length - 1, Math.max(0, index + step))]
    if (next) setChosen(next.id)
  }
  useKeys(true, { j: () => move(1), k: () => move(-1), escape: isDetail ? () => setDetail(false) : undefined })
  return (
    <Page
      title="Inbox"
      className="p-inbox"
      view={isDetail ? 'detail' : undefined}
      heading={
        <>
          <button type="button" className="btn bare back" onClick={() => setDetail(false)}>
            <span>Back</span>
          </button>
          <h1>Inbox</h1>
        </>
      }
      actions={current && <span className="q">{`${index + 1} of ${approvals.length}`}</span>}
    >
      {approvals.length === 0 && inputs.length === 0 ? (
        <div className="pad q">
          <Inbox className="i" strokeWidth={1.75} aria-hidden="true" /> Nothing waits for you. Calls that need a yes
          appear here, from every session.
        </div>
      ) : (
        <div className="split push">
          <ul className="pane" aria-label="Waiting calls">
            {approvals.map(({ id, tool, summary, session, askedAt, label }) => (
              <li key={id}>
                <button
                  type="button"
                  className="li"
                  aria-current={id === current?.id ? 'true' : undefined}
                  onClick={() => {
                    setChosen(id)
                    setDetail(true)
                  }}
                >
                  <Hand className="i ask" strokeWidth={1.75} aria-hidden="true" />
                  <span className="grow">
                    <span className="t">
                      <Sentence text={summary?.sentence ?? `Call \`${shownName(tool)}\``} />
                    </span>
                    <span className="meta" style={{ display: 'block' }}>
                      {shownName(tool)} · <Shown text={label ?? titles.get(session) ?? session} isLine /> ·{' '}
                      <TimeSince at={askedAt} />
                    </span>
                  </span>
                </button>
              </li>
            ))}
            {inputs.map(({ input, question, session, askedAt }) => (
              <li key={input}>
                <Link className="li" href={`/sessions/${session}`}>
                  <Hand className="i ask" strokeWidth={1.75} aria-hidden="true" />
                  <span className="grow">
                    <span className="t">
                      <Shown text={question} />
                    </span>
                    <span className="meta" style={{ display: 'block' }}>
                      A question · <TimeSince at={askedAt} />
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <div className="pane">
            <div className="det">
              {current && (
                <ApprovalCard
                  key={current.id}
                  approval={current}
                  hasKeys
                  from={<Link href={`/sessions/${current.session}`}>Open session</Link>}
                  onAnswered={() => setDetail(false)}
                />
              )}
            </div>
          </div>
        </div>
      )}
    </Page>
  )
}
