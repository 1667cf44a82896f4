import { Ban, Check, Circle, CirclePause, LoaderCircle, type LucideIcon, SkipForward, X } from 'lucide-react'
import type { IterationView, JobView, PlanState } from '../../../../src/core/plans/plan-view.ts'
import { triesOf } from '../../../../src/core/plans/plan-view.ts'

const LOOKS: Readonly<Record<PlanState, readonly [LucideIcon, string]>> = {
  pending: [Circle, 'qq'],
  running: [LoaderCircle, 'run spin'],
  paused: [CirclePause, 'ask'],
  completed: [Check, 'ok'],
  failed: [X, 'bad'],
  skipped: [SkipForward, 'off'],
  cancelled: [Ban, 'off'],
}

/** The icon of the state of a plan or job; the word for it stands beside it, or is read aloud. */
export function PlanIcon({ state }: { readonly state: PlanState }) {
  const [Icon, colour] = LOOKS[state]
  return <Icon className={`i ${colour}`} strokeWidth={1.75} aria-hidden="true" />
}

/** The state of a plan or job as a tag. */
export function PlanTag({ state }: { readonly state: PlanState }) {
  const [Icon, colour] = LOOKS[state]
  return (
    <span className={`tag ${colour.split(' ')[0]}`}>
      <Icon className={`i${state === 'running' ? ' spin' : ''}`} strokeWidth={1.75} aria-hidden="true" />
      {state}
    </span>
  )
}

const OUTCOMES: Readonly<Record<IterationView['outcome'], PlanState>> = {
  running: 'running',
  checking: 'running',
  passed: 'completed',
  failed: 'failed',
  left: 'cancelled',
}

/** The icon of what came of a try. */
export function IterationIcon({ outcome }: Pick<IterationView, 'outcome'>) {
  return <PlanIcon state={OUTCOMES[outcome]} />
}

/** The tries of a job: an icon each, and how many may be made. */
export function Tries({ job }: { readonly job: JobView }) {
  const tries = triesOf(job)
  if (tries.length === 0) return null
  return (
    <span className="its">
      <span className="sr">
        {tries.length} of {job.maxIterations} tries
      </span>
      {tries.map(({ iteration, outcome }) => (
        <IterationIcon key={iteration} outcome={outcome} />
      ))}
      <span className="qq t1" aria-hidden="true">
        {tries.length}/{job.maxIterations}
      </span>
    </span>
  )
}
