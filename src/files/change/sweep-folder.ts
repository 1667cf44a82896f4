import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { lazyCrypto } from '../../core/text/lazy-crypto.ts'
import { below, type Descriptor, pathOf } from '../descriptor.ts'
import type { WorkspaceRoot } from '../workspace-root.ts'

/** Identifies the processes that share our pid numbers: this boot of the machine and this pid namespace. Random, so unique, when that cannot be read. */
function pidSpaceOf(): string {
  pidSpace ??= findPidSpace()
  return pidSpace
}
let pidSpace: string | undefined

/** Identifies this process in the names of its temporary files, so that other processes can check whether it is alive. */
export function processMark(): string {
  return `${pidSpaceOf()}-${process.pid}`
}

const LEFTOVER = /^\.haft-([0-9a-f]{12})-(\d+)-[0-9a-f]{12}-\d+\.tmp$/

/** How many swept folders are remembered. */
const REMEMBERED = 10_000

/** Removes temporary files of dead processes from a folder, once, before the first change in it. Files of living processes stay. */
export function sweepFolder({ swept }: WorkspaceRoot, folder: Descriptor): void {
  if (swept.has(folder.where)) return
  if (swept.size === REMEMBERED) swept.clear()
  swept.add(folder.where)
  for (const name of namesIn(folder)) if (isLeftover(name)) remove(below(folder, name))
}

function isLeftover(name: string): boolean {
  const [, group, pid] = LEFTOVER.exec(name) ?? []
  return group !== undefined && group === pidSpaceOf() && !isAlive(Number(pid))
}

/** True also when a later process has the same pid; the file then stays until that process ends. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Returns no names for a folder that can be written but not listed. */
function namesIn(folder: Descriptor): string[] {
  try {
    return readdirSync(pathOf(folder))
  } catch {
    return []
  }
}

/** Ignores errors: another process may sweep at the same time, and a folder with such a name is not ours. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    return
  }
}

function findPidSpace(): string {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    const container = readlinkSync('/proc/self/ns/pid')
    return lazyCrypto().createHash('sha256').update(`${start}${container}`).digest('hex').slice(0, 12)
  } catch {
    return lazyCrypto().randomBytes(6).toString('hex')
  }
}
