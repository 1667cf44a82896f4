import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { lazyCrypto } from '../../core/text/lazy-crypto.ts'
import { insidePath } from '../../core/text/paths.ts'
import { isGone } from '../limits/process-tree.ts'
import { unlockTree } from './unlock.ts'

/** The folder of one run on an overlay: what it changed, and the journal while that is being applied. */
export interface RunFolder {
  readonly path: string
  /** Changes of the workspace after this moment came from elsewhere; milliseconds of the file system's own clock. */
  readonly startedAt: number
}

/** Names inside a run folder. */
export const NAMES = {
  lower: 'lower',
  upper: 'upper',
  work: 'work',
  stage: 'stage',
  kept: 'kept',
  journal: 'journal.json',
  done: 'done',
} as const

/** Where the runs of a workspace may lie, the better place first: Haft's own folder, a private one among temporary files, one in memory. */
export function listRunsFolders(home: string, workspace: string): string[] {
  const name = lazyCrypto().createHash('sha256').update(workspace).digest('hex').slice(0, 16)
  const ours = `haft-runs-${process.getuid?.() ?? 0}`
  return [join(home, 'runs'), join(tmpdir(), ours), join('/dev/shm', ours)].map((folder) => join(folder, name))
}

/** True where a run folder may hold what an overlay of the workspace changes: ours alone, not inside it. */
export function canHoldRuns(runs: string, workspace: string): boolean {
  if (insidePath(workspace, runs) !== undefined) return false
  try {
    mkdirSync(runs, { recursive: true, mode: 0o700 })
    return isOurs(runs)
  } catch {
    return false
  }
}

/** True where nothing can be renamed between the two. */
export function isApart(runs: string, workspace: string): boolean {
  return statSync(runs).dev !== statSync(workspace).dev
}

/** True for a folder that nobody else can have put anything into; false for one that we may not even look at. */
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

/** Makes the folder of one run, named after this process so that others know whose it is. */
export function makeRunFolder(runs: string, workspace: string): RunFolder {
  const path = join(runs, `${process.pid}-${startOf(process.pid)}-${++count}`)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  for (const name of [NAMES.upper, NAMES.work, NAMES.stage, NAMES.kept]) mkdirSync(join(path, name))
  const { mode, uid, gid } = statSync(workspace)
  if (process.getuid?.() === 0) chownSync(join(path, NAMES.upper), uid, gid)
  chmodSync(join(path, NAMES.upper), mode & 0o7777)
  symlinkSync(workspace, join(path, NAMES.lower))
  return { path, startedAt: statSync(path).ctimeMs }
}

/** Takes a run folder away, with the locked folders that an overlay and commands leave in it. */
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

/** Takes the folder of a workspace's runs away when it is empty, which another process may just have changed. */
export function removeIfEmpty(runs: string): void {
  if (!isOurs(runs) || readdirSync(runs).length > 0) return
  try {
    rmdirSync(runs)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['ENOENT', 'ENOTEMPTY'].includes(`${error.code}`))) throw error
  }
}

/** The run folders whose process is gone. */
export function findAbandoned(runs: string): string[] {
  if (!isOurs(runs)) return []
  return readdirSync(runs)
    .filter((name) => {
      const [pid = '', start = ''] = name.split('-')
      return isGone(Number(pid)) || startOf(Number(pid)) !== start
    })
    .map((name) => join(runs, name))
}

/** When a process started, in the kernel's ticks: tells it from a later one with the same pid. */
function startOf(pid: number): string {
  try {
    return (
      readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')[19] ?? ''
    )
  } catch {
    return ''
  }
}
