import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Play } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import type { ToolDescription } from '../../../../src/core/tool/describe-tool.ts'
import { api } from '../../api/api.ts'
import { useHealth } from '../../api/queries.ts'
import { EffectRows } from '../../approval/effect-rows.tsx'
import { DiffView } from '../../components/diff-view.tsx'
import { Problem } from '../../components/problem.tsx'
import { useSettled } from '../../components/use-settled.ts'
import { LiveCall } from '../../live/live-call.tsx'
import { CheckNote } from './check-note.tsx'
import { CheckTrace } from './check-trace.tsx'
import { DryRunResult } from './dry-run-result.tsx'

const ArgumentsForm = lazy(() => import('../../approval/editing/arguments-form.tsx'))

/** A form made from the schema of a tool: what is typed is checked at once, tried without effect, then run, with its output as it comes. */
export function TryTool({ tool }: { readonly tool: ToolDescription }) {
  const queries = useQueryClient()
  const health = useHealth()
  const [draft, setDraft] = useState('{}')
  const settled = useSettled(draft, 200)
  const { value, problem: syntax } = read(draft)
  const isSettled = settled === draft
  const check = useQuery({
    queryKey: ['check', tool.name, settled],
    enabled: read(settled).problem === undefined,
    queryFn: () => api().checkTool({ name: tool.name, arguments: read(settled).value }),
    retry: 1,
    gcTime: 0,
    placeholderData: (before) => before,
  })
  const rehearse = useMutation({
    mutationFn: () => api().checkTool({ name: tool.name, arguments: value, dryRun: true }),
  })
  const run = useMutation({
    mutationFn: () => api().callTool({ name: tool.name, arguments: value, detached: true }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['log'] }),
  })
  const report = syntax === undefined ? check.data : undefined
  const isUntouched = draft === '{}' && report?.decision === 'invalid'
  const isReady = report !== undefined && isSettled && !check.isFetching
  const canRun = isReady && (report.decision === 'allow' || report.decision === 'ask')
  const started = run.data && 'call' in run.data ? run.data : undefined
  return (
    <>
      <Tabs.Root defaultValue="form">
        <Tabs.List className="seg" aria-label="Arguments as">
          <Tabs.Trigger value="form">Form</Tabs.Trigger>
          <Tabs.Trigger value="json">JSON</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="form" style={{ paddingTop: 10 }}>
          <Suspense fallback={<p className="q">Loading the form…</p>}>
            {health && (
              <ArgumentsForm
                tool={tool.name}
                workspace={health.workspace}
                value={value ?? {}}
                onChange={(next) => setDraft(JSON.stringify(next, null, 2))}
              />
            )}
          </Suspense>
        </Tabs.Content>
        <Tabs.Content value="json" style={{ paddingTop: 10 }}>
          <label className="sr" htmlFor="try-json">
            Arguments as JSON
          </label>
          <textarea
            id="try-json"
            className={`in m${syntax === undefined ? '' : ' bad'}`}
            rows={Math.min(16, draft.split('\n').length + 2)}
            spellCheck={false}
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
        </Tabs.Content>
      </Tabs.Root>
      {syntax !== undefined && <Problem text={`Not valid JSON: ${syntax}`} />}
      {check.error && <Problem text={`The check failed: ${check.error.message}`} />}
      {report &&
        (isUntouched ? (
          <p className="q">Fill in what is required; it is checked as you type.</p>
        ) : (
          <CheckNote report={report} />
        ))}
      <div className="flex wrap try-acts">
        <span className="grow t1 qq">{isReady ? 'Checked as you type. Nothing has run.' : 'Checking…'}</span>
        {tool.effect !== 'none' && tool.effect !== 'read' && (
          <button
            type="button"
            className="btn"
            disabled={!canRun || rehearse.isPending}
            onClick={() => rehearse.mutate()}
          >
            <FlaskConical className="i s" strokeWidth={1.75} aria-hidden="true" />
            {rehearse.isPending ? 'Trying…' : 'Dry run'}
          </button>
        )}
        <button type="button" className="btn pri" disabled={!canRun || run.isPending} onClick={() => run.mutate()}>
          <Play className="i" strokeWidth={1.75} aria-hidden="true" />
          {report?.decision === 'ask' ? 'Run…' : 'Run'}
        </button>
      </div>
      {run.error && <Problem text={run.error.message} />}
      {started && (
        <section className="tried" aria-label="The call">
          <LiveCall call={started.call} session={started.session} />
        </section>
      )}
      {rehearse.error && <Problem text={rehearse.error.message} />}
      {rehearse.data && <DryRunResult report={rehearse.data} />}
      {report?.preview?.kind === 'diff' && !started && <DiffView diff={report.preview.text} />}
      {report?.summary && <EffectRows rows={report.summary.rows} />}
      {report && <CheckTrace report={report} />}
    </>
  )
}

function read(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
