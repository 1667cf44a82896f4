import { ToolError } from '../core/result.ts'
import type { RunOrder, RunOwner, RunReport, Sandbox } from '../core/sandbox.ts'
import { runGroup } from './run-group.ts'

/** What running bare needs of the house. */
export interface BareOptions {
  readonly workspace: string
  /** The environment programs start from. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** No sandbox at all, for those whose settings say `sandbox = "off"`: a process group that is ended with all its children. */
export function createBareSandbox(options: BareOptions): Sandbox {
  return {
    run: (order, owner) => runBare(order, owner, options),
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

async function runBare(order: RunOrder, owner: RunOwner, { workspace, env }: BareOptions): Promise<RunReport> {
  if (order.rehearse) throw new ToolError('UNAVAILABLE', 'A rehearsal needs the sandbox, and settings turn it off.')
  return runGroup(order, owner, { workspace, mode: 'bare', env: () => env, wrap: (argv) => argv })
}
