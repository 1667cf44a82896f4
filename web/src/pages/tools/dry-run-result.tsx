import type { CheckReport } from '../../../../src/core/call/check-report.ts'
import { DiffView } from '../../components/diff-view.tsx'
import { Output } from '../../components/output.tsx'
import { Problem } from '../../components/problem.tsx'

/** What a dry run showed: its output, and what it would change. Nothing was applied. */
export function DryRunResult({ report }: { readonly report: CheckReport }) {
  const { dryRun, preview } = report
  const diff = dryRun?.ok ? diffIn(dryRun.data) : undefined
  const printed = dryRun?.ok ? (diff ? dryRun.text.replace(diff, '').trim() : dryRun.text) : ''
  return (
    <section className="col tried" aria-label="Dry run" style={{ gap: 8 }}>
      <p className="q" role="status">
        <b>Dry run.</b> Nothing was applied.
      </p>
      {dryRun && !dryRun.ok && <Problem text={dryRun.text} code={dryRun.code} />}
      {printed !== '' && <Output text={printed} />}
      {diff !== undefined && diff !== '' && <DiffView diff={diff} />}
      {dryRun === undefined && preview?.kind === 'diff' && <DiffView diff={preview.text} />}
      {dryRun === undefined && preview?.kind !== 'diff' && (
        <p className="q">
          This tool cannot be tried without effect. The check above says all that is known beforehand.
        </p>
      )}
    </section>
  )
}

function diffIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('diff' in data)) return undefined
  return typeof data.diff === 'string' ? data.diff : undefined
}
