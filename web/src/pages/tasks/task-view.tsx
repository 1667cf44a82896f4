import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Square } from 'lucide-react'
import { Link } from 'wouter'
import { api } from '../../api/api.ts'
import { useApprovals, useSessions } from '../../api/queries.ts'
import { ApprovalCard } from '../../approval/lazy-card.tsx'
import { Output } from '../../components/output.tsx'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'
import { StateIcon } from '../../components/state-icon.tsx'
import { TimeSince } from '../../components/time-since.tsx'
import { useLiveCall } from '../../live/use-live-call.ts'
import { mainArgument, shownDuration, shownName, stateOf } from '../../session/call-state.ts'
import { PendingChanges } from './pending-changes.tsx'

/** One task: what it runs, its ports, its output as it comes, its result, and the changes that wait for a decision. */
export function TaskView({ id, session: known }: { readonly id: string; readonly session: string | undefined }) {
  const queries = useQueryClient()
  const found = useQuery({
    queryKey: ['tasks', 'one', id],
    enabled: known === undefined,
    queryFn: () => api().getTask({ id }),
    retry: 1,
  })
  const session = known ?? found.data?.task.session
  const { item, error } = useLiveCall(id, session)
  const isListed = useSessions().some((one) => one.session === session)
  const approval = useApprovals().find(({ call }) => call === id)
  const cancel = useMutation({
    mutationFn: () => api().cancelTask({ id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
  })
  if (found.error) return <Problem text={found.error.message} />
  if (error) return <Problem text={error.message} />
  if (!item)
    return (
      <p className="q" role="status">
        Loading the task…
      </p>
    )
  const state = stateOf(item)
  const isOver = item.result !== undefined
  const output = item.result?.ok ? item.result.text : item.output
  return (
    <div className="col task" style={{ gap: 12 }}>
      <div className="flex">
        <StateIcon state={state} />
        <h2 className="m title">{shownName(item.name)}</h2>
        <span className="q">
          {state}
          {isOver ? (
            item.duration !== undefined && ` after ${shownDuration(item.duration)}`
          ) : (
            <>
              {' '}
              for <TimeSince at={item.at} />
            </>
          )}
        </span>
        <span className="grow" />
        {!isOver && (
          <button
            type="button"
            className="btn"
            disabled={cancel.isPending || cancel.isSuccess}
            onClick={() => cancel.mutate()}
          >
            <Square className="i s" strokeWidth={1.75} aria-hidden="true" />
            {cancel.isPending || cancel.isSuccess ? 'Cancelling…' : 'Cancel'}
          </button>
        )}
      </div>
      {cancel.error && <Problem text={cancel.error.message} />}
      <pre className="well">
        <Shown text={mainArgument(item)} />
      </pre>
      <p className="t1 qq">
        {isListed && <Link href={`/sessions/${session}`}>Open session</Link>}
        {isListed && ' · '}
        <Link href={`/log?call=${id}`}>Its story in the log</Link>
      </p>
      {approval && <ApprovalCard key={approval.id} approval={approval} hasKeys />}
      {!isOver &&
        item.ports?.map(({ inside, url }) => (
          <a key={url} className="btn port" href={url} target="_blank" rel="noreferrer">
            <ExternalLink className="i s" strokeWidth={1.75} aria-hidden="true" />
            Port {inside} at {url}
          </a>
        ))}
      {item.result && !item.result.ok && <Problem text={item.result.text} code={item.result.code} />}
      {isOver && <PendingChanges task={id} />}
      <section aria-label="Output">
        <h3 className="sec-h">Output</h3>
        {output === '' ? (
          <p className="q">{isOver ? 'It printed nothing.' : 'Nothing yet.'}</p>
        ) : (
          <Output text={output} isLive={!isOver} />
        )}
      </section>
    </div>
  )
}
