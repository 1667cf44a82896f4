import { join } from 'node:path'
import { ToolError } from '../core/result.ts'
import type { RunOrder, RunOwner, RunReport, Sandbox } from '../core/sandbox.ts'
import { offerMissingPython } from './offer-python.ts'
import { findOurselves } from './owner.ts'
import { runGroup } from './run-group.ts'
import { findToolchains, type Toolchains } from './toolchains.ts'

/** What running bare needs of the house. */
export interface BareOptions {
  readonly workspace: string
  /** The environment programs start from. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** No sandbox at all, for those whose settings say `sandbox = "off"`: a process group that is ended with all its children. */
export function createBareSandbox(options: BareOptions): Sandbox {
  let found: Toolchains | undefined
  const toolchains = () => {
    found ??= findToolchains({ ...options, owner: findOurselves() })
    return found
  }
  return {
    run: (order, owner) => runBare(order, owner, { ...options, toolchains }),
    start: () =>
      Promise.reject(new ToolError('UNAVAILABLE', 'Programs stay only in the sandbox, and your settings turn it off.')),
    examine: () =>
      Promise.resolve([
        {
          promise: 'sandbox',
          holds: true,
          seen: 'off in your settings: commands run as you, with your files and network',
        },
      ]),
    close: () => Promise.resolve(),
  }
}

interface BareRun extends BareOptions {
  /** Looked for at the first run, since walking PATH takes a moment. */
  toolchains(): Toolchains
}

async function runBare(order: RunOrder, owner: RunOwner, run: BareRun): Promise<RunReport> {
  if (order.rehearse) throw new ToolError('UNAVAILABLE', 'A rehearsal needs the sandbox, and settings turn it off.')
  return runGroup(order, owner, {
    workspace: run.workspace,
    mode: 'bare',
    env: (scratch) => offerMissingPython(run.env, run.toolchains(), join(scratch, 'bin')),
    wrap: (argv) => argv,
  })
}
