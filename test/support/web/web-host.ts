import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createHost, type Host, type HostOptions } from '../../../src/index.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A host with a home of its own, whose settings are these. */
export async function hostWithSettings(settings: string, options: HostOptions = {}): Promise<Host> {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.toml'), settings)
  const host = await createHost({ home, workspace: temporaryFolder(), toolFolders: false, ...options })
  onTestFinished(() => host.close())
  return host
}
