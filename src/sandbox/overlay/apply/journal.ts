import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner } from '../../owner.ts'
import { NAMES } from '../run-folder.ts'
import { writeDurably } from '../write-durably.ts'

/** One step of applying changes. Each can be repeated. `kept` is the number under which the replaced entry is kept. */
export type Step =
  | { readonly step: 'delete'; readonly path: string; readonly kept: number }
  | { readonly step: 'folder'; readonly path: string; readonly owner: Owner }
  | { readonly step: 'put'; readonly path: string; readonly from: string; readonly kept: number }
  | { readonly step: 'mode'; readonly path: string; readonly mode: number; readonly before: number | null }

/** The steps to apply to a workspace. */
export interface Journal {
  readonly workspace: string
  readonly steps: readonly Step[]
  /** True when the run folder is on another file system: steps copy instead of renaming. */
  readonly apart: boolean
}

/** Writes the journal atomically and durably. This is the commit point of a run's changes. */
export function commitJournal(run: string, journal: Journal): void {
  writeDurably(join(run, NAMES.journal), journal)
}

/** Reads the journal of a run; undefined when none was committed. */
export function readJournal(run: string): Journal | undefined {
  const path = join(run, NAMES.journal)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Journal) : undefined
}

/** Removes the journal, once all its steps are applied or reverted. */
export function forgetJournal(run: string): void {
  rmSync(join(run, NAMES.journal), { force: true })
}
