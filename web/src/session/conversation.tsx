import { Hand, Layers, LoaderCircle, Unplug } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import type { SessionState } from '../../../src/core/session/session-record.ts'
import type { SessionItem, SessionView } from '../../../src/core/session/session-view.ts'
import { useConnection } from '../api/hub.tsx'
import { useApprovals, useInputs, useTasks } from '../api/queries.ts'
import { ApprovalCard } from '../approval/lazy-card.tsx'
import { Problem } from '../components/problem.tsx'
import { Shown } from '../components/shown.tsx'
import { TimeSince } from '../components/time-since.tsx'
import { CallBlock } from './call/call-block.tsx'
import { NestedSession, startsAgent } from './call/nested-session.tsx'
import { mainArgumentOf } from './call-state.ts'
import { Composer } from './composer.tsx'
import { Delegates } from './delegates.tsx'
import { GoOn } from './go-on.tsx'
import { MessageBlock } from './message-block.tsx'
import { NoteLine } from './note-line.tsx'
import { Transcript } from './transcript.tsx'
import type { Forking } from './use-fork.ts'
import { WaitingDock } from './waiting-dock.tsx'

interface Props {
  readonly id: string
  readonly view: SessionView | undefined
  readonly state: SessionState | undefined
  readonly approvals: readonly ListedApproval[]
  readonly forking: Forking
  readonly onRewind: (event: string) => void
}

/** The transcript of a session with what waits below it, and the message box. */
export function Conversation({ id, view, state, approvals, forking, onRewind }: Props) {
  const [acts, setActs] = useState(0)
  const noteAct = () => setActs((count) => count + 1)
  const inputs = useInputs()
  const asks = inputs.some(({ session }) => session === id)
  const isOtherWaiting = [...useApprovals(), ...inputs].some(({ session }) => session !== id)
  const items = useMemo(() => {
    const waiting = new Set(approvals.map(({ call }) => call))
    return view?.items.filter((item) => isShown(item) && !(item.kind === 'call' && waiting.has(item.call))) ?? []
  }, [view, approvals])
  if (view === undefined)
    return (
      <div className="pane col">
        <div className="body pad q">Loading the session…</div>
      </div>
    )
  const last = view.isRunning ? undefined : items.at(-1)
  // The same functions for every row, so that rows are not drawn again while they scroll.
  const rewindTo = ({ id: event }: SessionItem) => onRewind(event)
  const draw = (item: SessionItem) => {
    if (item.kind === 'note')
      return (
        <NoteLine
          item={item}
          session={item === last ? id : undefined}
          onRegenerate={item === last ? () => forking.regenerate(view.items, item) : undefined}
        />
      )
    if (item.kind === 'message')
      return <MessageBlock item={item} onResend={forking.resend} onFork={forking.forkFrom} onRewind={rewindTo} />
    return <CallBlock item={item}>{startsAgent(item) && <NestedSession item={item} parent={id} />}</CallBlock>
  }
  const end = (
    <>
      {approvals.map((approval, index) => (
        <div key={approval.id} className="card-place">
          <ApprovalCard approval={approval} hasKeys={index === 0} onAnswered={noteAct} />
        </div>
      ))}
      {view.isRunning && approvals.length === 0 && (state !== 'waiting' || asks) && <Working items={view.items} />}
      {approvals.length === 0 && state === 'waiting' && !asks && isOtherWaiting && (
        <div className="working ask">
          <Hand className="i" strokeWidth={1.75} aria-hidden="true" />
          <span>
            A sub-agent waits for you. <Link href="/inbox">Open the inbox</Link>
          </span>
        </div>
      )}
      {state === 'interrupted' && (
        <div className="turn bad">
          <span>Interrupted: the process that ran this has ended</span>
          <GoOn session={id} />
        </div>
      )}
    </>
  )
  return (
    <div className="pane col talk">
      <Transcript items={items} draw={draw} end={end} acts={acts} />
      <WaitingDock approvals={approvals} />
      <TaskStrip session={id} />
      <LostConnection />
      {forking.error && <Problem text={forking.error.message} />}
      <Delegates session={id} />
      <Composer view={view} isWaiting={approvals.length > 0 || asks} hasCard={approvals.length > 0} onSend={noteAct} />
    </div>
  )
}

/** Says that the model is at work, while nothing else on the page moves. */
function Working({ items }: { readonly items: readonly SessionItem[] }) {
  const last = items.at(-1)
  if (last === undefined || (last.kind === 'message' && last.isStreaming)) return null
  if (last.kind === 'call' && last.state !== 'ended') return null
  return (
    <div className="working run">
      <LoaderCircle className="i spin" strokeWidth={1.75} aria-hidden="true" />
      The model works <TimeSince at={last.at} />
    </div>
  )
}

function TaskStrip({ session: id }: { readonly session: string }) {
  const tasks = useTasks().filter(({ session, state }) => session === id && state !== 'ended')
  if (tasks.length === 0) return null
  return (
    <div className="strip">
      <Layers className="i s run" strokeWidth={1.75} aria-hidden="true" />
      <span className="b nw">
        {tasks.length} {tasks.length === 1 ? 'task' : 'tasks'}
      </span>
      <span className="cut grow">
        {tasks.map(({ task, tool, arguments: args, startedAt }, index) => (
          <span key={task}>
            {index > 0 && ' · '}
            <code>
              <Shown text={mainArgumentOf(args) || tool} isLine />
            </code>{' '}
            <TimeSince at={startedAt} />
          </span>
        ))}
      </span>
      <Link href="/tasks">Show</Link>
    </div>
  )
}

function LostConnection() {
  const connection = useConnection()
  if (connection !== 'lost') return null
  return (
    <div className="note run flat" role="status">
      <Unplug className="i" strokeWidth={1.75} aria-hidden="true" />
      <span className="grow">
        <span className="b">No connection to Haft.</span> Nothing is lost: what is shown stays, and it is tried again
        until Haft is back.
      </span>
    </div>
  )
}

/** Lines that say nothing are left out. */
function isShown(item: SessionItem): boolean {
  if (item.kind === 'note') return item.event.type !== 'run-start' && item.event.type !== 'run-stop'
  // The end of the run says the same.
  if (item.kind === 'call' && item.name === 'task_complete') return item.result?.ok !== true
  if (item.kind === 'message') return item.role !== 'system' && (item.content !== '' || item.reasoning !== '')
  return true
}
