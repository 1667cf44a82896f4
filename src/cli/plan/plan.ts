import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { Home } from '../../app/home.ts'
import type { PlanRecord } from '../../app/plans/plans.ts'
import { messageOf, reasonOf } from '../../core/call/result.ts'
import { DEMO_PLAN } from '../../core/plans/demo-plan.ts'
import { describeProblem, PlanError } from '../../core/plans/plan.ts'
import type { PlanAction } from '../../core/plans/plan-event.ts'
import { exitCodeOf as exitCodeOfResult } from '../call.ts'
import { addExamples, type Example } from '../help.ts'
import { callingOptionsOf } from '../host-options.ts'
import { chooseById } from '../output/find-id.ts'
import { printFailure, printProse, reportProblem, wrapFor } from '../output/report-problem.ts'
import {
  type Cli,
  type CommonOptions,
  decisionOf,
  EXIT,
  modeOption,
  paintError,
  workspaceOf,
} from '../terminal/front-end.ts'
import { type Interrupt, listenForInterrupt } from '../terminal/interrupt.ts'
import { listPlans, showPlanLines } from './list-plans.ts'
import { showPlan } from './run-plan.ts'

interface PlanOptions extends CommonOptions {
  model?: string
  manual?: boolean
  checkOff?: boolean
  check?: boolean
  all?: boolean
}

const EXAMPLES: readonly Example[] = [
  ['haft plan demo', 'run the plan that comes with Haft, with the demo model'],
  ['haft plan plan.yaml --mode edit', 'run a plan; see docs/plans.md for the format'],
  ['haft plan todo.md --check-off', 'run a Markdown checklist, and check off what is done'],
  ['haft plan feedback p_7f smtp "retry 3 times, not 4"', 'tell a failed job what to do differently'],
  ['haft plan undo p_7f smtp', 'undo everything that a job changed'],
]

/** Adds `haft plan`: runs a plan of jobs, and lists, shows and steers plans. */
export function addPlan(program: Command, cli: Cli, exit: (code: number) => void): void {
  const plan = program
    .command('plan')
    .alias('ralph')
    .description('Run a plan of jobs, each until its check passes; list, show and steer plans')
    .argument('[file]', 'YAML, JSON or Markdown file of the plan, or "demo" (default: list the plans)')
    .option('--model <model>', 'model to use (default: that of the plan, else as haft run)')
    .addOption(modeOption())
    .option('--manual', 'pause after each job, until you go on')
    .option('--check-off', 'check off the items of a Markdown file when their jobs are done')
    .option('--check', 'only check the plan, and run nothing')
  common(plan).action(async (file: string | undefined, options: PlanOptions) => {
    const work = (given: Given) => (file === undefined ? list(cli, given) : run(cli, file, given))
    exit(await withHome(cli, options, work))
  })
  addExamples(plan, EXAMPLES)
  common(plan.command('list').description('List plans, the last used first'))
    .option('--all', 'of every workspace')
    .action(async (_: PlanOptions, command: Command) =>
      exit(await withHome(cli, command.optsWithGlobals(), (given) => list(cli, given))),
    )
  const about = (name: string, description: string) =>
    common(plan.command(name).description(description).argument('<plan>', 'id of the plan, or its start'))
  about('show', 'Show a plan, its jobs and what their checks said').action(
    async (id: string, _: PlanOptions, command: Command) =>
      exit(
        await withPlan(cli, command.optsWithGlobals(), id, async (_, found) =>
          showPlanLines(cli, command.optsWithGlobals(), found),
        ),
      ),
  )
  for (const [action, description, words] of ACTIONS) {
    const command = about(action, description)
    if (words.length > 0) command.argument('[job]', 'id of the job (default: the one that the plan is paused for)')
    if (words.length > 1) command.argument('<text...>', 'what the job should do differently')
    command.action(async (...args: unknown[]) => {
      const own = args.at(-1) as Command
      const [id = '', job, ...text] = own.args
      const order = { action, ...(job !== undefined && { job }), ...(text.length > 0 && { text: text.join(' ') }) }
      exit(await withPlan(cli, own.optsWithGlobals(), id, (given, { id: plan }) => act(cli, given, { plan, order })))
    })
  }
  about('undo', 'Undo everything that a job changed, as one')
    .argument('<job>', 'id of the job')
    .action(async (id: string, job: string, _: PlanOptions, command: Command) =>
      exit(await withPlan(cli, command.optsWithGlobals(), id, (given, found) => undo(cli, given, { found, job }))),
    )
}

const ACTIONS: readonly (readonly [PlanAction, string, readonly string[]])[] = [
  ['resume', 'Go on with a paused plan, or one whose process was killed', []],
  ['pause', 'Pause a plan that runs', []],
  ['stop', 'End a plan; what its jobs did stays', []],
  ['retry', 'Try a failed job again', ['job']],
  ['skip', 'Go on without a job', ['job']],
  ['feedback', 'Tell a job what to do differently, and try it again', ['job', 'text']],
]

