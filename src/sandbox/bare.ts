import { join } from 'node:path'
import { ToolError } from '../core/call/result.ts'
import type { RunOrder, RunOwner, RunReport, Sandbox } from '../core/ports/sandbox.ts'
import { findOurselves } from './owner.ts'
import { type GroupPlan, runGroup } from './run-group.ts'
import { offerMissingPython } from './toolchains/offer-python.ts'
import { findToolchains, type Toolchains } from './toolchains/toolchains.ts'

/** The options of a run without a sandbox. */
export interface BareOptions {
  readonly workspace: string
  /** The environment of Haft itself: PATH and HOME are read from it, and commands without a sandbox inherit it. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Starts a program that ends with its process group when Haft ends in any way; called where no sandbox sees to that. */
  readonly endWithHaft?: GroupPlan['endWithHaft']
}

/** Creates the replacement for a sandbox when settings say `sandbox = "off"`: commands run as plain process groups. */
export function createBareSandbox(options: BareOptions): Sandbox {
  let found: Toolchains | undefined
  const toolchains = () => {
    found ??= findToolchains({ ...options, owner: findOurselves() })
    return found
  }
  return {
    run: (order, owner) => runBare(order, owner, { ...options, toolchains }),
    start: () =>
      Promise.reject(
        new ToolError('UNAVAILABLE', 'A program can keep running only in the sandbox, which your settings turn off.'),
      ),
    examine: () =>
      Promise.resolve([
        {
          promise: 'sandbox',
          holds: true,
          seen: 'off in your settings: commands run as you, with access to your files and the network',
        },
      ]),
    close: () => Promise.resolve(),
  }
}

interface BareRun extends BareOptions {
  /** Found at the first run, since searching PATH takes a moment. */
  toolchains(): Toolchains
}

async function runBare(order: RunOrder, owner: RunOwner, run: BareRun): Promise<RunReport> {
  if (order.dryRun) throw new ToolError('UNAVAILABLE', 'A dry run needs the sandbox, but your settings turn it off.')
  return runGroup(order, owner, {
    ...run,
    mode: 'bare',
    env: (scratch) => offerMissingPython(run.env, run.toolchains(), join(scratch, 'bin')),
    wrap: (argv) => argv,
  })
}
