import { Hand } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import type { SessionItem, SessionView } from '../../../src/core/session/session-view.ts'
import { useConnection } from '../api/hub.tsx'
import { useTasks } from '../api/queries.ts'
import { ApprovalCard } from '../approval/approval-card.tsx'
import { Problem } from '../components/problem.tsx'
import { Sentence, Shown } from '../components/shown.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { CallBlock } from './call-block.tsx'
import { Composer } from './composer.tsx'
import { Delegates } from './delegates.tsx'
import { MessageBlock } from './message-block.tsx'
import { NestedSession } from './nested-session.tsx'
import { NoteLine } from './note-line.tsx'
import { Transcript } from './transcript.tsx'
import type { Forking } from './use-fork.ts'

interface Props {
  readonly id: string
  readonly view: SessionView | undefined
  readonly approvals: readonly ListedApproval[]
  readonly forking: Forking
  readonly onRewind: (event: string) => void
}

/** The transcript of a session with what waits below it, and the message box. */
export function Conversation({ id, view, approvals, forking, onRewind }: Props) {
  const items = useMemo(() => view?.items.filter(isShown) ?? [], [view])
  if (view === undefined)
    return (
      <div className="pane col">
        <div className="body pad q">Loading the session…</div>
      </div>
    )
  const draw = (item: SessionItem) => {
    if (item.kind === 'note') return <NoteLine item={item} />
    if (item.kind === 'message')
      return (
        <MessageBlock
          item={item}
          onResend={forking.resend}
          onFork={forking.forkFrom}
          onRewind={({ id: event }) => onRewind(event)}
        />
      )
    return (
      <CallBlock item={item}>
        <NestedSession item={item} parent={id} />
      </CallBlock>
    )
  }
  const end = (
    <>
      {approvals.map((approval, index) => (
        <div key={approval.id} className="card-place">
          <ApprovalCard approval={approval} hasKeys={index === 0} />
        </div>
      ))}
      {view.isRunning && approvals.length === 0 && <div className="working q">The model works…</div>}
    </>
  )
  const isWaiting = approvals.length > 0
  return (
    <div className="pane col" style={{ overflow: 'hidden' }}>
      <Transcript items={items} draw={draw} end={end} />
      <WaitingDock approvals={approvals} />
      <TaskStrip session={id} />
      <LostConnection />
      {forking.error && <Problem text={forking.error.message} />}
      <Delegates session={id} />
      <Composer session={id} isRunning={view.isRunning} model={view.model} mode={view.mode} isWaiting={isWaiting} />
    </div>
  )
}

/** Says what waits while its card may be out of sight. It can show the card, never answer it. */
function WaitingDock({ approvals }: Pick<Props, 'approvals'>) {
  const [first] = approvals
  const review = () => document.querySelector('[data-approval] h2')?.scrollIntoView({ block: 'center' })
  useKeys(first !== undefined, { r: review })
  if (first === undefined) return null
  return (
    <div className="dock" role="status">
      <Hand className="i ask" strokeWidth={1.75} aria-hidden="true" />
      <span className="cut grow dk">
        <span className="b">Waiting for you:</span>{' '}
        <Sentence text={first.summary?.sentence ?? `Call \`${first.tool}\``} />
      </span>
      <button type="button" className="btn" onClick={review}>
        Review <kbd>R</kbd>
      </button>
    </div>
  )
}

function TaskStrip({ session: id }: { readonly session: string }) {
  const tasks = useTasks().filter(({ session, state }) => session === id && state !== 'ended')
  if (tasks.length === 0) return null
  return (
    <div className="strip">
      <span className="b">
        {tasks.length} {tasks.length === 1 ? 'task' : 'tasks'}
      </span>
      <span className="cut grow m">
        <Shown text={tasks.map(({ tool, arguments: args }) => `${tool} ${args}`).join(' · ')} isLine />
      </span>
      <Link href="/tasks">Show</Link>
    </div>
  )
}

function LostConnection() {
  const connection = useConnection()
  if (connection !== 'lost') return null
  return (
    <div className="note run" role="status">
      <span className="grow">No connection to Haft. Nothing is lost: it is tried again until it is back.</span>
    </div>
  )
}

/** Lines that say nothing are left out. */
function isShown(item: SessionItem): boolean {
  if (item.kind === 'note') return item.event.type !== 'run-start' && item.event.type !== 'run-stop'
  if (item.kind === 'message') return item.role !== 'system' && (item.content !== '' || item.reasoning !== '')
  return true
}
