import { existsSync } from 'node:fs'
import type { Replaced } from '../../core/ports/files.ts'
import type { Sandbox } from '../../core/ports/sandbox.ts'
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

/** Where commands run, and who is called with what they replace. */
export interface SandboxLocation {
  readonly workspace: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly keptLimit: number
  /** Folders outside the workspace that every command can read. */
  readonly shown: readonly string[]
  replaced(record: Replaced): void
}

/** Returns the given sandbox, or that of the system, which is loaded at its first use. */
export function openSandbox(given: Sandbox | 'on' | 'off' | undefined, location: SandboxLocation): Sandbox {
  if (typeof given === 'object') return given
  return createLazySandbox(given !== 'off', async () => {
    const { chooseSandbox } = await import('../../sandbox/choose.ts')
    return chooseSandbox({ ...location, off: given === 'off' })
  })
}

/** Finishes applying the changes of commands whose process died while applying them. Runs before any call. */
export async function recoverChanges({ workspace, home }: Pick<SandboxLocation, 'workspace' | 'home'>): Promise<void> {
  const left = listRunsFolders(home, workspace).filter((runs) => existsSync(runs))
  if (left.length === 0) return
  const { recoverRuns } = await import('../../sandbox/overlay/recover.ts')
  for (const runs of left) recoverRuns(runs)
}
