import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../core/call/result.ts'
import type { RunLimits, RunOrder, RunOwner, RunReport, Sandbox, SandboxFinding } from '../../core/ports/sandbox.ts'
import type { BareOptions } from '../bare.ts'
import { findOwner } from '../owner.ts'
import { refuseUnreviewed } from '../refuse-unreviewed.ts'
import { runGroup } from '../run-group.ts'
import type { SandboxOptions } from '../sandbox-options.ts'
import { offerMissingPython } from '../toolchains/offer-python.ts'
import { findToolchains, type Toolchains } from '../toolchains/toolchains.ts'
import { makeSeatbeltProfile } from './seatbelt.ts'

/** Creates a sandbox that uses macOS's seatbelt and changes the workspace directly. Not tested on a Mac yet. */
export function createSeatbelt(options: SandboxOptions): Sandbox {
  const workspace = realpathSync(options.workspace)
  const toolchains = findToolchains({ workspace, env: options.env, owner: findOwner(workspace) })
  return {
    isOffline: true,
    run: (order, owner) =>
      runUnderSeatbelt(order, owner, {
        ...options,
        ...{ workspace, toolchains, program: options.programs.system('sandbox-exec') },
        hidden: options.listHiddenFiles?.() ?? [],
        ownPrograms: options.ownPrograms?.() ?? [],
      }),
    start: () => Promise.reject(new ToolError('UNAVAILABLE', CANNOT_STAY)),
    examine: () => Promise.resolve(FINDINGS),
    close: () => Promise.resolve(),
  }
}

/** Why a project's tools are not offered on a Mac. */
const CANNOT_STAY =
  'Tools of a project run in a sandbox in which their process stays, and Haft has none for macOS yet. Nothing was run. Your own tools, in ~/.haft/tools, work.'

const FINDINGS: readonly SandboxFinding[] = [
  {
    promise: 'sandbox',
    holds: true,
    seen: 'seatbelt, with a profile that was not tested here: it should block the network and files outside the workspace',
  },
  { promise: 'changes', holds: true, seen: 'commands change the workspace directly: macOS has no overlays' },
  { promise: 'memory', holds: false, seen: 'not limited on macOS' },
  {
    promise: 'processes',
    holds: false,
    seen: 'not limited on macOS; a process that leaves its group can outlive the run',
  },
]

interface SeatbeltSetup extends BareOptions {
  readonly toolchains: Toolchains
  readonly program: string
  readonly hidden: readonly string[]
  readonly ownPrograms: readonly string[]
}

async function runUnderSeatbelt(order: RunOrder, owner: RunOwner, setup: SeatbeltSetup): Promise<RunReport> {
  if (order.dryRun)
    throw new ToolError('UNAVAILABLE', 'A dry run needs an overlay of the workspace, which macOS does not have.')
  refuseUnreviewed(order, owner, 'macOS does not have overlays')
  const { workspace, toolchains, hidden, ownPrograms } = setup
  const report = await runGroup(order, owner, {
    ...setup,
    mode: 'direct',
    env: (scratch) => offerMissingPython(makeEnvironment(toolchains, scratch), toolchains, join(scratch, 'bin')),
    wrap(argv, temporary, limits) {
      const profile = makeSeatbeltProfile({ workspace, folders: toolchains.folders, temporary, hidden, ownPrograms })
      return seatbeltCommand(setup.program, profile, { argv, limits })
    },
  })
  return { ...report, isOffline: true }
}

/** Returns the command that sets the limits a shell can set and runs another command under a profile. */
export function seatbeltCommand(
  program: string,
  profile: string,
  { argv, limits }: { argv: readonly string[]; limits: RunLimits },
): string[] {
  const blocks = Math.ceil(limits.fileSize / 512)
  const script = `ulimit -c 0; ulimit -t ${Math.max(1, Math.ceil(limits.cpuSeconds))}; ulimit -f ${blocks}; exec "$@"`
  return [program, '-p', profile, '/bin/sh', '-c', script, 'sh', ...argv]
}

/** Makes the environment: only PATH is taken from outside, HOME is the run's scratch folder. */
function makeEnvironment({ path }: Toolchains, scratch: string): Record<string, string> {
  return {
    PATH: path.join(':'),
    HOME: scratch,
    TMPDIR: scratch,
    LANG: 'en_US.UTF-8',
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    PYTHONUNBUFFERED: '1',
  }
}
