import { ToolError } from '../core/result.ts'
import { withOutput } from '../core/run-answer.ts'
import {
  DEFAULT_LIMITS,
  type RunLimits,
  type RunOrder,
  type RunOwner,
  type RunReport,
  type Sandbox,
  SCRIPT_PLACE,
} from '../core/sandbox.ts'
import { type Ahead, createAhead } from './ahead.ts'
import type { Box } from './box.ts'
import type { SandboxOptions } from './choose.ts'
import { type Cleaner, createCleaner } from './cleaner.ts'
import { type ControlGroup, createGroupMaker, type GroupMaker } from './control-group.ts'
import { type Ending, watchEnding } from './ending.ts'
import { examineSandbox } from './examine.ts'
import { gatherOutput } from './gather-output.ts'
import { SCRIPT_PATH, writeLaunchOrder } from './launch-order.ts'
import type { Finished } from './overlay/finish.ts'
import { becomeOwner, findOwner } from './owner.ts'
import { createPipes } from './pipes.ts'
import { makeProfile, type Profile } from './profile.ts'
import { resolveFolder } from './resolve-folder.ts'
import { createStages, type Stage, type Stages } from './stage.ts'
import { startProgram } from './staying-program.ts'
import type { Machine } from './system-calls.ts'
import { watchLimits } from './watch-limits.ts'

/** What stays the same over all runs in a workspace. */
interface Shop {
  readonly options: SandboxOptions
  readonly profile: Profile
  readonly groups: GroupMaker
  readonly stages: Stages
  readonly ahead: Ahead
  readonly cleaner: Cleaner
}

/** Runs commands in bubblewrap. The program is its path; the machine has a filter. */
export function createBubblewrap(options: SandboxOptions, program: string, machine: Machine): Sandbox {
  const owner = findOwner(options.workspace)
  const profile = makeProfile({ ...options, owner }, machine)
  const groups = createGroupMaker()
  const pipes = createPipes()
  const stages = createStages({ ...options, profile, groups, pipes, command: [...becomeOwner(owner), program] })
  const cleaner = createCleaner()
  const shop: Shop = { options, profile, groups, stages, ahead: createAhead(stages, cleaner), cleaner }
  return {
    isOffline: true,
    run: (order, owner) => runOrder(shop, order, owner),
    start: (order) => startProgram(shop, order),
    examine: () =>
      examineSandbox({
        ...shop,
        run: (order) => runOrder(shop, order, { call: 'doctor', signal: new AbortController().signal }),
      }),
    async close() {
      shop.ahead.close()
      await shop.cleaner.done()
      pipes.close()
      profile.close()
    },
  }
}

async function runOrder(shop: Shop, order: RunOrder, owner: RunOwner): Promise<RunReport> {
  const folder = resolveFolder(shop.options.workspace, order.cwd)
  const { stage, first } = await beginStage(shop, order)
  try {
    return await runOn(stage, { shop, order, owner, folder, first })
  } finally {
    if (stage.mode === 'direct') stage.close()
    shop.cleaner.clean(stage)
    shop.ahead.prepareNext()
  }
}

interface BegunStage {
  readonly stage: Stage
  /** The first pid inside; undefined where the sandbox could not be made. */
  readonly first: number | undefined
}

/** The waiting sandbox, or a new one where none waits or it has died meanwhile. */
async function beginStage(shop: Shop, order: RunOrder): Promise<BegunStage> {
  const waiting = shop.ahead.take(order)
  const first = await waiting?.begin()
  if (waiting && first !== undefined) return { stage: waiting, first }
  if (waiting) shop.cleaner.discard(waiting)
  const stage = shop.stages.open(order)
  return { stage, first: await stage.begin() }
}

interface Run {
  readonly shop: Shop
  readonly order: RunOrder
  readonly owner: RunOwner
  /** Where it starts. */
  readonly folder: string
  readonly first: number | undefined
}

async function runOn(stage: Stage, run: Run): Promise<RunReport> {
  const { shop, order, owner } = run
  const limits: RunLimits = { ...DEFAULT_LIMITS, ...order.limits }
  const started = performance.now()
  const { box, group } = stage
  if (run.first === undefined) box.kill()
  else group.limit(limits)
  const ending = watchEnding(owner.signal, limits.seconds, box.kill)
  const gathered = gatherOutput({
    streams: box,
    limit: limits.output,
    output: (stream, text) => order.output?.(stream, text),
    flooded: () => ending.end('output'),
  })
  try {
    const exitCode = await launch(box, writeOrder(run, limits), () =>
      watchLimits({
        first: run.first,
        limits,
        group,
        holds: shop.groups.holds,
        disk: stage.disk,
        end: ending.end,
      }),
    )
    const ended = concludeEnding(ending, group, exitCode)
    const [stdout, stderr] = [gathered.text('stdout'), gathered.text('stderr')]
    if (exitCode === undefined && ended === 'exit') throw notStarted(stderr)
    const duration = performance.now() - started
    ending.release()
    const { mode, unguarded } = stage
    const report = { stdout, stderr, exitCode: exitCode ?? 137, duration, ended, mode, isOffline: true }
    const finished = ended === 'exit' ? await finishStage(stage, run, report) : undefined
    return { ...report, ...(unguarded && { unguarded }), ...finished }
  } finally {
    ending.release()
  }
}

/** Applies what the command changed; where that fails, the failure holds what the command printed. */
async function finishStage(stage: Stage, { order, owner }: Run, report: RunReport): Promise<Finished | undefined> {
  try {
    if (stage.mode !== 'direct' && report.exitCode !== 0 && CANNOT_RENAME.test(report.stderr)) throw cannotRename()
    return await stage.finish(owner, order.rehearse ?? false)
  } catch (thrown) {
    throw withOutput(thrown, report)
  }
}

function writeOrder({ shop, order, folder }: Run, limits: RunLimits): string {
  return writeLaunchOrder({
    argv: order.argv.map((word) => (word === SCRIPT_PLACE ? SCRIPT_PATH : word)),
    folder,
    env: { ...shop.profile.env, ...order.env },
    script: order.script,
    limits,
  })
}

/** Gives the order to a box that is bound to our life, and watches it; resolves when all its processes are gone. */
async function launch(box: Box, order: string, watch: () => () => void): Promise<number | undefined> {
  const stopWatching = watch()
  try {
    box.give(order)
    return await box.ended
  } finally {
    stopWatching()
  }
}

const EXIT_OF_CPU_LIMIT = 152
const EXIT_OF_FILE_LIMIT = 153

function concludeEnding(ending: Ending, group: ControlGroup, exitCode: number | undefined): RunReport['ended'] {
  const hit = ending.reason ?? group.hit()
  if (hit !== undefined) return hit
  if (exitCode === EXIT_OF_CPU_LIMIT) return 'cpu'
  return exitCode === EXIT_OF_FILE_LIMIT ? 'disk' : 'exit'
}

/** How programs say that an overlay without rights cannot rename a folder that was there before. */
const CANNOT_RENAME = /Invalid cross-device link|EXDEV/

function cannotRename(): ToolError {
  return new ToolError(
    'EXECUTION_ERROR',
    'The command renamed a folder, which cannot be done on an overlay of the workspace here, and failed. None of its changes were applied. Use mv, which copies instead, or run it with "background": true, which works on the workspace itself.',
  )
}

function notStarted(stderr: string): ToolError {
  return new ToolError(
    'UNAVAILABLE',
    `The sandbox could not be started: ${stderr.trim().slice(0, 500)}. Run "haft doctor" to see what is missing. Nothing was run.`,
  )
}
