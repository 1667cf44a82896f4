import type { JobPlan, PlanProblem } from '../../core/plans/plan.ts'
import { nearest } from '../../core/text/nearest.ts'
import { problemAt, type ReadPlan } from './read/plan-source.ts'

/** What a plan is checked against: what the starter has. */
export interface PlanWorld {
  /** Returns the names nearest to that of a tool that does not exist; undefined where it does. */
  missingTool(name: string): readonly string[] | undefined
  /** The same for an MCP server. */
  missingServer(name: string): readonly string[] | undefined
  /** Says why a rule denies a command; undefined where none does. */
  denies(command: string): Promise<string | undefined>
}

const MAX_JOBS = 500
const ID = /^[A-Za-z0-9][\w.-]{0,63}$/

/** Finds everything that is wrong with a plan before anything of it runs. */
export async function checkPlan({ plan, places }: ReadPlan, world: PlanWorld): Promise<readonly PlanProblem[]> {
  const found: PlanProblem[] = []
  const add = (where: string, text: string) => found.push(problemAt(places, where, text))
  if (plan.goal.trim() === '') add('goal', 'goal is missing: one sentence on what the jobs are for')
  if (plan.jobs.length === 0) add('jobs', 'jobs: expected at least one job')
  if (plan.jobs.length > MAX_JOBS) add('jobs', `jobs: ${plan.jobs.length} are too many; expected at most ${MAX_JOBS}`)
  if (found.length > 0) return found
  checkTools(plan, world, add)
  checkNames(plan, add)
  checkDependencies(plan, add)
  for (const [index, { id, check, files = [] }] of plan.jobs.entries()) {
    const denied = check === undefined || check.trim() === '' ? undefined : await world.denies(check)
    if (check?.trim() === '') add(`jobs.${index}.check`, `${id}: check is empty; leave it out where there is none`)
    if (denied !== undefined) add(`jobs.${index}.check`, `${id}: the check may not run: ${denied}`)
    for (const [at, path] of files.entries())
      if (path === '' || /^\/|^~|(^|\/)\.\.(\/|$)/.test(path))
        add(`jobs.${index}.files.${at}`, `${id}: files: ${JSON.stringify(path)} is not a path below the workspace`)
  }
  return found
}

type Add = (where: string, text: string) => void

function checkTools({ tools, mcpServers, jobs }: JobPlan, world: PlanWorld, add: Add): void {
  const say = (what: string, name: string, near: readonly string[]) => {
    const hint = near.length > 0 ? `; did you mean ${near.slice(0, 3).join(' or ')}?` : ''
    return `there is no ${what} ${JSON.stringify(name)}${hint}`
  }
  for (const [index, name] of (mcpServers ?? []).entries()) {
    const near = world.missingServer(name)
    if (near) add(`mcpServers.${index}`, say('MCP server', name, near))
  }
  const lists = [
    { who: '', where: 'tools', names: tools },
    ...jobs.map((job, index) => ({ who: `${job.id}: `, where: `jobs.${index}.tools`, names: job.tools })),
  ]
  for (const { who, where, names = [] } of lists)
    for (const [index, name] of names.entries()) {
      const near = world.missingTool(name)
      if (near) add(`${where}.${index}`, who + say('tool', name, near))
    }
}

function checkNames({ jobs }: JobPlan, add: Add): void {
  const seen = new Map<string, number>()
  for (const [index, { id, prompt }] of jobs.entries()) {
    const name = id === '' ? `job ${index + 1}` : id
    if (id === '') add(`jobs.${index}`, `${name}: id is missing`)
    else if (!ID.test(id))
      add(`jobs.${index}.id`, `${name}: id: expected letters, digits, "_", "-" and ".", at most 64`)
    const first = seen.get(id)
    if (first !== undefined && id !== '') add(`jobs.${index}.id`, `the id ${id} is taken already by job ${first + 1}`)
    else seen.set(id, index)
    if (prompt.trim() === '') add(`jobs.${index}.prompt`, `${name}: prompt is missing: what should the sub-agent do?`)
  }
}

function checkDependencies({ jobs }: JobPlan, add: Add): void {
  const ids = [...new Set(jobs.map(({ id }) => id))]
  for (const [index, { id, dependsOn = [] }] of jobs.entries())
    for (const [at, name] of dependsOn.entries()) {
      if (ids.includes(name)) continue
      const near = nearest(name, ids)
      const hint = near.length > 0 ? `; did you mean ${near.slice(0, 2).join(' or ')}?` : ''
      add(`jobs.${index}.dependsOn.${at}`, `${id}: dependsOn: there is no job ${JSON.stringify(name)}${hint}`)
    }
  const cycle = findCycle(jobs)
  const [first] = cycle ?? []
  if (cycle && first !== undefined)
    add(`jobs.${jobs.findIndex(({ id }) => id === first)}.dependsOn`, `jobs wait for each other: ${cycle.join(' → ')}`)
}

/** Finds jobs that wait for each other: `[a, b, a]`. */
function findCycle(jobs: JobPlan['jobs']): readonly string[] | undefined {
  const needs = new Map(jobs.map(({ id, dependsOn = [] }) => [id, dependsOn]))
  const done = new Set<string>()
  const visit = (id: string, above: readonly string[]): readonly string[] | undefined => {
    if (above.includes(id)) return [...above.slice(above.indexOf(id)), id]
    if (done.has(id)) return undefined
    for (const next of needs.get(id) ?? []) {
      const cycle = visit(next, [...above, id])
      if (cycle) return cycle
    }
    done.add(id)
    return undefined
  }
  for (const { id } of jobs) {
    const cycle = visit(id, [])
    if (cycle) return cycle
  }
  return undefined
}
