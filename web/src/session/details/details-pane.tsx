import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Circle, CircleDot } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { CallItem, SessionView } from '../../../../src/core/session/session-view.ts'
import type { Todo } from '../../../../src/core/session/todo.ts'
import { api } from '../../api/api.ts'
import { useGrants, useMcpServers, useModels, useSessionTools, useTools } from '../../api/queries.ts'
import { ShortPath } from '../../components/short-path.tsx'
import { Shown } from '../../components/shown.tsx'
import { ToolPicker } from '../../components/tool-picker.tsx'
import { describeServer } from '../../pickers/use-selection.ts'
import { stateOf } from '../call-state.ts'
import { ChangedFiles } from './changed-files.tsx'

interface Props {
  readonly view: SessionView
  readonly onUndoAll: () => void
}

/** Facts about a session: model, workspace, tools, tokens and cost, to-dos, changed files, grants, calls. */
export function DetailsPane({ view, onUndoAll }: Props) {
  const calls = view.items.filter((item): item is CallItem => item.kind === 'call')
  const started = view.items[0]?.at
  const replies = view.items.filter((item) => item.kind === 'message' && item.role === 'assistant').length
  return (
    <aside className="insp pane" aria-label="Session details">
      <section>
        <h2>Session</h2>
        <dl className="kv">
          <dt>Model</dt>
          <dd>{view.model}</dd>
          <dt>Mode</dt>
          <dd>{view.mode}</dd>
          <dt>Workspace</dt>
          <dd>
            <ShortPath path={view.workspace ?? ''} />
          </dd>
          <LockedTools view={view} />
          {started !== undefined && (
            <>
              <dt>Started</dt>
              <dd>
                {new Date(started).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}, {replies}{' '}
                {replies === 1 ? 'reply' : 'replies'}
              </dd>
            </>
          )}
          <UsageRows view={view} />
        </dl>
      </section>
      {view.todos.length > 0 && <Todos todos={view.todos} />}
      <ChangedFiles session={view.session} onUndoAll={onUndoAll} />
      <SessionGrants session={view.session} />
      <CallCounts calls={calls} session={view.session} />
    </aside>
  )
}

function UsageRows({ view: { usage, model } }: { readonly view: SessionView }) {
  const context = useModels()?.models.find(({ name }) => name === model)?.abilities.context
  if (usage.input + usage.output === 0) return null
  return (
    <>
      <dt>Tokens</dt>
      <dd>
        {shownCount(usage.input)} in, {shownCount(usage.output)} out
      </dd>
      {usage.context !== undefined && context ? (
        <>
          <dt>Context</dt>
          <dd>
            {shownCount(usage.context)} of {shownCount(context)}
          </dd>
        </>
      ) : null}
      {usage.cost !== undefined && (
        <>
          <dt>Cost</dt>
          <dd>{usage.cost < 0.01 ? usage.cost.toFixed(5) : usage.cost.toFixed(2)}</dd>
        </>
      )}
    </>
  )
}

/** `950`, `18.2k`, `1.2M`. */
export function shownCount(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)}k` : `${(count / 1e6).toFixed(1)}M`
}

/** The selection of tools and servers: shown, and locked since the first message. */
function LockedTools({ view }: { readonly view: SessionView }) {
  const present = useTools({ workspace: view.workspace }).tools
  const own = useSessionTools(view.session)
  const servers = useMcpServers().map(describeServer)
  if (own === undefined) return null
  const ownNames = new Set(all(own))
  // Without a selection there was nothing else to choose from: what was added later is no part of it.
  const others = view.tools === undefined ? [] : present.filter(({ name }) => !ownNames.has(name))
  const control = own.filter(({ isControl }) => isControl)
  const items = [...own, ...others]
    .filter(({ isControl, origin }) => !isControl && origin !== 'mcp')
    .map(({ name, description, source, origin }) => ({
      ...{ name, description, group: origin === 'built-in' ? 'Built in' : source },
    }))
  return (
    <>
      <dt>Tools</dt>
      <dd>
        <ToolPicker label="Tools" items={items} selected={ownNames} empty="There are no tools." isSmall />
      </dd>
      {control.length > 0 && (
        <>
          <dt>Always</dt>
          <dd title={all(control).join(', ')}>
            {control.length} control {control.length === 1 ? 'tool' : 'tools'}
          </dd>
        </>
      )}
      {servers.length > 0 && (
        <>
          <dt>MCP</dt>
          <dd>
            <ToolPicker
              label="MCP servers"
              items={servers}
              selected={new Set(view.mcpServers ?? all(servers))}
              empty="No MCP server is configured."
              isSmall
            />
          </dd>
        </>
      )}
    </>
  )
}

function all(list: readonly { readonly name: string }[]): readonly string[] {
  return list.map(({ name }) => name)
}

const TODO_ICONS = { open: [Circle, 'qq'], active: [CircleDot, 'run'], done: [Check, 'ok'] } as const

function Todos({ todos }: { readonly todos: readonly Todo[] }) {
  const done = todos.filter(({ state }) => state === 'done').length
  return (
    <section>
      <h2>
        To-dos, {done} of {todos.length} done
      </h2>
      <ul className="todos">
        {todos.map(({ text, state }) => {
          const [Icon, colour] = TODO_ICONS[state]
          return (
            <li key={text}>
              <Icon className={`i s ${colour}`} strokeWidth={1.75} aria-hidden="true" />
              <span className={state === 'done' ? 'qq' : ''}>
                <Shown text={text} />
                <span className="sr">, {state}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The remembered approvals that hold in this session only, each to be revoked here. */
function SessionGrants({ session }: { readonly session: string }) {
  const queries = useQueryClient()
  const grants = useGrants().filter((grant) => grant.session === session)
  const revoke = useMutation({
    mutationFn: (id: string) => api().revokeGrant({ id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['grants'] }),
  })
  if (grants.length === 0) return null
  return (
    <section>
      <h2>Grants in this session</h2>
      <ul>
        {grants.map(({ id, text, times, used }) => (
          <li key={id} className="fr">
            <span className="cut grow" title={text}>
              <Shown text={text} isLine />
            </span>
            {times !== undefined && (
              <span className="qq t1 nw">
                {Math.max(0, times - used)} of {times} left
              </span>
            )}
            <button
              type="button"
              className="linkish"
              aria-label={`Revoke ${text}`}
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(id)}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function CallCounts({ calls, session }: { readonly calls: readonly CallItem[]; readonly session: string }) {
  const states = useMemo(() => calls.map(stateOf), [calls])
  const count = (state: string) => states.filter((one) => one === state).length
  const asked = calls.filter(({ approvals }) => approvals.length > 0)
  const approved = asked.filter(({ approvals }) => approvals.some(({ answer }) => answer?.approved)).length
  return (
    <section>
      <h2>Calls</h2>
      <dl className="kv">
        <dt>Ran</dt>
        <dd>{count('done') + count('failed')}</dd>
        <dt>Asked</dt>
        <dd>
          {asked.length}
          {asked.length > 0 && `, ${approved} approved`}
        </dd>
        <dt>Blocked</dt>
        <dd>{count('blocked')}</dd>
      </dl>
      <Link href={`/log?session=${session}`}>Open in log</Link>
    </section>
  )
}
