import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Calls a function when what it belongs to ends. */
export type AtEnd = (close: () => void | Promise<void>) => void

/** An empty folder that is gone when the test ends, or whatever else `atEnd` waits for. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-')))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
