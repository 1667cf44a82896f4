import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderPlus, RefreshCw, TriangleAlert } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { api } from '../../api/api.ts'
import { BackButton } from '../../components/back-button.tsx'
import { Page } from '../../components/page.tsx'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'
import { TimeSince } from '../../components/time-since.tsx'
import { LoadState } from '../../lists/load-state.tsx'
import { Rows } from '../../lists/rows.tsx'
import { useListKeys } from '../../lists/use-list-keys.ts'
import { useParams } from '../../lists/use-params.ts'
import { EffectMark } from './effect-mark.tsx'
import { type ToolRow, toolRows } from './tool-rows.ts'
import { ToolView } from './tool-view.tsx'
import { Why } from './why.tsx'

const HEIGHTS = { heading: 34, skipped: 62, tool: 50 } as const

/** S0.8: the tools of the workspace, by where they come from; beside the list one tool, to be tried. */
export function ToolsPage() {
  const queries = useQueryClient()
  const { get, set } = useParams()
  const field = useRef<HTMLInputElement>(null)
  const filter = get('q') ?? ''
  const chosen = get('tool')
  const query = useQuery({
    queryKey: ['tools', ''],
    queryFn: () => api().listTools({}),
    // A saved file shows within a second; a very long list is read less often, since each reading costs the page time.
    refetchInterval: ({ state }) => ((state.data?.tools.length ?? 0) > 1_000 ? 5_000 : 1_000),
    retry: 1,
  })
  const refresh = useMutation({
    mutationFn: () => api().refreshTools({}),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tools'] }),
  })
  const { tools = [], skipped = [] } = query.data ?? {}
  const rows = useMemo(() => toolRows({ tools, skipped }, filter), [tools, skipped, filter])
  const ids = useMemo(() => rows.flatMap((row) => (row.kind === 'tool' ? [row.tool.name] : [])), [rows])
  const tool = tools.find(({ name, wireName }) => name === chosen || wireName === chosen)
  const choose = (name: string) => set({ tool: name }, { isStep: chosen === undefined })
  const close = () => set({ tool: undefined })
  useListKeys({ ids, current: chosen, choose, close, filter: field })
  const broken = skipped.filter(({ isWarning }) => !isWarning).length
  return (
    <Page
      title="Tools"
      className="p-tools"
      view={chosen === undefined ? undefined : 'detail'}
      heading={
        <>
          <BackButton onClick={close} />
          <h1>Tools</h1>
          <span className="q">
            {query.data && tools.length.toLocaleString('en')}
            {broken > 0 && `, ${broken} skipped`}
          </span>
        </>
      }
      actions={
        <>
          {refresh.isSuccess && (
            <span className="t1 qq hide-s" role="status">
              read again <TimeSince at={refresh.submittedAt} /> ago
            </span>
          )}
          <Link className="btn bare" href="/settings/tools" title="Add a tool folder">
            <FolderPlus className="i s" strokeWidth={1.75} aria-hidden="true" />
            <span>Add a folder</span>
          </Link>
          <button type="button" className="btn" onClick={() => refresh.mutate()} disabled={refresh.isPending}>
            <RefreshCw className={`i s${refresh.isPending ? ' spin' : ''}`} strokeWidth={1.75} aria-hidden="true" />
            <span>{refresh.isPending ? 'Reading…' : 'Refresh'}</span>
          </button>
        </>
      }
    >
      <div className="two">
        <div className="pane col">
          <search className="flt">
            <input
              ref={field}
              className="in"
              type="search"
              placeholder="Filter by name, source, effect"
              aria-label="Filter tools"
              value={filter}
              onChange={({ target }) => set({ q: target.value })}
            />
            <kbd>/</kbd>
          </search>
          {refresh.error && <Problem text={refresh.error.message} />}
          <LoadState
            query={query}
            what="tools"
            isEmpty={rows.length === 0}
            empty={
              filter === '' ? (
                <>
                  Put a <code>.py</code> file with <code>TOOL_SPECS</code> into <code>~/.haft/tools</code>; it appears
                  here at once.
                </>
              ) : (
                <div className="col" style={{ gap: 12 }}>
                  <p>
                    No tool matches.{' '}
                    <button type="button" className="linkish" onClick={() => set({ q: undefined })}>
                      Clear the filter
                    </button>
                  </p>
                  {/^\S+$/.test(filter) && <Why key={filter} tool={filter} />}
                </div>
              )
            }
          />
          {rows.length > 0 && (
            <Rows
              label="Tools"
              rows={rows}
              keyOf={(row) => row.key}
              sizeOf={(row) => HEIGHTS[row.kind]}
              current={chosen && `tool ${chosen}`}
              draw={(row) => (
                <Row row={row} isCurrent={row.kind === 'tool' && row.tool === tool} onOpen={(name) => choose(name)} />
              )}
            />
          )}
        </div>
        <div className="pane">
          <div className="det">
            {tool ? (
              <ToolView key={tool.name} tool={tool} />
            ) : chosen !== undefined && query.data ? (
              <div className="col" style={{ gap: 12 }}>
                <Problem text={`There is no tool ${JSON.stringify(chosen)}.`} />
                <Why tool={chosen} />
              </div>
            ) : (
              <p className="q">Choose a tool to see its schema and to try it.</p>
            )}
          </div>
        </div>
      </div>
    </Page>
  )
}

interface RowProps {
  readonly row: ToolRow
  readonly isCurrent: boolean
  readonly onOpen: (name: string) => void
}

function Row({ row, isCurrent, onOpen }: RowProps) {
  if (row.kind === 'heading')
    return (
      <h2 className="gh">
        {row.isBad && <TriangleAlert className="i s bad" strokeWidth={1.75} aria-hidden="true" />}
        <span className={row.isFile ? 'm cut' : 'cut'} title={row.title}>
          {row.title}
        </span>
        <span className="right qq">{row.count.toLocaleString('en')}</span>
      </h2>
    )
  if (row.kind === 'skipped') {
    const { source, line, reason, isWarning } = row.skipped
    return (
      <div className={`li ${isWarning ? '' : 'tint'}`}>
        <span className="grow">
          <span className="m b">{line === undefined ? source : `${source}:${line}`}</span>
          <span className="t1" style={{ display: 'block' }}>
            <Shown text={/[.!?]$/.test(reason) ? reason : `${reason}.`} />{' '}
            {isWarning ? 'It is offered all the same.' : 'Its tools are not offered.'}
          </span>
        </span>
      </div>
    )
  }
  const { name, description, effect } = row.tool
  return (
    <button type="button" className="li" aria-current={isCurrent ? 'true' : undefined} onClick={() => onOpen(name)}>
      <span className="grow">
        <span className="m b">{name}</span>
        <span className="d cut t1 q" style={{ display: 'block' }}>
          <Shown text={description} isLine />
        </span>
      </span>
      <EffectMark effect={effect} />
    </button>
  )
}
