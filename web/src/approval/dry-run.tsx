import { useMutation } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useEffect } from 'react'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { api } from '../api/api.ts'
import { DiffView } from '../components/diff-view.tsx'
import { Output } from '../components/output.tsx'
import { Problem } from '../components/problem.tsx'

interface Props {
  readonly approval: ListedApproval
  /** True where the key D asked for it: it begins at once. */
  readonly isAsked: boolean
}

/** Runs the command on an overlay that is thrown away, and shows what it would change. */
export function DryRun({ approval, isAsked }: Props) {
  const run = useMutation({ mutationFn: () => api().dryRunApproval({ id: approval.id }) })
  const { data, mutate, isIdle } = run
  useEffect(() => {
    if (isAsked && isIdle) mutate()
  }, [isAsked, isIdle, mutate])
  if (data?.ok) {
    const diff = diffIn(data.data)
    const printed = diff === undefined ? data.text : data.text.replace(diff, '').trim()
    return (
      <div className="col" style={{ gap: 8, paddingTop: 8 }}>
        <p className="q">
          <FlaskConical className="i s" strokeWidth={1.75} aria-hidden="true" /> <span className="b">A dry run.</span>{' '}
          Nothing was applied.
        </p>
        {printed !== '' && <Output text={printed} />}
        {diff !== undefined && diff !== '' && <DiffView diff={diff} />}
      </div>
    )
  }
  return (
    <div className="col" style={{ gap: 8, paddingTop: 8 }}>
      <p className="q">Runs it on a copy of the workspace that is thrown away.</p>
      <div>
        <button type="button" className="btn" disabled={run.isPending} onClick={() => run.mutate()}>
          {run.isPending ? 'Running…' : 'Dry run'} <kbd>D</kbd>
        </button>
      </div>
      {data && !data.ok && <Problem text={data.text} code={data.code} />}
      {run.error && <Problem text={run.error.message} />}
    </div>
  )
}

function diffIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('diff' in data)) return undefined
  return typeof data.diff === 'string' ? data.diff : undefined
}
