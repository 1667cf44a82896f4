import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { insidePath } from '../../core/paths.ts'
import { isGone } from '../process-tree.ts'

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
} as const

/** Where the runs of a workspace lie. */
export function findRunsFolder(home: string, workspace: string): string {
  return join(home, 'runs', createHash('sha256').update(workspace).digest('hex').slice(0, 16))
}

/** True where a run folder can hold what an overlay of the workspace changes: same file system, not inside it. */
export function canHoldRuns(runs: string, workspace: string): boolean {
  if (insidePath(workspace, runs) !== undefined) return false
  try {
    mkdirSync(runs, { recursive: true, mode: 0o700 })
    return statSync(runs).dev === statSync(workspace).dev
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
  chmodSync(join(path, NAMES.upper), statSync(workspace).mode & 0o7777)
  symlinkSync(workspace, join(path, NAMES.lower))
  return { path, startedAt: statSync(path).ctimeMs }
}

/** Takes a run folder away, with the locked folder that an overlay leaves in it. */
export function removeRunFolder(path: string): void {
  const locked = join(path, NAMES.work, 'work')
  if (existsSync(locked)) {
    chmodSync(locked, 0o700)
    rmSync(locked, { recursive: true, force: true })
  }
  rmSync(path, { recursive: true, force: true })
}

/** Takes the folder of a workspace's runs away when it is empty. */
export function removeIfEmpty(runs: string): void {
  if (existsSync(runs) && readdirSync(runs).length === 0) rmdirSync(runs)
}

/** The run folders whose process is gone. */
export function findAbandoned(runs: string): string[] {
  if (!existsSync(runs)) return []
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
