import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { makeTitle } from '../../../../src/agent/session-title.ts'
import type { CallItem, SessionItem } from '../../../../src/core/session/session-view.ts'
import { api } from '../../api/api.ts'
import { useApprovals } from '../../api/queries.ts'
import { ApprovalCard } from '../../approval/lazy-card.tsx'
import { readArguments } from '../call-state.ts'
import { MessageBlock } from '../message-block.tsx'
import { useSessionView } from '../use-session-view.ts'
import { CallBlock } from './call-block.tsx'

/** The session of an agent, inside the block of the call that started it. */
export function NestedSession({ item, parent }: { readonly item: CallItem; readonly parent: string }) {
  const task = taskOf(item)
  const known = agentIn(item.result?.ok ? item.result.data : item.result?.details)
  const { data } = useQuery({
    queryKey: ['sessions', 'children', parent],
    enabled: task !== undefined && known === undefined,
    queryFn: () => api().listSessions({ parent, limit: 100 }),
  })
  if (task === undefined) return null
  const child =
    known ??
    data?.sessions.find(({ title, startedAt }) => title === makeTitle(task) && startedAt >= item.at - 1_000)?.session
  return child === undefined ? null : <Child session={child} isOpen={item.result === undefined} />
}

function Child({ session, isOpen }: { readonly session: string; readonly isOpen: boolean }) {
  const [choice, setChoice] = useState<boolean>()
  const opened = choice ?? isOpen
  return (
    <div className="nest">
      <div className="more">
        <button type="button" className="linkish" aria-expanded={opened} onClick={() => setChoice(!opened)}>
          {opened ? 'Hide the agent’s work' : 'Show the agent’s work'}
        </button>
        <Link className="linkish" href={`/sessions/${session}`}>
          Open its session
        </Link>
      </div>
      {opened && <ChildItems session={session} />}
    </div>
  )
}

function ChildItems({ session }: { readonly session: string }) {
  const { view } = useSessionView(session)
  const approvals = useApprovals().filter((approval) => approval.session === session)
  const waiting = new Set(approvals.map(({ call }) => call))
  const items: readonly SessionItem[] =
    view?.items.slice(-60).filter((item) => item.kind !== 'call' || !waiting.has(item.call)) ?? []
  return (
    <>
      {items.map((item) =>
        item.kind === 'call' ? (
          <CallBlock key={item.id} item={item} />
        ) : item.kind === 'message' && item.role === 'assistant' ? (
          <MessageBlock key={item.id} item={item} />
        ) : null,
      )}
      {approvals.map((approval) => (
        <div key={approval.id} className="card-place">
          <ApprovalCard approval={approval} />
        </div>
      ))}
    </>
  )
}

/** True for a call that starts an agent. */
export function startsAgent(item: CallItem): boolean {
  return taskOf(item) !== undefined
}

function taskOf(item: CallItem): string | undefined {
  const given = readArguments(item)
  if (typeof given !== 'object' || given === null || !('task' in given)) return undefined
  return typeof given.task === 'string' ? given.task : undefined
}

function agentIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('agent' in data)) return undefined
  return typeof data.agent === 'string' ? data.agent : undefined
}
