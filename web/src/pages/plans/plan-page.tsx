import { Pause, Play, Square, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { agentsOfPlan, isWithin } from '../../../../src/core/plans/agent-ids.ts'
import { isActive, type JobView, type PlanView, triesOf } from '../../../../src/core/plans/plan-view.ts'
import { useApprovals } from '../../api/queries.ts'
import { BackButton } from '../../components/back-button.tsx'
import { Page } from '../../components/page.tsx'
import { Problem } from '../../components/problem.tsx'
import { ShortPath } from '../../components/short-path.tsx'
import { Shown } from '../../components/shown.tsx'
import { ActButton } from './act-button.tsx'
import { JobPane } from './job-pane.tsx'
import { PausedNote } from './paused-note.tsx'
import { PlanIcon, PlanTag, Tries } from './plan-state.tsx'
import { usePlan, usePlanAction } from './use-plans.ts'
import { WorkedTime } from './worked-time.tsx'

/** One plan: its jobs as a table, live, and beside it one job with its tries. */
export function PlanPage({ id }: { readonly id: string }) {
  const query = usePlan(id)
  const act = usePlanAction(id)
  const [chosen, setChosen] = useState<string>()
  const plan = query.data?.plan
  if (plan === undefined)
    return (
      <Page title="Plan">
        <div className="pad q" role="status">
          {query.error ? <Problem text={query.error.message} /> : 'Loading the plan…'}
        </div>
      </Page>
    )
  const { state, isHeld, jobs } = plan
  // The job that was chosen or that waits for the person; else the one that is, or was last, worked on.
  const shown =
    jobs.find((job) => job.id === (chosen ?? plan.pause?.job)) ??
    jobs.find((job) => job.state === 'running') ??
    jobs.findLast(({ iterations }) => iterations.length > 0)
  const isCut = state === 'running' && !isHeld
  return (
    <Page
      title={plan.goal}
      className="p-plans"
      view={chosen === undefined ? undefined : 'detail'}
      heading={
        <>
          {chosen !== undefined && <BackButton onClick={() => setChosen(undefined)} />}
          <h1 className="cut">
            <Shown text={plan.goal} isLine />
          </h1>
          <PlanTag state={state} />
        </>
      }
      actions={
        <>
          {state === 'running' && isHeld && <ActButton act={act} action="pause" Icon={Pause} label="Pause" />}
          {(isCut || state === 'failed') && <ActButton act={act} action="resume" Icon={Play} label="Resume" />}
          {isActive(plan) && <ActButton act={act} action="stop" Icon={Square} label="Stop" />}
        </>
      }
    >
      <div className="two">
        <div className="pane">
          <PlanHead plan={plan} isCut={isCut} />
          {act.error && (
            <div className="pad">
              <Problem text={act.error.message} />
            </div>
          )}
          {plan.pause && (
            <div className="pad">
              <PausedNote
                pause={plan.pause}
                act={act}
                onFeedback={() => {
                  setChosen(plan.pause?.job)
                  requestAnimationFrame(() => document.getElementById('plan-feedback')?.focus())
                }}
              />
            </div>
          )}
          <JobTable jobs={jobs} current={shown?.id} onChoose={setChosen} />
        </div>
        <aside className="pane" aria-label={shown ? `Job ${shown.id}` : 'Job'}>
          <div className="det">
            {shown ? (
              <JobPane key={shown.id} plan={plan} job={shown} act={act} />
            ) : (
              <p className="q">
                Choose a job to see its tries, what its check said, and the transcript of its sub-agent.
              </p>
            )}
          </div>
        </aside>
      </div>
    </Page>
  )
}

function PlanHead({ plan, isCut }: { readonly plan: PlanView; readonly isCut: boolean }) {
  const { jobs, model, mode, source, workspace, state, text, madeIn } = plan
  const waiting = useApprovals().filter(({ session }) => isWithin(session, agentsOfPlan(plan.id))).length
  const count = (state: string) => jobs.filter((job) => job.state === state).length
  const tries = jobs.reduce((sum, { iterations }) => sum + iterations.length, 0)
  return (
    <div className="plan-head">
      <p className="q">
        {source && (
          <>
            <Shown text={source.path} isLine /> ·{' '}
          </>
        )}
        <ShortPath path={workspace} /> · {model} · mode {mode}
        {madeIn !== undefined && (
          <>
            {' '}
            · <Link href={`/sessions/${madeIn}`}>proposed in a session</Link>
          </>
        )}
      </p>
      {plan.warnings?.map((warning) => (
        <p key={warning} className="note ask">
          <TriangleAlert className="i" strokeWidth={1.75} aria-hidden="true" />
          <span>{warning}</span>
        </p>
      ))}
      <div
        className="meter"
        role="img"
        aria-label={`${count('completed')} of ${jobs.length} jobs completed, ${count('running')} running, ${count('failed')} failed`}
      >
        {jobs.map(({ id, state }) => (
          <span key={id} className={`of-${state}`} />
        ))}
      </div>
      <p className="t1 q">
        {count('completed')} of {jobs.length} jobs done{count('skipped') > 0 && `, ${count('skipped')} skipped`} ·{' '}
        {tries} {tries === 1 ? 'try' : 'tries'} ·{' '}
        <WorkedTime iterations={jobs.flatMap(({ iterations }) => iterations)} />
        {waiting > 0 && (
          <>
            {' '}
            · <Link href="/inbox">{waiting === 1 ? '1 call waits' : `${waiting} calls wait`} for you</Link>
          </>
        )}
        {isCut && ' · the process that ran it has ended; Resume goes on with the same job'}
        {text !== undefined && state !== 'completed' && ` · ${text}`}
      </p>
    </div>
  )
}

interface TableProps {
  readonly jobs: readonly JobView[]
  readonly current: string | undefined
  readonly onChoose: (job: string) => void
}

function JobTable({ jobs, current, onChoose }: TableProps) {
  return (
    <table className="jobs">
      <thead>
        <tr>
          <th>
            <span className="sr">State</span>
          </th>
          <th>Job</th>
          <th>Tries</th>
          <th className="h3">Check</th>
          <th className="h2">After</th>
          <th className="h3 end">Took</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.id} className={job.id === current ? 'on' : ''}>
            <td>
              <PlanIcon state={job.state} />
              <span className="sr">{job.state}</span>
            </td>
            <td>
              <button
                type="button"
                className="job-name"
                aria-current={job.id === current ? 'true' : undefined}
                onClick={() => onChoose(job.id)}
              >
                <span className="m b">{job.id}</span>
                <span className="q cut2">
                  <Shown text={job.prompt} isLine />
                </span>
              </button>
            </td>
            <td>{triesOf(job).length > 0 ? <Tries job={job} /> : <span className="qq t1">{waits(job, jobs)}</span>}</td>
            <td className="m t1 h3">
              <Shown text={job.check ?? ''} isLine />
            </td>
            <td className="t1 qq h2">{job.dependsOn?.join(', ')}</td>
            <td className="t1 qq nw h3 end">
              {job.iterations.length > 0 && <WorkedTime iterations={job.iterations} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function waits({ state, text, dependsOn = [] }: JobView, jobs: readonly JobView[]): string {
  if (state !== 'pending') return text ?? ''
  const open = jobs.filter(
    ({ id, state: other }) => dependsOn.includes(id) && !['completed', 'skipped'].includes(other),
  )
  return open.length === 0 ? '' : `waits for ${open.map(({ id }) => id).join(', ')}`
}
