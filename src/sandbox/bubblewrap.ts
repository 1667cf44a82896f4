import { ToolError } from '../core/result.ts'
import {
  DEFAULT_LIMITS,
  type RunOrder,
  type RunOwner,
  type RunReport,
  type Sandbox,
  SCRIPT_PLACE,
} from '../core/sandbox.ts'
import { type Box, startBox } from './box.ts'
import type { SandboxOptions } from './choose.ts'
import { type ControlGroup, createGroupMaker, type GroupMaker } from './control-group.ts'
import { type Ending, watchEnding } from './ending.ts'
import { gatherOutput } from './gather-output.ts'
import { SCRIPT_PATH, writeLaunchOrder } from './launch-order.ts'
import { makeProfile, type Profile } from './profile.ts'
import { resolveFolder } from './resolve-folder.ts'
import type { Machine } from './system-calls.ts'
import { watchLimits } from './watch-limits.ts'

/** What stays the same over all runs in a workspace. */
interface Shop {
  readonly options: SandboxOptions
  readonly program: string
  readonly profile: Profile
  readonly groups: GroupMaker
}

/** Runs commands in bubblewrap. The program is its path; the machine has a filter. */
export function createBubblewrap(options: SandboxOptions, program: string, machine: Machine): Sandbox {
  const shop: Shop = { options, program, profile: makeProfile(options, machine), groups: createGroupMaker() }
  return {
    run: (order, owner) => runInside(shop, order, owner),
    examine: async () => [],
    close: async () => shop.profile.close(),
  }
}

async function runInside(shop: Shop, order: RunOrder, owner: RunOwner): Promise<RunReport> {
  const { workspace } = shop.options
  const folder = resolveFolder(workspace, order.cwd)
  const limits = { ...DEFAULT_LIMITS, ...order.limits }
  const started = performance.now()
  const group = shop.groups.make(limits)
  const box = startBox({
    argv: [shop.program, ...shop.profile.opening, '--bind', workspace, workspace, ...shop.profile.closing],
    descriptors: shop.profile.openDescriptors(),
  })
  const ending = watchEnding(owner.signal, limits.seconds, box.kill)
  const gathered = gatherOutput({
    streams: box,
    limit: limits.output,
    output: (stream, text) => order.output?.(stream, text),
    flooded: () => ending.end('output'),
  })
  const launch = writeLaunchOrder({
    argv: order.argv.map((word) => (word === SCRIPT_PLACE ? SCRIPT_PATH : word)),
    folder,
    env: { ...shop.profile.env, ...order.env },
    script: order.script,
    limits,
  })
  const stopWatching = await launchIn(box, launch, (first) => {
    group.take(first)
    return watchLimits({ first, limits, group, holds: shop.groups.holds, workspace, end: ending.end })
  })
  const exitCode = await box.ended
  stopWatching()
  ending.release()
  const ended = concludeEnding(ending, group, exitCode)
  removeGroup(group)
  if (exitCode === undefined && ended === 'exit') throw notStarted(gathered.text('stderr'))
  return {
    stdout: gathered.text('stdout'),
    stderr: gathered.text('stderr'),
    exitCode: exitCode ?? 137,
    duration: performance.now() - started,
    ended,
    mode: 'direct',
  }
}

/** Gives the order once the box is bound to our life; one that failed to start says so when it has ended. */
async function launchIn(box: Box, launch: string, watch: (first: number) => () => void): Promise<() => void> {
  try {
    const stop = watch(await box.ready)
    box.give(launch)
    return stop
  } catch {
    return () => undefined
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

/** The kernel lets a group go a moment after its last process. */
function removeGroup(group: ControlGroup, tries = 200): void {
  if (!group.remove() && tries > 0) setTimeout(() => removeGroup(group, tries - 1), 5).unref()
}

function notStarted(stderr: string): ToolError {
  return new ToolError(
    'UNAVAILABLE',
    `The sandbox could not be started: ${stderr.trim().slice(0, 500)}. Run "haft doctor" to see what is missing. Nothing was run.`,
  )
}
