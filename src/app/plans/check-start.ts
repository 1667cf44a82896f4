import { createHash } from 'node:crypto'
import { checkPlan } from '../../agent/plans/check-plan.ts'
import { problemAt, type ReadPlan } from '../../agent/plans/read/plan-source.ts'
import { isMarkdown, readPlan, readPlanData } from '../../agent/plans/read/read-plan.ts'
import { type CheckedPlan, PlanError } from '../../core/plans/plan.ts'
import type { PlanSource } from '../../core/plans/plan-event.ts'
import { warningsOf } from '../../core/plans/plan-warnings.ts'
import { MODES, type Mode } from '../../core/session/mode.ts'
import { nearest } from '../../core/text/nearest.ts'
import { insidePath } from '../../core/text/paths.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import type { OpenedHost } from '../host.ts'
import type { PlanStart } from './plans.ts'

/** A plan that may start, and where it came from. */
export interface CheckedStart extends CheckedPlan {
  readonly source?: PlanSource
}

interface CheckParts {
  readonly opened: OpenedHost
  /** The MCP servers of the home. */
  readonly servers: readonly string[]
  /** The tools of the session that proposes the plan; those of the workspace when left out. */
  readonly snapshot?: Snapshot | undefined
}

/** Reads and checks a plan before anything of it runs. Rejects with PlanError, which names everything that is wrong. */
export async function checkStart(
  start: Pick<PlanStart, 'plan' | 'file' | 'mode' | 'manual' | 'checkOff'>,
  { opened, servers, snapshot = opened.host.registry.snapshot() }: CheckParts,
): Promise<CheckedStart> {
  const { host } = opened
  const { file } = start
  const read = readSource(start)
  const mode = narrower(start.mode ?? host.mode, read.plan.mode)
  const source = sourceOf(start, host.workspace)
  const problems = [...(await checkPlan(read, worldOf({ opened, servers, snapshot }, mode)))]
  const { checkOff } = read.plan
  if (checkOff && (source === undefined || !isMarkdown(String(start.plan), file)))
    problems.push(problemAt(read.places, 'checkOff', 'checkOff: only items of a Markdown file can be checked off'))
  else if (checkOff && source && insidePath(host.workspace, source.path) === undefined)
    problems.push(problemAt(read.places, 'checkOff', 'checkOff: the plan file is not in the workspace'))
  if (problems.length > 0) throw new PlanError(problems, file)
  return { plan: read.plan, mode, warnings: warningsOf(read.plan, mode), ...(source && { source }) }
}

function readSource({
  plan,
  file,
  manual,
  checkOff,
}: Pick<PlanStart, 'plan' | 'file' | 'manual' | 'checkOff'>): ReadPlan {
  try {
    const read = typeof plan === 'string' ? readPlan(plan, file) : readPlanData(plan)
    const chosen = { ...(manual !== undefined && { manual }), ...(checkOff !== undefined && { checkOff }) }
    return { ...read, plan: { ...read.plan, ...chosen } }
  } catch (thrown) {
    throw thrown instanceof PlanError ? new PlanError(thrown.problems, file) : thrown
  }
}

function worldOf({ opened, servers, snapshot }: Required<CheckParts> & { snapshot: Snapshot }, mode: Mode) {
  return {
    missingTool: (name: string) => (snapshot.find(name) ? undefined : snapshot.nearest(name)),
    missingServer: (name: string) => (servers.includes(name) ? undefined : nearest(name, servers)),
    async denies(command: string) {
      const { decision, text } = await opened.host.check('shell', { command }, { mode })
      return decision === 'deny' || decision === 'invalid' ? text : undefined
    },
  }
}

/** The stricter of two modes. */
export function narrower(starter: Mode, asked: Mode | undefined): Mode {
  if (asked === undefined) return starter
  return MODES.indexOf(asked) < MODES.indexOf(starter) ? asked : starter
}

/** Where the plan came from: below the workspace as a path relative to it. */
function sourceOf({ plan, file }: Pick<PlanStart, 'plan' | 'file'>, workspace: string): PlanSource | undefined {
  if (file === undefined || typeof plan !== 'string') return undefined
  const digest = createHash('sha256').update(plan).digest('hex')
  return { path: insidePath(workspace, file) ?? file, digest }
}
