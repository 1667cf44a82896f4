import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner } from '../owner.ts'
import { NAMES } from './run-folder.ts'

/** One step of applying; each can be done again after it was done. Numbers name what is kept of the old. */
export type Step =
  | { readonly step: 'delete'; readonly path: string; readonly kept: number }
  | { readonly step: 'folder'; readonly path: string; readonly owner: Owner }
  | { readonly step: 'put'; readonly path: string; readonly from: string; readonly kept: number }
  | { readonly step: 'mode'; readonly path: string; readonly mode: number; readonly before: number | null }

/** What is to be done to which workspace. */
export interface Journal {
  readonly workspace: string
  readonly steps: readonly Step[]
  /** The run folder lies on another file system: its steps copy instead of renaming. */
  readonly apart: boolean
}

/** Writes the journal so that it is there whole or not at all, also after a crash. From here on the changes happen. */
export function commitJournal(run: string, journal: Journal): void {
  const temporary = join(run, 'journal.tmp')
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, JSON.stringify(journal))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, join(run, NAMES.journal))
}

/** The journal of a run that was being applied; undefined where it had not come so far. */
export function readJournal(run: string): Journal | undefined {
  const path = join(run, NAMES.journal)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Journal) : undefined
}

/** Takes the journal away: its steps are all done, or all taken back. */
export function forgetJournal(run: string): void {
  rmSync(join(run, NAMES.journal), { force: true })
}
