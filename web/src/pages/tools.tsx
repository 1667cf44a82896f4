import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/api.ts'
import { useTools } from '../api/queries.ts'
import { CodeBlock } from '../components/code-block.tsx'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { Shown } from '../components/shown.tsx'

/** The tools of the workspace: where each comes from, what it may do, its schema, and the files that could not be loaded. */
export function ToolsPage() {
  const queries = useQueryClient()
  const { tools, skipped, error, isLoaded } = useTools({ isWatched: true })
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<string>()
  const refresh = useMutation({
    mutationFn: () => api().refreshTools({}),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tools'] }),
  })
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = tools.filter(({ name, description, source }) =>
    words.every((word) => `${name} ${description} ${source}`.toLowerCase().includes(word)),
  )
  const actions = (
    <button type="button" className="btn" onClick={() => refresh.mutate()} disabled={refresh.isPending}>
      <RefreshCw className="i s" strokeWidth={1.75} aria-hidden="true" />
      <span>Refresh</span>
    </button>
  )
  return (
    <Page title="Tools" actions={actions}>
      <div className="body pad">
        <input
          className="in"
          style={{ maxWidth: 480 }}
          placeholder="Filter by name, description or file"
          aria-label="Filter tools"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        {(error ?? refresh.error) && <Problem text={(error ?? refresh.error)?.message ?? ''} />}
        {!isLoaded && !error && <p className="q">Loading…</p>}
        {skipped.map(({ source, line, reason, isWarning }) => (
          <div
            key={`${source} ${line} ${reason}`}
            className={`note ${isWarning ? '' : 'bad'}`}
            style={{ marginTop: 8 }}
          >
            <TriangleAlert className="i" strokeWidth={1.75} aria-hidden="true" />
            <span className="grow">
              <code>{line === undefined ? source : `${source}:${line}`}</code> <Shown text={reason} />
            </span>
          </div>
        ))}
        <ul className="rows">
          {shown.map(({ name, description, effect, origin, source, line, parameters }) => (
            <li key={name} style={{ padding: '8px 12px' }}>
              <button
                type="button"
                className="li-plain"
                aria-expanded={chosen === name}
                onClick={() => setChosen(chosen === name ? undefined : name)}
              >
                <code className="b">{name}</code> <span className="tag">{effect}</span>{' '}
                <span className="t1 qq">
                  {origin === 'built-in' ? 'built in' : `${source}${line === undefined ? '' : `:${line}`}`}
                </span>
                <span className="q" style={{ display: 'block' }}>
                  <Shown text={description} />
                </span>
              </button>
              {chosen === name && <CodeBlock code={JSON.stringify(parameters, null, 2)} language="json" />}
            </li>
          ))}
        </ul>
        {isLoaded && shown.length === 0 && <p className="q">No tool matches.</p>}
      </div>
    </Page>
  )
}
