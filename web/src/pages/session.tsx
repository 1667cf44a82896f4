import { Ellipsis, GitFork, Hand, PanelRight, Undo2 } from 'lucide-react'
import { Dialog, DropdownMenu } from 'radix-ui'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useApprovals, useInputs, useSession } from '../api/queries.ts'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { Shown } from '../components/shown.tsx'
import { useMedia } from '../components/use-media.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Conversation } from '../session/conversation.tsx'
import { DetailsPane } from '../session/details/details-pane.tsx'
import { useFork } from '../session/use-fork.ts'
import { useSessionView } from '../session/use-session-view.ts'
import { UndoDialog } from '../undo/lazy-dialog.tsx'

/** A session: what was said and done, what waits for the person, and the message box. */
export function SessionPage({ id }: { readonly id: string }) {
  const { view: drawn, error } = useSessionView(id)
  const state = useSession(id)?.state
  // The events of a run whose process has died do not say so.
  const view = useMemo(
    () => (drawn && state === 'interrupted' ? { ...drawn, isRunning: false } : drawn),
    [drawn, state],
  )
  const approvals = useApprovals().filter(({ session }) => session === id)
  const isAsking = useInputs().some(({ session }) => session === id)
  const isWide = useMedia('(min-width: 1280px)')
  const [choice, setChoice] = useState<boolean>()
  const [rewinding, setRewinding] = useState<{ readonly event?: string }>()
  const forking = useFork(id)
  // Beside the transcript where there is room, else over it, and then only when asked for.
  const showsDetails = choice ?? isWide
  const title = view?.title ?? 'Session'
  const fork = () => forking.fork(view?.items)
  const details = view && <DetailsPane view={view} onUndoAll={() => setRewinding({})} />
  useKeys(showsDetails && !isWide, { escape: () => setChoice(false) })
  if (error && !view) return <Missing text={error.message} />
  const heading = (
    <>
      <h1 className="cut">
        <Shown text={title} isLine />
      </h1>
      {(approvals.length > 0 || isAsking || state === 'waiting') && (
        <span className="tag ask">
          <Hand className="i" strokeWidth={1.75} aria-hidden="true" />
          waiting for you
        </span>
      )}
    </>
  )
  const actions = (
    <>
      <button type="button" className="btn bare hide-s" onClick={fork} disabled={forking.isPending}>
        <GitFork className="i" strokeWidth={1.75} aria-hidden="true" />
        <span>Fork</span>
      </button>
      <button type="button" className="btn bare hide-s" onClick={() => setRewinding({})}>
        <Undo2 className="i" strokeWidth={1.75} aria-hidden="true" />
        <span>Undo…</span>
      </button>
      <button
        type="button"
        className="btn bare ico hide-s"
        aria-label="Session details"
        aria-pressed={showsDetails}
        onClick={() => setChoice(!showsDetails)}
      >
        <PanelRight className="i" strokeWidth={1.75} aria-hidden="true" />
      </button>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="btn bare ico only-s" aria-label="More">
          <Ellipsis className="i" strokeWidth={1.75} aria-hidden="true" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="pop menu" align="end" sideOffset={4} collisionPadding={8}>
            <DropdownMenu.Item className="opt" onSelect={() => setChoice(true)}>
              Session details
            </DropdownMenu.Item>
            <DropdownMenu.Item className="opt" onSelect={fork}>
              Fork
            </DropdownMenu.Item>
            <DropdownMenu.Item className="opt" onSelect={() => setRewinding({})}>
              Undo…
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </>
  )
  return (
    <Page title={title} className="p-session" heading={heading} actions={actions}>
      <div className="split" data-details={showsDetails && isWide}>
        <Conversation
          id={id}
          view={view}
          state={state}
          approvals={approvals}
          forking={forking}
          onRewind={(event) => setRewinding({ event })}
        />
        {showsDetails && isWide && (details ?? <div className="insp pane" />)}
      </div>
      {details && (
        <Dialog.Root open={showsDetails && !isWide} onOpenChange={setChoice}>
          <Dialog.Portal>
            <Dialog.Overlay className="veil" />
            <Dialog.Content className="drawer" aria-describedby={undefined}>
              <div className="top">
                <Dialog.Title asChild>
                  <h2>Session details</h2>
                </Dialog.Title>
                <span className="grow" />
                <Dialog.Close className="btn">Close</Dialog.Close>
              </div>
              {details}
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
      )}
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
