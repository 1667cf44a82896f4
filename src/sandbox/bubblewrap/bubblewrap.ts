import { ToolError } from '../../core/call/result.ts'
import { withOutput } from '../../core/call/run-answer.ts'
import {
  DEFAULT_LIMITS,
  type RunLimits,
  type RunOrder,
  type RunOwner,
  type RunReport,
  type Sandbox,
  SCRIPT_PLACE,
} from '../../core/ports/sandbox.ts'
import { type Ending, watchEnding } from '../ending.ts'
import { examineSandbox } from '../examine.ts'
import { gatherOutput } from '../gather-output.ts'
import { type ControlGroup, createGroupMaker, type GroupMaker } from '../limits/control-group.ts'
import { createWriteCheck, watchLimits } from '../limits/watch-limits.ts'
import { proxyVariables } from '../network/start-forwarder.ts'
import type { RunChanges } from '../overlay/finish.ts'
import { becomeOwner, findOwner } from '../owner.ts'
import { refuseUnreviewed } from '../refuse-unreviewed.ts'
import { resolveFolder } from '../resolve-folder.ts'
import type { SandboxOptions } from '../sandbox-options.ts'
import type { BwrapProcess } from './bwrap-process.ts'
import { type Cleaner, createCleaner } from './cleaner.ts'
import { hasHiddenFiles } from './hide-files.ts'
import { SCRIPT_PATH, writeLaunchOrder } from './launch-order.ts'
import { createPipes } from './pipes.ts'
import {
  type BegunInside,
  createSandboxPreparer,
  type PreparedSandbox,
  type SandboxPreparer,
} from './prepared-sandbox.ts'
import { makeProfile, type Profile } from './profile.ts'
import { createStandby, type Standby } from './standby.ts'
import { startProgram } from './staying-program.ts'
import type { Machine } from './system-calls.ts'

/** The parts that all runs in a workspace share. */
interface SharedParts {
  readonly options: SandboxOptions
  readonly profile: Profile
  readonly groups: GroupMaker
  readonly preparer: SandboxPreparer
  readonly standby: Standby
  readonly cleaner: Cleaner
}

/** Creates a sandbox that uses bubblewrap. */
export function createBubblewrap(options: SandboxOptions, machine: Machine): Sandbox {
  const owner = findOwner(options.workspace)
  const profile = makeProfile({ ...options, owner }, machine)
  const groups = createGroupMaker()
  const pipes = createPipes(options.programs)
  const preparer = createSandboxPreparer({
    ...options,
    profile,
    groups,
    pipes,
    command: () => [...becomeOwner(owner, options.programs), options.programs.system('bwrap')],
  })
  const cleaner = createCleaner()
  const shared: SharedParts = { options, profile, groups, preparer, standby: createStandby(preparer, cleaner), cleaner }
  return {
    isOffline: true,
    canConnect: options.forwarder !== undefined,
    run: (order, owner) => runOrder(shared, order, owner),
    start: (order) => startProgram(shared, order),
    examine: () =>
      examineSandbox({
        ...shared,
        run: (order) => runOrder(shared, order, { call: 'doctor', signal: new AbortController().signal }),
      }),
    async close() {
      shared.standby.close()
      await shared.cleaner.done()
      pipes.close()
      profile.close()
    },
  }
}

async function runOrder(shared: SharedParts, order: RunOrder, owner: RunOwner): Promise<RunReport> {
  const folder = resolveFolder(shared.options.workspace, order.cwd)
  const why = owner.mode === 'review' ? shared.preparer.whyDirect() : undefined
  if (why !== undefined) refuseUnreviewed(order, owner, why)
  const { prepared, begun } = await beginPrepared(shared, order)
  try {
    return await runOn(prepared, { shared, order, owner, folder, begun })
  } finally {
    if (prepared.mode === 'direct') prepared.close()
    shared.cleaner.clean(prepared)
    shared.standby.prepareNext(order)
  }
}

interface BegunSandbox {
  readonly prepared: PreparedSandbox
  /** Undefined when the sandbox could not be started. */
  readonly begun: BegunInside | undefined
}

/** Returns the standby sandbox, or a new one when there is none or it has died. */
async function beginPrepared(shared: SharedParts, order: RunOrder): Promise<BegunSandbox> {
  // A standby has no files hidden: its view of the workspace is mounted only when it begins.
  const waiting = hasHiddenFiles(shared.options) ? undefined : shared.standby.take(order)
  const begun = waiting && (await beginOrDiscard(shared, waiting))
  if (begun?.begun !== undefined) return begun
  if (waiting) shared.cleaner.discard(waiting)
  return beginOrDiscard(shared, shared.preparer.open(order))
}

