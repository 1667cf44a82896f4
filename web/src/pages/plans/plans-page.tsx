import { useMutation } from '@tanstack/react-query'
import { Play, Route } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import { Page } from '../../components/page.tsx'
import { Problem } from '../../components/problem.tsx'
import { ShortPath } from '../../components/short-path.tsx'
import { Shown } from '../../components/shown.tsx'
import { TimeSince } from '../../components/time-since.tsx'
import { LoadState } from '../../lists/load-state.tsx'
import { PlanIcon } from './plan-state.tsx'
import { usePlans } from './use-plans.ts'

/** Plans of every workspace, the last used first. */
export function PlansPage() {
  const [, go] = useLocation()
  const query = usePlans()
  const plans = query.data?.plans ?? []
  const demo = useMutation({
    mutationFn: () => api().startPlan({ demo: true }),
    onSuccess: ({ plan }) => go(`/plans/${plan.id}`),
  })
  const runDemo = (
    <button type="button" className="btn" disabled={demo.isPending} onClick={() => demo.mutate()}>
      <Play className="i s" strokeWidth={1.75} aria-hidden="true" />
      <span>Run the demo plan</span>
    </button>
  )
  return (
    <Page title="Plans" className="p-plans" actions={runDemo}>
      <div className="pane grow">
        {demo.error && (
          <div className="pad">
            <Problem text={demo.error.message} />
          </div>
        )}
        <LoadState
          query={query}
          what="plans"
          isEmpty={plans.length === 0}
          Icon={Route}
          title="No plan yet."
          empty={
            <>
              A plan is a list of jobs. Sub-agents work through it, each job until its check passes. Start one with{' '}
              <code>haft plan FILE</code>, ask a model to propose one, or run the demo plan.
            </>
          }
        />
        {plans.length > 0 && (
          <ul className="plan-list" aria-label="Plans, the last used first">
            {plans.map(({ id, goal, state, jobs, workspace, lastAt, isHeld }) => (
              <li key={id}>
                <Link className="li" href={`/plans/${id}`}>
                  <PlanIcon state={state} />
                  <span className="grow">
                    <span className="cut" style={{ display: 'block' }}>
                      <Shown text={goal} isLine />
                    </span>
                    <span className="meta cut" style={{ display: 'block' }}>
                      {state === 'running' && !isHeld ? 'interrupted' : state} ·{' '}
                      {jobs.filter((job) => job.state === 'completed').length} of {jobs.length} jobs ·{' '}
                      <ShortPath path={workspace} />
                    </span>
                  </span>
                  <span className="t1 qq nw">
                    <TimeSince at={lastAt} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>
  )
}
