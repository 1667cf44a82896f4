import { Check, Circle, CircleDot } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { CallItem, SessionView } from '../../../src/core/session/session-view.ts'
import type { Todo } from '../../../src/core/session/todo.ts'
import { useTools } from '../api/queries.ts'
import { Shown } from '../components/shown.tsx'
import { ToolPicker } from '../components/tool-picker.tsx'
import { stateOf } from './call-state.ts'

/** Facts about a session: model, workspace, tools, tokens, to-dos, changed files, calls. */
export function DetailsPane({ view }: { readonly view: SessionView }) {
  const calls = view.items.filter((item): item is CallItem => item.kind === 'call')
  const states = useMemo(() => calls.map(stateOf), [calls])
  const count = (state: string) => states.filter((one) => one === state).length
  const { usage } = view
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
            <code>{view.workspace}</code>
          </dd>
          <dt>Tokens</dt>
          <dd>
            {usage.input.toLocaleString('en')} in, {usage.output.toLocaleString('en')} out
          </dd>
        </dl>
        <div style={{ marginTop: 8 }}>
          <LockedTools view={view} />
        </div>
      </section>
      {view.todos.length > 0 && <Todos todos={view.todos} />}
      <ChangedFiles calls={calls} />
      <section>
        <h2>Calls</h2>
        <dl className="kv">
          <dt>Ran</dt>
          <dd>{count('done') + count('failed')}</dd>
          <dt>Asked</dt>
          <dd>{calls.filter(({ approvals }) => approvals.length > 0).length}</dd>
          <dt>Blocked</dt>
          <dd>{count('blocked')}</dd>
        </dl>
        <Link href={`/log?session=${view.session}`}>Open in log</Link>
      </section>
    </aside>
  )
}

/** The selection of tools: shown, and locked since the first message. */
function LockedTools({ view }: { readonly view: SessionView }) {
  const { tools } = useTools({ workspace: view.workspace })
  const items = tools
    .filter(({ isControl }) => !isControl)
    .map(({ name, description, source, origin }) => ({
      ...{ name, description, group: origin === 'built-in' ? 'Built in' : source },
    }))
  const selected = new Set(view.tools ?? items.map(({ name }) => name))
  return <ToolPicker label="Tools" items={items} selected={selected} empty="There are no tools." />
}

const TODO_ICONS = { open: [Circle, 'qq'], active: [CircleDot, 'run'], done: [Check, 'ok'] } as const

export function Todos({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <section>
      <h2>To-dos</h2>
      <ul className="col" style={{ gap: 4 }}>
        {todos.map(({ text, state }) => {
          const [Icon, colour] = TODO_ICONS[state]
          return (
            <li key={text} className="flex" style={{ alignItems: 'flex-start' }}>
              <Icon className={`i s ${colour}`} strokeWidth={1.75} aria-hidden="true" style={{ marginTop: 3 }} />
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

/** The files that the calls of a session changed, as far as their arguments and results name them. */
function ChangedFiles({ calls }: { readonly calls: readonly CallItem[] }) {
  const files = new Set(
    calls.flatMap(({ result }) => {
      const data = result?.ok ? result.data : undefined
      if (typeof data !== 'object' || data === null) return []
      const { changes, path, diff } = data as Readonly<Record<string, unknown>>
      if (Array.isArray(changes))
        return changes.flatMap((change) =>
          typeof change === 'string' ? [change] : typeof change?.path === 'string' ? [change.path] : [],
        )
      return typeof path === 'string' && typeof diff === 'string' ? [path] : []
    }),
  )
  if (files.size === 0) return null
  return (
    <section>
      <h2>Changed files</h2>
      <ul>
        {[...files].map((file) => (
          <li key={file} className="fr">
            <code className="cut">
              <Shown text={file} isLine />
            </code>
          </li>
        ))}
      </ul>
    </section>
  )
}
