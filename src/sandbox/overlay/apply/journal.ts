import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PendingRecord } from '../pending/pending-record.ts'
import { NAMES } from '../run-folder.ts'
import { writeDurably } from '../write-durably.ts'
import type { Step } from './step.ts'

/** The steps to apply to a workspace. */
export interface Journal {
  readonly workspace: string
  readonly steps: readonly Step[]
  /** The folder that holds what is put and what is replaced; the run folder when left out. */
  readonly source?: string
  /** True once the changes failed: these steps could not be reverted yet. */
  readonly isReverting?: boolean
  /** What stays pending once the steps are applied; nothing when left out. */
  readonly left?: PendingRecord
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

/** Notes whose changes are about to be applied, before anything is recorded for undo. */
export function noteCall(run: string, call: string): void {
  writeFileSync(join(run, NAMES.call), call)
}

/** Returns the call whose changes were about to be applied; undefined where nothing was recorded for undo. */
export function readCall(run: string): string | undefined {
  const path = join(run, NAMES.call)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Ends the journal once all its steps are applied. The note of the call goes first: where it is left without a journal, nothing was applied, and what was recorded for undo is forgotten. */
export function endJournal(run: string): void {
  rmSync(join(run, NAMES.call), { force: true })
  forgetJournal(run)
}

/** Removes the journal, once all its steps are reverted. */
export function forgetJournal(run: string): void {
  rmSync(join(run, NAMES.journal), { force: true })
}
