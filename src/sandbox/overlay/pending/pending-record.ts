import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ChangedFiles, RunReport } from '../../../core/ports/sandbox.ts'
import type { Step } from '../apply/step.ts'
import type { AppliedChange } from '../changes/find-changes.ts'
import { NAMES } from '../run-folder.ts'
import { writeDurably } from '../write-durably.ts'

/** What a run folder holds of changes that wait for somebody's decision: all that is needed to apply them without the overlay. */
export interface PendingRecord {
  readonly call: string
  readonly changes: readonly AppliedChange[]
  readonly steps: readonly Step[]
  readonly changed: ChangedFiles
  readonly report: RunReport
  /** When the run began, in milliseconds of the file system's clock. */
  readonly startedAt: number
  /** When the run ended, in milliseconds since 1970. */
  readonly since: number
  readonly apart: boolean
  /** Why the changes were not applied; undefined while an approval request waits. */
  readonly conflict?: string
}

/** Keeps changes for a later decision; they survive the process from here on. */
export function keepPending(run: string, pending: PendingRecord): void {
  writeDurably(join(run, NAMES.pending), pending)
}

/** Forgets the changes that a run folder keeps, if any. */
export function forgetPending(run: string): void {
  rmSync(join(run, NAMES.pending), { force: true })
}

/** Reads the changes that a run folder keeps; undefined when there are none. */
export function readPending(run: string): PendingRecord | undefined {
  const path = join(run, NAMES.pending)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PendingRecord) : undefined
}
