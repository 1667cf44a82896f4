import type { PlanRecord } from '../../app/plans/plans.ts'
import { showTime } from '../../core/plans/show-time.ts'
import { printableLine } from '../../core/text/printable.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint } from '../terminal/front-end.ts'
import { relativeTime } from '../terminal/relative-time.ts'
import { type Cell, tableLines } from '../terminal/table.ts'
import { headLines, jobLines, restLines, SIGNS } from './plan-lines.ts'

/** Prints plans, one row each. */
export function listPlans(cli: Cli, { json }: CommonOptions, plans: readonly PlanRecord[]): number {
  if (json) cli.writeJson({ plans })
  else if (plans.length === 0) cli.print(paint('dim', 'No plans yet in this folder. Try: haft plan demo'))
  else for (const line of tableLines(plans.map(cellsOf), { last: 'cut' })) cli.print(line)
  return EXIT.ok
}

function cellsOf(plan: PlanRecord): Cell[] {
  const { id, state, jobs, lastAt, goal, isHeld } = plan
  const [, style] = SIGNS[state]
  const done = jobs.filter((job) => job.state === 'completed').length
  const isCut = state === 'running' && !isHeld
  return [
    { style: 'bold', text: id },
    { style: isCut ? 'yellow' : style, text: isCut ? 'interrupted' : state },
    { style: 'dim', text: `${done}/${jobs.length}`, isRight: true },
    { style: 'dim', text: relativeTime(new Date(lastAt).toISOString(), Date.now()), isRight: true },
    { style: 'reset', text: printableLine(goal) },
  ]
}

/** Prints one plan: its jobs, each try, and what the last check said. */
export async function showPlanLines(cli: Cli, { json }: CommonOptions, plan: PlanRecord): Promise<number> {
  if (json) {
    cli.writeJson(plan)
    return EXIT.ok
  }
  const look = { paint, columns: columnsOf(process.stdout), now: Date.now() }
  const { isHeld, state } = plan
  for (const line of [...headLines(plan, look), ...jobLines(plan, look)]) cli.print(line)
  for (const { id, iterations } of plan.jobs)
    for (const { iteration, outcome, text = '', agent, worked } of iterations)
      if (outcome === 'failed' || outcome === 'left')
        cli.print(
          paint(
            'dim',
            `  ${id}, try ${iteration}, ${showTime(worked)}: ${text || 'broken off'} (haft sessions ${agent})`,
          ),
        )
  if (state === 'running' && !isHeld)
    cli.print(paint('yellow', `Its process has ended. Go on with: haft plan resume ${plan.id}`))
  else if (state !== 'running') for (const line of restLines(plan, look)) cli.print(line)
  return EXIT.ok
}
