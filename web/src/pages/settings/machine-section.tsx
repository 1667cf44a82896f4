import { useQuery } from '@tanstack/react-query'
import { Check, RefreshCw, X } from 'lucide-react'
import { api } from '../../api/api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Shown } from '../../components/shown.tsx'
import { LoadState } from '../../lists/load-state.tsx'

/** What `haft doctor` finds on this machine: each promise that was tried, and what to do where one does not hold. */
export function MachineSection() {
  const query = useQuery({
    queryKey: ['doctor'],
    queryFn: () => api().doctor({}),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
  const findings = query.data?.findings ?? []
  const broken = findings.filter(({ holds }) => !holds)
  const others = findings.filter(({ holds }) => holds)
  return (
    <section aria-labelledby="machine-h">
      <div className="flex">
        <h2 id="machine-h" className="title">
          This machine
        </h2>
        <span className="grow" />
        <button type="button" className="btn" disabled={query.isFetching} onClick={() => query.refetch()}>
          <RefreshCw className={`i s${query.isFetching ? ' spin' : ''}`} strokeWidth={1.75} aria-hidden="true" />
          {query.isFetching ? 'Trying…' : 'Try again'}
        </button>
      </div>
      {query.data && (
        <p className="q" role="status">
          {broken.length === 0
            ? `All ${findings.length} checks passed.`
            : `${broken.length} of ${findings.length} checks failed.`}
        </p>
      )}
      <LoadState query={query} what="findings" isEmpty={false} empty="" />
      <ul className="found">
        {[...broken, ...others].map(({ what, holds, seen, remedy }) => (
          <li key={`${what} ${seen}`} className={holds ? '' : 'tint'}>
            {holds ? (
              <Check className="i ok" strokeWidth={1.75} aria-hidden="true" />
            ) : (
              <X className="i bad" strokeWidth={1.75} aria-hidden="true" />
            )}
            <span className="b what">
              {what}
              <span className="sr">{holds ? ', works' : ', does not work'}</span>
            </span>
            <span className="grow">
              <Shown text={seen} />
              {remedy !== undefined && !holds && (
                <span className="remedy">
                  <span className="t1 q">What to do:</span>
                  <CodeBlock code={remedy} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
