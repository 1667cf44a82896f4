import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Home, type HomeOptions, type Host, openHome } from '../../../src/index.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A home on disk with one workspace; closed when the test ends. */
export interface TestHome {
  readonly home: Home
  readonly host: Host
  readonly folder: string
  readonly workspace: string
}

/** Opens a home in a folder of its own. */
export async function openTestHome(options: HomeOptions = {}): Promise<TestHome> {
  const root = temporaryFolder()
  const folder = join(root, 'home')
  const workspace = join(root, 'workspace')
  for (const path of [folder, workspace]) mkdirSync(path)
  const home = await openHome({ home: folder, ...options })
  onTestFinished(() => home.close())
  return { home, folder, workspace, host: await home.host(workspace) }
}