async function beginOrDiscard(shared: SharedParts, prepared: PreparedSandbox): Promise<BegunSandbox> {
  try {
    return { prepared, begun: await prepared.begin() }
  } catch (error) {
    shared.cleaner.discard(prepared)
    throw error
  }
}

interface Run {
  readonly shared: SharedParts
  readonly order: RunOrder
  readonly owner: RunOwner
  /** The working folder. */
  readonly folder: string
  readonly begun: BegunInside | undefined
}

async function runOn(prepared: PreparedSandbox, run: Run): Promise<RunReport> {
  const { shared, order, owner, begun } = run
  const { writeLimit: written = DEFAULT_LIMITS.written, fileLimit: files = DEFAULT_LIMITS.files } = shared.options
  const limits: RunLimits = { ...DEFAULT_LIMITS, written, files, ...order.limits }
  const started = performance.now()
  const { bwrap, group, forwarder } = prepared
  if (begun === undefined) bwrap.kill()
  else group.limit(limits)
  const findTooMuch = createWriteCheck({ ...prepared, limits })
  const ending = watchEnding(owner.signal, limits.seconds, bwrap.kill)
  const gathered = gatherOutput({
    streams: bwrap,
    limit: limits.output,
    output: (stream, text) => order.output?.(stream, text),
    flooded: () => ending.end('output'),
  })
  try {
    if (order.network && begun) await forwarder?.serve(order.network)
    const exitCode = await launch(bwrap, writeOrder(run, limits), () =>
      watchLimits({
        first: begun?.first,
        limits,
        group,
        holds: shared.groups.holds,
        disk: prepared.disk,
        findTooMuch,
        end: ending.end,
      }),
    )
    const concluded = concludeEnding(ending, group, exitCode)
    const ended: RunReport['ended'] = concluded === 'exit' ? (findTooMuch() ?? 'exit') : concluded
    const [stdout, stderr] = [gathered.text('stdout'), gathered.text('stderr')]
    if (exitCode === undefined && ended === 'exit') throw notStarted(stderr, order)
    const duration = performance.now() - started
    ending.release()
    const { mode, unguarded } = prepared
    const passed = {
      ...(ended === 'written' && { writeLimit: limits.written }),
      ...(ended === 'files' && { fileLimit: limits.files }),
    }
    const isOffline = order.network === undefined
    const report = { stdout, stderr, exitCode: exitCode ?? 137, duration, ended, ...passed, mode, isOffline }
    const finished = ended === 'exit' ? await applyChanges(prepared, run, report) : undefined
    return { ...report, ...(unguarded && { unguarded }), ...finished }
  } finally {
    await forwarder?.close()
    ending.release()
  }
}

/** Applies what the command changed. An error carries the output of the command. */
async function applyChanges(
  prepared: PreparedSandbox,
  { order, owner }: Run,
  report: RunReport,
): Promise<RunChanges | undefined> {
  try {
    if (prepared.mode !== 'direct' && report.exitCode !== 0 && CANNOT_RENAME.test(report.stderr)) throw cannotRename()
    return await prepared.finish(owner, { dryRun: order.dryRun ?? false, report })
  } catch (thrown) {
    throw withOutput(thrown, report)
  }
}

function writeOrder({ shared, order, folder, begun }: Run, limits: RunLimits): string {
  return writeLaunchOrder({
    argv: order.argv.map((word) => (word === SCRIPT_PLACE ? SCRIPT_PATH : word)),
    folder,
    env: { ...shared.profile.env, ...(begun?.port !== undefined && proxyVariables(begun.port)), ...order.env },
    script: order.script,
    limits,
  })
}

/** Sends the order to a started sandbox and watches it; resolves when all its processes have ended. */
async function launch(bwrap: BwrapProcess, order: string, watch: () => () => void): Promise<number | undefined> {
  const stopWatching = watch()
  try {
    bwrap.send(order)
    return await bwrap.ended
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

/** What programs print when an unprivileged overlay cannot rename an existing folder. */
const CANNOT_RENAME = /Invalid cross-device link|EXDEV/

function cannotRename(): ToolError {
  return new ToolError(
    'EXECUTION_ERROR',
    'The command failed because it renamed a folder, which an overlay of the workspace does not support on this machine. None of its changes were applied. Use mv, which copies instead, or run it with "live": true, which works on the workspace itself.',
  )
}

function notStarted(stderr: string, { network }: RunOrder): ToolError {
  const why =
    stderr.trim().slice(0, 500) || (network ? 'the program that carries its network did not start' : 'it ended')
  return new ToolError(
    'UNAVAILABLE',
    `The sandbox could not be started: ${why}. Run "haft doctor" to see what is missing. Nothing was run.`,
  )
}
