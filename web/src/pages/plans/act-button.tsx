import type { LucideIcon } from 'lucide-react'
import type { PlanAction } from '../../../../src/core/plans/plan-event.ts'
import type { usePlanAction } from './use-plans.ts'

interface Props {
  readonly act: ReturnType<typeof usePlanAction>
  readonly action: PlanAction
  readonly job?: string | undefined
  readonly Icon: LucideIcon
  readonly label: string
  readonly isPrimary?: boolean
}

/** A button that asks something of a plan: pause, resume, stop, retry or skip. */
export function ActButton({ act, action, job, Icon, label, isPrimary = false }: Props) {
  return (
    <button
      type="button"
      className={`btn${isPrimary ? ' pri' : ''}`}
      disabled={act.isPending}
      onClick={() => act.mutate({ action, ...(job !== undefined && { job }) })}
    >
      <Icon className="i s" strokeWidth={1.75} aria-hidden="true" />
      <span>{label}</span>
    </button>
  )
}
