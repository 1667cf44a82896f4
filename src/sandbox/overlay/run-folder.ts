import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { lazyCrypto } from '../../core/text/lazy-crypto.ts'
import { insidePath } from '../../core/text/paths.ts'
import { errnoOf } from '../../files/file-errors.ts'
import { isEnding, startOf } from '../limits/process-tree.ts'
import { unlockTree } from './changes/unlock.ts'

/** The folder of one run on an overlay: its changes, and the journal while they are applied. */
export interface RunFolder {
  readonly path: string
  /** Later changes in the workspace come from other programs; milliseconds of the file system's clock. */
  readonly startedAt: number
}

/** The names of files and folders inside a run folder. */
export const NAMES = {
  lower: 'lower',
  upper: 'upper',
  work: 'work',
  stage: 'stage',
  kept: 'kept',
  journal: 'journal.json',
  beside: 'beside.json',
  points: 'points',
  call: 'call',
  pending: 'pending.json',
} as const

/** Lists candidate folders for the runs of a workspace, best first: in Haft's home, in the temporary folder, in memory. */
export function listRunsFolders(home: string, workspace: string): string[] {
  const name = lazyCrypto().createHash('sha256').update(workspace).digest('hex').slice(0, 16)
  const ours = `haft-runs-${process.getuid?.() ?? 0}`
  return [join(home, 'runs'), join(tmpdir(), ours), join('/dev/shm', ours)].map((folder) => join(folder, name))
}

/** True when the folder can hold runs: it is outside the workspace and only we can write to it. */
export function canHoldRuns(runs: string, workspace: string): boolean {
  if (insidePath(workspace, runs) !== undefined) return false
  try {
    mkdirSync(runs, { recursive: true, mode: 0o700 })
    return isOurs(runs)
  } catch {
    return false
  }
}

/** True when the two are on different file systems, so that files cannot be renamed between them. */
export function isApart(runs: string, workspace: string): boolean {
  return statSync(runs).dev !== statSync(workspace).dev
}

/** True for a folder that only we can write to; false for one that we cannot read. */
function isOurs(runs: string): boolean {
  try {
    return [runs, dirname(runs)].every((path) => {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      return stats?.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0
    })
  } catch {
    return false
  }
}

let count = 0

/** Creates the folder of one run, named after this process so that other processes can find its owner. */
export function makeRunFolder(runs: string, workspace: string): RunFolder {
  const path = join(runs, nameRun())
  mkdirSync(path, { recursive: true, mode: 0o700 })
  for (const name of [NAMES.upper, NAMES.work, NAMES.stage, NAMES.kept]) mkdirSync(join(path, name))
  const { mode, uid, gid } = statSync(workspace)
  if (process.getuid?.() === 0) chownSync(join(path, NAMES.upper), uid, gid)
  chmodSync(join(path, NAMES.upper), mode & 0o7777)
  symlinkSync(workspace, join(path, NAMES.lower))
  return { path, startedAt: statSync(path).ctimeMs }
}

/** The start of the name of a run folder that its process gave up while its changes wait to be applied or discarded. */
const RELEASED = 'released-'

/** Gives a run folder up, so that any process may take it; returns its new path. */
export function releaseRunFolder(path: string): string {
  const released = join(dirname(path), `${RELEASED}${basename(path)}`)
  renameSync(path, released)
  return released
}

/** Takes the folder of a run that no living process works on; undefined when another process was first. */
export function takeRunFolder(path: string): string | undefined {
  const taken = join(dirname(path), nameRun())
  try {
    renameSync(path, taken)
    return taken
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Returns a new name of a run folder of this process. */
export const nameRun = (): string => `${process.pid}-${startOf(process.pid)}-${++count}`

/** Removes a run folder, including the locked folders that overlays and commands leave in it. */
export function removeRunFolder(path: string): void {
  const locked = join(path, NAMES.work, 'work')
  if (existsSync(locked)) chmodSync(locked, 0o700)
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    unlockTree(path)
    rmSync(path, { recursive: true, force: true })
  }
}

/** Removes the runs folder of a workspace when it is empty; another process may use it at the same time. */
export function removeIfEmpty(runs: string): void {
  if (!isOurs(runs) || readdirSync(runs).length > 0) return
  try {
    rmdirSync(runs)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['ENOENT', 'ENOTEMPTY'].includes(`${error.code}`))) throw error
  }
}

/** Returns the run folders whose process has ended. */
export function findAbandoned(runs: string): string[] {
  if (!isOurs(runs)) return []
  return readdirSync(runs)
    .filter((name) => {
      if (name.startsWith(RELEASED)) return true
      const [pid = '', start = ''] = name.split('-')
      return isEnding(Number(pid)) || startOf(Number(pid)) !== start
    })
    .map((name) => join(runs, name))
}
