import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'
import type { Replaced } from '../../../core/ports/files.ts'
import type { PendingChanges, PendingChoice, PendingRun, RunReport } from '../../../core/ports/sandbox.ts'
import { KEPT_LIMIT } from '../../../files/change/keep.ts'
import { lstatIfExists } from '../../../files/stat-path.ts'
import { applyPlan } from '../apply/apply-plan.ts'
import { describeChanges } from '../changes/describe-changes.ts'
import type { AppliedChange } from '../changes/find-changes.ts'
import {
  findAbandoned,
  listRunsFolders,
  releaseRunFolder,
  removeIfEmpty,
  removeRunFolder,
  takeRunFolder,
} from '../run-folder.ts'
import { choosePending } from './choose-pending.ts'
import { type PendingRecord, readPending } from './pending-record.ts'
import { showPending } from './show-pending.ts'

/** Whose pending changes, and where what they replace is reported. */
export interface PendingOptions {
  readonly workspace: string
  /** Haft's home folder. */
  readonly home: string
  readonly keptLimit?: number
  replaced(record: Replaced): void
  replacedAll?(records: readonly Replaced[]): void
}

interface Found {
  readonly runs: string
  readonly run: string
  readonly record: PendingRecord
}

/** Creates the access to the pending changes of a workspace. */
export function createPendingChanges(options: PendingOptions): PendingChanges {
  const find = () => findPending(options)
  return {
    list: async () => find().map(({ record }) => describe(record)),
    async show(call) {
      const found = find().find(({ record }) => record.call === call)
      return found && showPending(found.record, { run: found.run, workspace: options.workspace })
    },
    async apply(call, choice = 'all') {
      const found = find().find(({ record }) => record.call === call)
      if (found === undefined) throw new ToolError('FILE_NOT_FOUND', `${call} has no changes that wait to be applied.`)
      return applyFound(found, choice, options)
    },
    async discard(call) {
      const found = find().filter(({ record }) => record.call === call)
      for (const { run, runs } of found) {
        const taken = takeRunFolder(run)
        if (taken !== undefined) removeRunFolder(taken)
        removeIfEmpty(runs)
      }
      return found.length > 0
    },
  }
}

function findPending({ home, workspace }: PendingOptions): Found[] {
  return listRunsFolders(home, workspace)
    .filter((runs) => existsSync(runs))
    .flatMap((runs) =>
      findAbandoned(runs).flatMap((run) => {
        const record = readPending(run)
        return record ? [{ runs, run, record }] : []
      }),
    )
}

function describe({ call, changed, since, conflict }: PendingRecord): PendingRun {
  return { call, files: changed, since, ...(conflict !== undefined && { conflict }) }
}

function applyFound({ run, runs, record }: Found, choice: PendingChoice, options: PendingOptions): RunReport {
  const { workspace, keptLimit = KEPT_LIMIT } = options
  const { call, apart, report } = record
  const { chosen, left } = choosePending(record, choice, workspace)
  checkGitParts(chosen.changes, workspace, record.startedAt)
  const taken = takeRunFolder(run)
  if (taken === undefined)
    throw new ToolError('CONFLICT', `The changes of ${call} are being applied or discarded by somebody else.`)
  try {
    const rest = left.changes.length > 0 ? { ...record, ...left } : undefined
    applyPlan({ ...options, run: taken, call, apart, keptLimit }, chosen.steps, rest)
  } catch (error) {
    releaseRunFolder(taken)
    throw error
  }
  if (left.changes.length > 0) releaseRunFolder(taken)
  else removeRunFolder(taken)
  removeIfEmpty(runs)
  return { ...report, changed: describeChanges(chosen.changes) }
}

/** What makes a folder a repository, and what git would run from it. */
const GIT_PARTS = ['HEAD', 'objects', 'refs', 'commondir', 'config', 'hooks']

/** Throws CONFLICT when the changes would complete a repository of which other parts came since the run began: nobody has checked them together. */
function checkGitParts(changes: readonly AppliedChange[], workspace: string, startedAt: number): void {
  for (const { path } of changes) {
    const parts = path.split('/')
    const at = parts.findIndex((name) => GIT_PARTS.includes(name))
    if (at === -1) continue
    const folder = join(workspace, ...parts.slice(0, at))
    const newer = GIT_PARTS.find((name) => (lstatIfExists(join(folder, name))?.ctimeMs ?? 0) > startedAt)
    if (newer !== undefined)
      throw new ToolError(
        'CONFLICT',
        `${path} would be part of a repository that changed since the command ran. Nothing was applied.`,
      )
  }
}
