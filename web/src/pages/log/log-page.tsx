import { useMutation } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useMemo, useRef, useState } from 'react'
import type { CallRecord } from '../../../../src/core/call/call-record.ts'
import { BackButton } from '../../components/back-button.tsx'
import { Page } from '../../components/page.tsx'
import { Problem } from '../../components/problem.tsx'
import { LoadState } from '../../lists/load-state.tsx'
import { Rows } from '../../lists/rows.tsx'
import { useListKeys } from '../../lists/use-list-keys.ts'
import { useParams } from '../../lists/use-params.ts'
import { CallRow } from './call-row.tsx'
import { isOld } from './call-words.ts'
import { type ExportForm, exportCalls } from './export-calls.ts'
import { LogFilters } from './log-filters.tsx'
import { Story } from './story.tsx'
import { type CallSearch, useCalls } from './use-calls.ts'

/** S0.12: every call of every session, with filters and search; beside it the full story of one. */
export function LogPage() {
  const { get, set } = useParams()
  const field = useRef<HTMLInputElement>(null)
  const search: CallSearch = {
    ...{ q: get('q'), session: get('session'), tool: get('tool') },
    ...{ decision: get('decision'), outcome: get('outcome'), since: get('since') },
  }
  const call = get('call')
  const { query, calls, isNewer, reload } = useCalls(search)
  const isFiltered = Object.values(search).some((one) => one !== undefined)
  const choose = (id: string) => set({ call: id }, { isStep: call === undefined })
  const close = () => set({ call: undefined })
  const ids = useMemo(() => calls.map((one) => one.call), [calls])
  useListKeys({ ids, current: call, choose, close, filter: field })
  const count = `${calls.length.toLocaleString('en')}${query.hasNextPage ? '+' : ''} ${calls.length === 1 ? 'call' : 'calls'}`
  return (
    <Page
      title="Log"
      className="p-log"
      view={call === undefined ? undefined : 'detail'}
      heading={
        <>
          <BackButton onClick={close} />
          <h1>Log</h1>
          <span className="q">{query.isPending ? '' : count}</span>
        </>
      }
      actions={<ExportMenu search={search} />}
    >
      <div className={`two${call === undefined ? ' one' : ''}${calls.some(isOld) ? ' dated' : ''}`}>
        <div className="pane col">
          <LogFilters search={search} onChange={set} field={field} />
          {isNewer && (
            <button type="button" className="newer" onClick={reload}>
              There are newer calls. Show them
            </button>
          )}
          <LoadState
            query={query}
            what="calls"
            isEmpty={calls.length === 0}
            {...(!isFiltered && { Icon: ScrollText, title: 'No call yet.' })}
            empty={
              isFiltered ? (
                <>
                  No call matches.{' '}
                  <button
                    type="button"
                    className="linkish"
                    onClick={() => set(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])))}
                  >
                    Clear filters
                  </button>
                </>
              ) : (
                'Every call of every session is listed here: when it was made, its arguments, who allowed it and how it ended.'
              )
            }
          />
          {calls.length > 0 && (
            <>
              <div className="call-row head" aria-hidden="true">
                <span>Time</span>
                <span>Tool</span>
                <span>Arguments</span>
                <span className="dec">Decision</span>
                <span>Outcome</span>
                <span className="took">Took</span>
              </div>
              <Rows
                label="Calls, the newest first"
                rows={calls as readonly CallRecord[]}
                keyOf={(one) => one.call}
                sizeOf={() => 35}
                current={call}
                onEnd={query.hasNextPage && !query.isFetching ? () => query.fetchNextPage() : undefined}
                draw={(one) => <CallRow record={one} isCurrent={one.call === call} onOpen={() => choose(one.call)} />}
              />
            </>
          )}
        </div>
        {call !== undefined && <Story key={call} call={call} onClose={close} />}
      </div>
    </Page>
  )
}

function ExportMenu({ search }: { readonly search: CallSearch }) {
  const [count, setCount] = useState(0)
  const save = useMutation({ mutationFn: (form: ExportForm) => exportCalls(search, form, setCount) })
  return (
    <>
      {save.error && <Problem text={save.error.message} />}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="btn bare" disabled={save.isPending}>
          <Download className="i" strokeWidth={1.75} aria-hidden="true" />
          <span>{save.isPending ? `${count.toLocaleString('en')} calls…` : 'Export'}</span>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="pop" align="end" sideOffset={4}>
            <DropdownMenu.Item className="opt" onSelect={() => save.mutate('csv')}>
              As a table (CSV)
            </DropdownMenu.Item>
            <DropdownMenu.Item className="opt" onSelect={() => save.mutate('jsonl')}>
              As JSON lines
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </>
  )
}
