import { CirclePause, MessageSquarePlus, Play, RotateCcw, SkipForward } from 'lucide-react'
import type { PlanView } from '../../../../src/core/plans/plan-view.ts'
import { Shown } from '../../components/shown.tsx'
import type { usePlanAction } from './use-plans.ts'

interface Props {
  readonly pause: Required<PlanView>['pause']
  readonly act: ReturnType<typeof usePlanAction>
  readonly onFeedback: () => void
}

/** Why a plan is paused, and what a person can do. */
export function PausedNote({ pause, act, onFeedback }: Props) {
  const { job, reason, text } = pause
  const about = job === undefined ? {} : { job }
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
          {!isFailed && (
            <button
              type="button"
              className="btn pri"
              disabled={act.isPending}
              onClick={() => act.mutate({ action: 'resume' })}
            >
              <Play className="i s" strokeWidth={1.75} aria-hidden="true" />
              Go on
            </button>
          )}
          {job !== undefined && (
            <button type="button" className={`btn${isFailed ? ' pri' : ''}`} onClick={onFeedback}>
              <MessageSquarePlus className="i s" strokeWidth={1.75} aria-hidden="true" />
              Send feedback…
            </button>
          )}
          {isFailed && (
            <>
              <button
                type="button"
                className="btn"
                disabled={act.isPending}
                onClick={() => act.mutate({ action: 'retry', ...about })}
              >
                <RotateCcw className="i s" strokeWidth={1.75} aria-hidden="true" />
                Try again
              </button>
              <button
                type="button"
                className="btn"
                disabled={act.isPending}
                onClick={() => act.mutate({ action: 'skip', ...about })}
              >
                <SkipForward className="i s" strokeWidth={1.75} aria-hidden="true" />
                Skip job
              </button>
            </>
          )}
        </div>
      </div>
    </div>
  )
}
