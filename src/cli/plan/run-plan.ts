import type { Home } from '../../app/home.ts'
import type { PlanCaller, StartedPlan } from '../../app/plans/plans.ts'
import type { Approver } from '../../core/approval/approval.ts'
import { type Failure, isFailure } from '../../core/call/result.ts'
import { agentsOfPlan, isWithin } from '../../core/plans/agent-ids.ts'
import type { PlanView } from '../../core/plans/plan-view.ts'
import type { Event } from '../../core/session/event.ts'
import { reportProblem } from '../output/report-problem.ts'
import { runApprover } from '../run/run-approver.ts'
import { hasPerson } from '../terminal/ask-line.ts'
import { type Cli, type CommonOptions, columnsOf, decisionOf, EXIT, paint } from '../terminal/front-end.ts'
import type { Interrupt } from '../terminal/interrupt.ts'
import { askNext } from './ask-next.ts'
import { restLines } from './plan-lines.ts'
import { createPlanScreen, type PlanScreen } from './plan-screen.ts'

/** What runs: the home, and how to start or go on. */
export interface ShownPlan {
  readonly home: Home
  readonly interrupt: Interrupt
  begin(caller: PlanCaller): Promise<StartedPlan | Failure>
}

/** Starts or goes on with a plan, shows it until it rests, and asks the person at the terminal what to do when it is paused. Resolves to the exit code. */
export async function showPlan(cli: Cli, options: CommonOptions, shown: ShownPlan): Promise<number> {
  const { home, interrupt } = shown
  let screen: PlanScreen | undefined
  const approver = holding(runApprover(cli.programs), () => screen)
  const caller: PlanCaller = {
    ...(approver && { approver }),
    ...(options.wait && { wait: true }),
    by: 'terminal',
    ...decisionOf(options),
    signal: interrupt.signal,
  }
  let begin = () => shown.begin(caller)
  for (;;) {
    const from = await home.log.end()
    const started = await begin()
    if (isFailure(started)) return reportProblem(cli, options, started)
    screen = options.json ? undefined : createPlanScreen(started.id)
    const view = await watch(cli, screen, { home, started, from })
    if (options.json !== true) for (const line of restOf(view)) cli.print(line)
    const next =
      options.json || interrupt.signal.aborted || !hasPerson() ? undefined : await askNext(view, interrupt.signal)
    if (next === undefined) return interrupt.exitCode() ?? exitCodeOf(view)
    begin = () => home.plans.act(view.id, { ...next, ...caller })
  }
}

/** An approver that removes the table while it asks. */
function holding(approver: Approver | undefined, screen: () => PlanScreen | undefined): Approver | undefined {
  if (approver === undefined) return undefined
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    const held = screen()
    held?.hold()
    try {
      return await ask()
    } finally {
      held?.release()
    }
  }
  const { input } = approver
  return {
    ...approver,
    ask: (...given) => asking(() => approver.ask(...given)),
    ...(input && { input: (...given: Parameters<typeof input>) => asking(() => input(...given)) }),
  }
}

function restOf(view: PlanView): string[] {
  return restLines(view, { paint, columns: columnsOf(process.stdout), now: Date.now() })
}

interface Watched {
  readonly home: Home
  readonly started: StartedPlan
  /** Only events after this cursor are shown, and the plan's own. */
  readonly from: number
}

/** Shows what happens until the plan rests, in whatever process it runs. */
async function watch(cli: Cli, screen: PlanScreen | undefined, { home, started, from }: Watched): Promise<PlanView> {
  const { id } = started
  const over = new AbortController()
  const agents = agentsOfPlan(id)
  const seen = new Set<string>()
  const show = (event: Event): void => {
    if (seen.has(event.id) || (event.session !== id && !isWithin(event.session, agents))) return
    seen.add(event.id)
    if (screen) screen.add(event)
    else cli.writeJson(event)
  }
  // What happened before is part of the table, and no news for a program.
  for (const event of await home.log.read({ session: id })) {
    if ((event.cursor ?? 0) > from) continue
    seen.add(event.id)
    screen?.add(event)
  }
  const follow = async () => {
    for await (const event of home.log.follow({ after: from, signal: over.signal })) show(event)
  }
  const following = follow()
  try {
    const view = await started.rest
    for (const event of await home.log.read({ session: id, after: from })) show(event)
    return view
  } finally {
    over.abort()
    await following.catch(() => undefined)
    screen?.stop()
  }
}

/** 0 where it is done or waits as it was told to, 4 where a limit of the plan ended it, 1 elsewhere. */
export function exitCodeOf({ state, pause }: PlanView): number {
  if (state === 'completed' || (state === 'paused' && pause?.reason === 'manual')) return EXIT.ok
  return state === 'failed' ? EXIT.stopped : EXIT.failed
}
