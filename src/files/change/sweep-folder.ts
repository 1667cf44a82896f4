import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { lazyCrypto } from '../../core/text/lazy-crypto.ts'
import { below, type Descriptor, pathOf } from '../descriptor.ts'
import type { Space } from '../space.ts'

/** Which processes count their pids as we do: those since this start of the machine, in this container. Matches nobody's where that cannot be told. */
function neighboursOf(): string {
  neighbours ??= findNeighbours()
  return neighbours
}
let neighbours: string | undefined

/** Names the process that writes a temporary file, so that others can tell whether it lives. */
export function ownerMark(): string {
  return `${neighboursOf()}-${process.pid}`
}

const LEFT = /^\.haft-([0-9a-f]{12})-(\d+)-[0-9a-f]{12}-\d+\.tmp$/

/** How many folders are remembered as looked at. */
const REMEMBERED = 10_000

/** Removes the temporary files that dead processes left in a folder, at the first change there; those that a living one may be writing stay. */
export function sweepFolder({ swept }: Space, folder: Descriptor): void {
  if (swept.has(folder.where)) return
  if (swept.size === REMEMBERED) swept.clear()
  swept.add(folder.where)
  for (const name of namesIn(folder)) if (isLeft(name)) remove(below(folder, name))
}

function isLeft(name: string): boolean {
  const [, group, pid] = LEFT.exec(name) ?? []
  return group !== undefined && group === neighboursOf() && !isAlive(Number(pid))
}

/** True also where a later process has the pid: then the file waits until that one has gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** None of a folder that may be written into but not listed. */
function namesIn(folder: Descriptor): string[] {
  try {
    return readdirSync(pathOf(folder))
  } catch {
    return []
  }
}

/** Two processes may sweep at once, and a folder of such a name is none of ours. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    return
  }
}

function findNeighbours(): string {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    const container = readlinkSync('/proc/self/ns/pid')
    return lazyCrypto().createHash('sha256').update(`${start}${container}`).digest('hex').slice(0, 12)
  } catch {
    return lazyCrypto().randomBytes(6).toString('hex')
  }
}
