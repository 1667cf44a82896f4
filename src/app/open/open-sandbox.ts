import { existsSync } from 'node:fs'
import type { Programs } from '../../core/ports/developer/programs.ts'
import type { Replaced } from '../../core/ports/files.ts'
import type { Sandbox } from '../../core/ports/sandbox.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { createLazySandbox } from '../../sandbox/lazy.ts'
import { listRunsFolders } from '../../sandbox/overlay/run-folder.ts'

/** The rule while the sandbox is off: a person approves each command. */
export const ASK_WITHOUT_SANDBOX: Rule = {
  name: 'ask_without_sandbox',
  decision: 'ask',
  effects: ['run'],
  reason: 'the sandbox is off, so it would run with all of your rights',
}

/** A command that works on the workspace itself escapes what the overlay guards: a person looks at each. */
export const ASK_LIVE: Rule = {
  name: 'ask_live',
  decision: 'ask',
  tools: ['shell', 'run_code'],
  arguments: { live: '^true$' },
  reason: 'it would work on the workspace itself: its changes are neither guarded nor undoable',
}

/** Where commands run, and who is called with what they replace. */
export interface SandboxLocation {
  readonly workspace: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly programs: Programs
  ownPrograms(): readonly string[]
  readonly keptLimit: number
  /** The most bytes that one command may write. */
  readonly writeLimit: number
  /** The most files that one command may write or delete. */
  readonly fileLimit: number
  /** The program that carries the network of a command. */
  readonly forwarder: string
  /** Folders outside the workspace that every command can read. */
  readonly shown: readonly string[]
  replaced(record: Replaced): void
  listHiddenFiles(): readonly string[]
  replacedAll(records: readonly Replaced[]): void
}

/** Returns the given sandbox, or that of the system, which is loaded at its first use. */
export function openSandbox(given: Sandbox | 'on' | 'off' | undefined, location: SandboxLocation): Sandbox {
  if (typeof given === 'object') return given
  const choose = async () => {
    const { chooseSandbox } = await import('../../sandbox/choose.ts')
    const { endWithHaft } = await import('../../sources/end-with-haft.ts')
    return chooseSandbox({ ...location, off: given === 'off', endWithHaft })
  }
  const isOn = given !== 'off'
  return createLazySandbox({ isOffline: isOn, canConnect: isOn && process.platform === 'linux' }, choose, location)
}

/** Finishes applying the changes of commands whose process died while applying them, and discards those that waited for an answer which nobody can give any more. Runs before any call. */
export async function recoverChanges(
  location: SandboxLocation,
  { approvals, undo }: Pick<Storage, 'approvals' | 'undo'>,
): Promise<void> {
  const left = listRunsFolders(location.home, location.workspace).filter((runs) => existsSync(runs))
  if (left.length === 0) return
  const { recoverRuns } = await import('../../sandbox/overlay/recover.ts')
  for (const runs of left) for (const call of recoverRuns(runs)) undo.forget(call)
  const { createPendingChanges } = await import('../../sandbox/overlay/pending/pending-changes.ts')
  const pending = createPendingChanges(location)
  const waiting = (await pending.list()).filter(({ conflict }) => conflict === undefined)
  if (waiting.length === 0) return
  const asked = new Set((await approvals.list()).map(({ request }) => request.call))
  for (const { call } of waiting) if (!asked.has(call)) await pending.discard(call)
}
