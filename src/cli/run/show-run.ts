import type { Home } from '../../app/home.ts'
import type { Session, SessionCaller } from '../../app/sessions/session.ts'
import { isControl } from '../../core/tool/snapshot.ts'
import type { IdProblem } from '../output/find-id.ts'
import { reportProblem, wrapFor } from '../output/report-problem.ts'
import { type Cli, type CommonOptions, decisionOf, paintError } from '../terminal/front-end.ts'
import type { Interrupt } from '../terminal/interrupt.ts'
import { terminalApp } from '../terminal/open-in-editor.ts'
import { followSession } from './follow-session.ts'
import { createLiveView, type LiveView } from './live-view.ts'
import type { ChosenSession } from './open-session.ts'
import { runApprover } from './run-approver.ts'
import { createTotals } from './run-totals.ts'
import { exitCodeOf, type RunEnd, showEnd } from './show-end.ts'

/** How a run is shown. */
export interface RunLook extends CommonOptions {
  quiet?: boolean
  /** A call that was blocked or denied gives exit code 3, also where the model answered. */
  strict?: boolean
}

/** What is shown: the session, and the work that makes it run. */
export interface ShownRun {
  readonly home: Home
  readonly interrupt: Interrupt
  open(caller: SessionCaller): Promise<ChosenSession | { problem: IdProblem }>
  /** Resolves to undefined where nothing ran. */
  work(session: Session): Promise<RunEnd | undefined>
}

/** Opens a session, shows what happens in it while the work runs, and how it ended. Resolves to the exit code, or to undefined where nothing ran. */
export async function showRun(
  cli: Cli,
  options: RunLook,
  { home, interrupt, open, work }: ShownRun,
): Promise<number | undefined> {
  let view: LiveView | undefined
  const approver = runApprover(cli.programs)
  const totals = createTotals((tool) => isControlTool(session, tool))
  const events = followSession(home, (event) => {
    totals.add(event)
    if (options.json) cli.writeJson(event)
    else view?.add(event)
  })
  const caller = { ...(approver && { approver }), ...(options.wait && { wait: true }), ...decisionOf(options) }
  const opened = await open(caller)
  if ('problem' in opened) return reportProblem(cli, {}, opened.problem)
  const { session, note } = opened
  if (note !== undefined && !options.quiet && !options.json) warn(cli, note)
  await events.begin(session)
  const tool = (name: string) => session.snapshot.find(name)?.tool
  if (!options.json && !options.quiet)
    view = createLiveView({
      totals,
      mainOf: (name) => tool(name)?.main,
      endsRun: (name) => tool(name)?.endsRun === true,
      asks: options.yes ? 'nobody' : approver ? 'here' : options.wait ? 'elsewhere' : 'nobody',
    })
  const host = await home.host(session.workspace)
  const app = terminalApp(cli.programs)
  if (app) host.onDelegate(app)
  const end = await work(session)
  view?.stop()
  if (end) await Promise.race([Promise.all([host.tasks.idle(), restOfPlans(home, session.id)]), interrupt.requested])
  await events.stop()
  view?.stop()
  if (end === undefined) return undefined
  if (!options.json) showEnd(cli, end, { session: session.id, totals, quiet: options.quiet === true })
  return interrupt.exitCode() ?? exitCodeOf(end, options.strict === true && totals.hasRefusal())
}

/** Waits for the plans that a session proposed and a person approved: they work in this process. */
async function restOfPlans({ plans }: Home, session: string): Promise<void> {
  const own = (await plans.list({ limit: 100 })).filter(
    ({ madeIn, state }) => madeIn === session && state === 'running',
  )
  await Promise.all(own.map(({ id }) => plans.rest(id)))
}

function isControlTool({ snapshot }: Session, name: string): boolean {
  const entry = snapshot.find(name)
  return entry !== undefined && isControl(entry)
}

/** Prints a note of Haft's own to stderr. */
export function warn(cli: Cli, text: string): void {
  cli.printError(paintError('yellow', wrapFor(process.stderr, text).join('\n')))
}
