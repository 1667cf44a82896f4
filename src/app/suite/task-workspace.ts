import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A temporary folder that one task works in. */
export interface TaskWorkspace {
  readonly path: string
  /** Removes everything in it and writes these files. */
  fill(files: Readonly<Record<string, string>>): void
  remove(): void
}

/** Makes the workspace of a task. */
export function createTaskWorkspace(task: string): TaskWorkspace {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `haft-suite-${task}-`)))
  return {
    path,
    fill(files) {
      for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true })
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, file)), { recursive: true })
        writeFileSync(join(path, file), text)
      }
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
