import { existsSync } from 'node:fs'
import type { Replaced } from '../../core/ports/files.ts'
import type { Sandbox } from '../../core/ports/sandbox.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { createLazySandbox } from '../../sandbox/lazy.ts'
import { listRunsFolders } from '../../sandbox/overlay/run-folder.ts'

/** Nothing shuts commands in: a person looks at each. */
export const ASK_WITHOUT_SANDBOX: Rule = {
  name: 'ask_without_sandbox',
  decision: 'ask',
  effects: ['run'],
  reason: 'the sandbox is off, so it would run with all your rights',
}

/** Where commands work, and who hears what they replace. */
export interface SandboxPlace {
  readonly workspace: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly keptLimit: number
  replaced(record: Replaced): void
  listHiddenFiles(): readonly string[]
}

/** The sandbox that was given, or the system's own; loaded at its first use. */
export function openSandbox(given: Sandbox | 'on' | 'off' | undefined, place: SandboxPlace): Sandbox {
  if (typeof given === 'object') return given
  return createLazySandbox(given !== 'off', async () => {
    const { chooseSandbox } = await import('../../sandbox/choose.ts')
    return chooseSandbox({ ...place, off: given === 'off' })
  })
}

/** Changes of a command that a dead process was applying are brought to an end before any call. */
export async function recoverChanges({ workspace, home }: Pick<SandboxPlace, 'workspace' | 'home'>): Promise<void> {
  const left = listRunsFolders(home, workspace).filter((runs) => existsSync(runs))
  if (left.length === 0) return
  const { recoverRuns } = await import('../../sandbox/overlay/recover.ts')
  for (const runs of left) recoverRuns(runs)
}
