import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { useState } from 'react'
import type { ListedMcpServer, McpState } from '../../../../src/core/mcp/listed-server.ts'
import { api } from '../../api/api.ts'
import { DiffView } from '../../components/diff-view.tsx'
import { Output } from '../../components/output.tsx'
import { Problem } from '../../components/problem.tsx'
import { asSentence } from '../../components/sentence-case.ts'
import { Shown } from '../../components/shown.tsx'
import { LoadState } from '../../lists/load-state.tsx'
import { AddServer } from './add-server.tsx'

const STATES: Readonly<Record<McpState, readonly [string, string]>> = {
  idle: ['', 'not started yet'],
  starting: ['run', 'starting'],
  ready: ['ok', 'ready'],
  waiting: ['', 'starts again soon'],
  failed: ['bad', 'failed'],
  'sign-in': ['ask', 'needs you to sign in'],
}

/** What a person can do about a server that does not work. */
function wayOn(state: McpState, from: string): string {
  if (state === 'waiting') return 'It is started again by itself.'
  return state === 'failed' ? `Correct its command in ${from} or install what it needs, then press Test.` : ''
}

/** MCP servers: state, tools, error output, changed tools to be accepted; add, test and remove. */
export function McpSection() {
  const query = useQuery({
    queryKey: ['mcp'],
    queryFn: () => api().listMcpServers({}),
    retry: 1,
    refetchInterval: 3_000,
  })
  const servers = query.data?.servers ?? []
  return (
    <section aria-labelledby="mcp-h">
      <h2 id="mcp-h" className="title">
        MCP servers
      </h2>
      <p className="q">Programs and services that offer tools. Their calls ask, since Haft cannot see what they do.</p>
      <LoadState query={query} what="servers" isEmpty={servers.length === 0} empty="None yet. Add one below." />
      <ul className="cards">
        {servers.map((server) => (
          <ServerRow key={server.name} server={server} />
        ))}
      </ul>
      <AddServer />
    </section>
  )
}

function ServerRow({ server }: { readonly server: ListedMcpServer }) {
  const queries = useQueryClient()
  const [showsErrors, setErrors] = useState(false)
  const { name, target, state, tools, problem, stderr, changed, isManaged, from, server: version } = server
  const refresh = {
    onSettled: () => {
      queries.invalidateQueries({ queryKey: ['mcp'] })
      queries.invalidateQueries({ queryKey: ['tools'] })
    },
  }
  const test = useMutation({
    mutationFn: (accept: boolean) => api().testMcpServer({ name, ...(accept && { accept }) }),
    ...refresh,
  })
  const remove = useMutation({ mutationFn: () => api().removeMcpServer({ name }), ...refresh })
  const [colour, word] = STATES[state]
  return (
    <li className="card-row" data-server={name}>
      <div className="flex wrap">
        <Plug className="i" strokeWidth={1.75} aria-hidden="true" />
        <code className="b">{name}</code>
        <span className={`tag ${colour}`}>{word}</span>
        {state === 'ready' && <span className="t1 q">{tools} tools</span>}
        <span className="grow" />
        <button type="button" className="btn" disabled={test.isPending} onClick={() => test.mutate(false)}>
          {test.isPending ? 'Testing…' : 'Test'}
          <span className="sr"> {name}</span>
        </button>
        {isManaged && (
          <button type="button" className="btn" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Remove<span className="sr"> {name}</span>
          </button>
        )}
      </div>
      <p className="t1 qq">
        <code>
          <Shown text={target} isLine />
        </code>{' '}
        · {from}
        {version && ` · ${version}`}
      </p>
      {problem && state !== 'ready' && <Problem text={`${asSentence(problem)} ${wayOn(state, from)}`} />}
      {test.error && <Problem text={test.error.message} />}
      {remove.error && <Problem text={remove.error.message} />}
      {test.data && state === 'ready' && (
        <p className="t1 ok" role="status">
          Answered, with {test.data.server.tools} tools.
        </p>
      )}
      {stderr !== undefined && stderr !== '' && (
        <>
          <button
            type="button"
            className="linkish t1"
            aria-expanded={showsErrors}
            onClick={() => setErrors(!showsErrors)}
          >
            {showsErrors ? 'Hide its error output' : 'Its error output'}
          </button>
          {showsErrors && <Output text={stderr} />}
        </>
      )}
      {changed.length > 0 && (
        <div className="col" style={{ gap: 8 }}>
          <p className="q">
            {changed.length === 1
              ? '1 tool has changed since you accepted it, and is held back.'
              : `${changed.length} tools have changed since you accepted them, and are held back.`}
          </p>
          {changed.map(({ tool, difference }) => (
            <div key={tool}>
              <code className="b">{tool}</code>
              <DiffView diff={difference} />
            </div>
          ))}
          <div>
            <button type="button" className="btn" onClick={() => test.mutate(true)}>
              {changed.length === 1 ? 'Accept it as it is now' : 'Accept them as they are now'}
            </button>
          </div>
        </div>
      )}
    </li>
  )
}
