import { GitFork, Hand, PanelRight, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useApprovals } from '../api/queries.ts'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { Shown } from '../components/shown.tsx'
import { Conversation } from '../session/conversation.tsx'
import { DetailsPane } from '../session/details-pane.tsx'
import { useFork } from '../session/use-fork.ts'
import { useSessionView } from '../session/use-session-view.ts'
import { UndoDialog } from '../undo/undo-dialog.tsx'

/** A session: what was said and done, what waits for the person, and the message box. */
export function SessionPage({ id }: { readonly id: string }) {
  const { view, error } = useSessionView(id)
  const approvals = useApprovals().filter(({ session }) => session === id)
  const [showsDetails, setShowsDetails] = useState(true)
  const [rewinding, setRewinding] = useState<{ readonly event?: string }>()
  const forking = useFork(id)
  const title = view?.title ?? 'Session'
  if (error && !view) return <Missing text={error.message} />
  const heading = (
    <>
      <h1 className="cut">
        <Shown text={title} isLine />
      </h1>
      {approvals.length > 0 && (
        <span className="tag ask">
          <Hand className="i" strokeWidth={1.75} aria-hidden="true" />
          waiting for you
        </span>
      )}
    </>
  )
  const actions = (
    <>
      <button type="button" className="btn bare" onClick={() => forking.fork(view?.items)}>
        <GitFork className="i" strokeWidth={1.75} aria-hidden="true" />
        <span>Fork</span>
      </button>
      <button type="button" className="btn bare" onClick={() => setRewinding({})}>
        <Undo2 className="i" strokeWidth={1.75} aria-hidden="true" />
        <span>Undo…</span>
      </button>
      <button
        type="button"
        className="btn bare ico"
        aria-label="Session details"
        aria-pressed={showsDetails}
        onClick={() => setShowsDetails(!showsDetails)}
      >
        <PanelRight className="i" strokeWidth={1.75} aria-hidden="true" />
      </button>
    </>
  )
  return (
    <Page title={title} className="p-session" heading={heading} actions={actions}>
      <div className="split" data-details={showsDetails}>
        <Conversation
          id={id}
          view={view}
          approvals={approvals}
          forking={forking}
          onRewind={(event) => setRewinding({ event })}
        />
        {showsDetails && view && <DetailsPane view={view} />}
      </div>
      {rewinding && (
        <UndoDialog
          target={rewinding.event === undefined ? { session: id } : { session: id, event: rewinding.event }}
          onClose={() => setRewinding(undefined)}
        />
      )}
    </Page>
  )
}

function Missing({ text }: { readonly text: string }) {
  return (
    <Page title="Session">
      <div className="pad">
        <Problem text={text}>
          <Link href="/">All sessions</Link>
        </Problem>
      </div>
    </Page>
  )
}