function common(command: Command): Command {
  return command
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('-y, --yes', 'approve every request; calls that a rule denies stay blocked')
    .addOption(new Option('--wait', 'if no person is at this terminal, wait for an answer from elsewhere'))
    .option('--json', 'print JSON only')
}

interface Given {
  readonly home: Home
  readonly interrupt: Interrupt
  readonly options: PlanOptions
}

async function withHome(cli: Cli, options: PlanOptions, work: (given: Given) => Promise<number>): Promise<number> {
  const { workspace: _, ...given } = callingOptionsOf(cli, options)
  const home = await cli.openHome(given)
  const interrupt = listenForInterrupt()
  try {
    return await work({ home, interrupt, options })
  } catch (thrown) {
    if (interrupt.exitCode() === undefined)
      cli.printError(paintError('red', wrapFor(process.stderr, messageOf(thrown)).join('\n')))
    return interrupt.exitCode() ?? EXIT.failed
  } finally {
    await home.close()
    interrupt.stop()
  }
}

function withPlan(
  cli: Cli,
  options: PlanOptions,
  id: string,
  work: (given: Given, found: PlanRecord) => Promise<number>,
): Promise<number> {
  return withHome(cli, options, async (given) => {
    const { plans } = given.home
    const listed = await plans.list({ prefix: /^p_/.test(id) ? id : `p_${id}`, limit: 11 })
    const candidates = listed.map((plan) => ({ id: plan.id, text: plan.goal, plan }))
    const known = (await plans.list({ limit: 100 })).map((one) => one.id)
    const found = chooseById(id, { candidates, known, kind: 'plan', listedBy: 'haft plan list' })
    return 'problem' in found ? reportProblem(cli, options, found.problem) : work(given, found.plan)
  })
}

async function list(cli: Cli, { home, options }: Given): Promise<number> {
  const workspace = resolve(workspaceOf(options))
  return listPlans(cli, options, await home.plans.list(options.all ? {} : { workspace }))
}

/** Reads the file of a plan; `demo` is the one that comes with Haft, unless there is a file of that name. */
function readPlan(name: string): { readonly plan: string | object; readonly file?: string } {
  if (name === 'demo' && !existsSync(name)) return { plan: DEMO_PLAN }
  const file = resolve(name)
  try {
    return { plan: readFileSync(file, 'utf8'), file }
  } catch (thrown) {
    throw new Error(`The plan ${name} cannot be read: ${reasonOf(thrown)}`)
  }
}

async function run(cli: Cli, name: string, given: Given): Promise<number> {
  const { home, interrupt, options } = given
  const { mode, manual, checkOff } = options
  const start = {
    ...{ workspace: workspaceOf(options), ...readPlan(name) },
    ...{ ...(mode && { mode }), ...(manual && { manual }), ...(checkOff && { checkOff }) },
  }
  try {
    const checked = await home.plans.check(start)
    const { plan, warnings } = checked
    if (options.check) {
      if (options.json) cli.writeJson(checked)
      else printProse(cli, [`The plan is valid: ${plan.jobs.map(({ id }) => id).join(', ')}.`, ...warnings].join('\n'))
      return EXIT.ok
    }
    const model = options.model ?? plan.model ?? (await home.models.choose()).name
    return await showPlan(cli, options, {
      home,
      interrupt,
      begin: (caller) => home.plans.start({ ...start, ...caller, model }),
    })
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown
    const text = thrown.problems.map((problem) => describeProblem(problem, name)).join('\n')
    reportProblem(cli, options, { code: 'INVALID_ARGUMENTS', text, details: { problems: thrown.problems } })
    return EXIT.usage
  }
}

interface Act {
  readonly plan: string
  readonly order: { readonly action: PlanAction; readonly job?: string; readonly text?: string }
}

async function act(cli: Cli, { home, interrupt, options }: Given, { plan, order }: Act): Promise<number> {
  const model = options.model === undefined ? {} : { model: options.model }
  const begin: Parameters<typeof showPlan>[2]['begin'] = (caller) =>
    home.plans.act(plan, { ...order, ...caller, ...model })
  const code = await showPlan(cli, options, { home, interrupt, begin })
  const isMet = order.action === 'stop' || order.action === 'pause'
  return isMet && code === EXIT.failed && (await home.plans.get(plan))?.state !== 'running' ? EXIT.ok : code
}

async function undo(cli: Cli, { home, options }: Given, { found, job }: { found: PlanRecord; job: string }) {
  const calls = await home.plans.undoable(found.id, job)
  if (calls.length === 0) {
    const isKnown = found.jobs.some(({ id }) => id === job)
    const text = isKnown
      ? `The job ${job} changed no file that can be restored.`
      : `The plan has no job ${JSON.stringify(job)}.`
    return reportProblem(cli, options, { code: 'FILE_NOT_FOUND', text })
  }
  const host = await home.host(found.workspace)
  const result = await host.undo(calls, decisionOf(options))
  await host.close()
  if (options.json) cli.writeJson(result)
  else if (result.ok) printProse(cli, result.text)
  else printFailure(cli, result)
  return exitCodeOfResult(result)
}
