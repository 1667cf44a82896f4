import { CirclePause, MessageSquarePlus, Play, RotateCcw, SkipForward } from 'lucide-react'
import type { PlanView } from '../../../../src/core/plans/plan-view.ts'
import { Shown } from '../../components/shown.tsx'
import { ActButton } from './act-button.tsx'
import type { usePlanAction } from './use-plans.ts'

interface Props {
  readonly pause: Required<PlanView>['pause']
  readonly act: ReturnType<typeof usePlanAction>
  readonly onFeedback: () => void
}

/** Why a plan is paused, and what a person can do. */
export function PausedNote({ pause, act, onFeedback }: Props) {
  const { job, reason, text } = pause
  const isFailed = reason === 'failed'
  return (
    <div className="note ask">
      <CirclePause className="i" strokeWidth={1.75} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>
            Paused. <Shown text={text} isLine />
          </b>
        </p>
        <div className="flex wrap acts" style={{ marginTop: 8 }}>
          {!isFailed && <ActButton act={act} action="resume" Icon={Play} label="Resume" isPrimary />}
          {job !== undefined && (
            <button type="button" className={`btn${isFailed ? ' pri' : ''}`} onClick={onFeedback}>
              <MessageSquarePlus className="i s" strokeWidth={1.75} aria-hidden="true" />
              Send feedback…
            </button>
          )}
          {isFailed && (
            <>
              <ActButton act={act} action="retry" job={job} Icon={RotateCcw} label="Try again" />
              <ActButton act={act} action="skip" job={job} Icon={SkipForward} label="Skip job" />
            </>
          )}
        </div>
      </div>
    </div>
  )
}
