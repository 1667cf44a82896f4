import { useQuery } from '@tanstack/react-query'
import { FlaskConical, PenLine } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { MODES } from '../../../../src/core/session/mode.ts'
import { api } from '../../api/api.ts'
import { BackButton } from '../../components/back-button.tsx'
import { Page } from '../../components/page.tsx'
import { LoadState } from '../../lists/load-state.tsx'
import { Rows } from '../../lists/rows.tsx'
import { useListKeys } from '../../lists/use-list-keys.ts'
import { useParams } from '../../lists/use-params.ts'
import { RuleListRow } from './rule-list-row.tsx'
import { type RuleRow, ruleRows } from './rule-rows.ts'
import { TestCall } from './test-call.tsx'
import { WriteRule } from './write-rule.tsx'

const HEIGHTS: Readonly<Record<RuleRow['kind'], number>> = { heading: 44, rule: 50, grant: 50 }

/** The rules in force by layer, the grants, a call to be tested, and a form for a rule of one's own. */
export function RulesPage() {
  const { get, set } = useParams()
  const field = useRef<HTMLInputElement>(null)
  const filter = get('q') ?? ''
  const view = get('view')
  const mode = MODES.find((one) => one === get('mode'))
  const rules = useQuery({
    queryKey: ['rules', mode ?? ''],
    queryFn: () => api().listRules(mode ? { mode } : {}),
    retry: 1,
    placeholderData: (before) => before,
  })
  const grants = useQuery({ queryKey: ['grants'], queryFn: () => api().listGrants({}), retry: 1 })
  const trust = useQuery({ queryKey: ['trust'], queryFn: () => api().getTrust({}), retry: 1 })
  const rows = useMemo(
    () => ruleRows({ rules: rules.data?.rules ?? [], grants: grants.data?.grants ?? [], trust: trust.data, filter }),
    [rules.data, grants.data, trust.data, filter],
  )
  const ids = useMemo(() => rows.flatMap((row) => (row.kind === 'heading' ? [] : [row.key])), [rows])
  const current = get('rule')
  useListKeys({ ids, current, choose: (rule) => set({ rule }), filter: field })
  const close = () => set({ view: undefined })
  return (
    <Page
      title="Rules"
      className="p-rules"
      view={view === undefined ? undefined : 'detail'}
      heading={
        <>
          <BackButton onClick={close} />
          <h1>Rules</h1>
          <span className="q">{rules.data && `${rules.data.rules.length} in force`}</span>
        </>
      }
      actions={
        <>
          <button
            type="button"
            className="btn bare"
            aria-pressed={view !== 'write'}
            onClick={() => set({ view: 'test' })}
          >
            <FlaskConical className="i s" strokeWidth={1.75} aria-hidden="true" />
            <span>Test a call</span>
          </button>
          <button type="button" className="btn" aria-pressed={view === 'write'} onClick={() => set({ view: 'write' })}>
            <PenLine className="i s" strokeWidth={1.75} aria-hidden="true" />
            <span>Write a rule</span>
          </button>
        </>
      }
    >
      <div className="two">
        <div className="pane col">
          <p className="intro">
            Any <b>deny</b> wins. Else the last layer that speaks counts: default, you, project, grants; inside a layer
            the strictest rule. When none speaks, writing, running and the network ask.
          </p>
          <search className="flt">
            <input
              ref={field}
              className="in"
              type="search"
              placeholder="Filter by name or reason"
              aria-label="Filter rules"
              value={filter}
              onChange={({ target }) => set({ q: target.value })}
            />
            <select
              className="in choice"
              aria-label="Mode"
              value={mode ?? rules.data?.mode ?? 'ask'}
              onChange={({ target }) => set({ mode: target.value })}
            >
              {MODES.map((one) => (
                <option key={one} value={one}>
                  In mode {one}
                </option>
              ))}
            </select>
          </search>
          <LoadState
            query={rules}
            what="rules"
            isEmpty={rows.length === 0}
            empty={
              <>
                No rule matches.{' '}
                <button type="button" className="linkish" onClick={() => set({ q: undefined })}>
                  Clear the filter
                </button>
              </>
            }
          />
          {rules.data && rows.length > 0 && (
            <Rows
              label="Rules and grants"
              rows={rows}
              keyOf={(row) => row.key}
              sizeOf={(row) => HEIGHTS[row.kind]}
              current={current}
              draw={(row) => (
                <RuleListRow
                  row={row}
                  isCurrent={row.key === current}
                  onOpen={() => set({ rule: row.key === current ? undefined : row.key })}
                />
              )}
            />
          )}
        </div>
        <aside className="pane test" aria-label={view === 'write' ? 'Write a rule' : 'Test a call'}>
          {view === 'write' ? <WriteRule /> : <TestCall />}
        </aside>
      </div>
    </Page>
  )
}
