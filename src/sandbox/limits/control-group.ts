import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunLimits } from '../../core/ports/sandbox.ts'
import { type CgroupFolder, findOwnGroups } from './own-groups.ts'
import { childrenOf } from './process-tree.ts'

/** A group of processes that share kernel limits. */
export interface ControlGroup {
  /** Adds a process, its descendants and all their later children. The kernel takes a while for this. */
  take(pid: number): Promise<void>
  /** Sets the limits. Called once, before untrusted code runs. */
  limit(limits: Pick<RunLimits, 'memory' | 'processes'>): void
  /** Returns the limit that was exceeded, if any. */
  hit(): 'memory' | 'processes' | undefined
  /** Removes the group once its processes have ended, which the kernel notices a moment later. */
  remove(): Promise<void>
}

/** Creates groups below the one of this process. `holds` says which limits a group can enforce on this machine. */
export interface GroupMaker {
  readonly holds: { readonly memory: boolean; readonly processes: boolean }
  make(): ControlGroup
}

/** Finds which limits a group can enforce, by creating one, and removes groups of dead processes. */
export function createGroupMaker(): GroupMaker {
  const { memory, pids } = findOwnGroups()
  for (const cgroup of [memory, pids]) if (cgroup) removeLeftovers(cgroup)
  const cgroups = { memory: canMake(memory, limitMemory), pids: canMake(pids, limitProcesses) }
  return {
    holds: { memory: cgroups.memory !== undefined, processes: cgroups.pids !== undefined },
    make() {
      const name = newName()
      return joinGroups(cgroups, {
        memory: cgroups.memory && makeGroup(cgroups.memory, name),
        pids: cgroups.pids && makeGroup(cgroups.pids, name),
      })
    },
  }
}

/** A value that is valid for both controllers, as bytes and as a process count. */
const TRIAL = 2 ** 20

type Limit = (folder: string, cgroup: CgroupFolder, value: number) => void

function canMake(cgroup: CgroupFolder | undefined, limit: Limit): CgroupFolder | undefined {
  if (cgroup === undefined) return undefined
  try {
    const folder = makeGroup(cgroup, newName())
    try {
      limit(folder, cgroup, TRIAL)
    } finally {
      rmdirSync(folder)
    }
    return cgroup
  } catch {
    return undefined
  }
}

/** A name that no other group has: several hosts, and several threads, make groups in one process. */
function newName(): string {
  return `haft-${process.pid}-${randomBytes(6).toString('hex')}`
}

function makeGroup(cgroup: CgroupFolder, name: string): string {
  const folder = join(cgroup.folder, name)
  // Memory and processes may be limited in one folder.
  if (!existsSync(folder)) mkdirSync(folder)
  return folder
}

function limitMemory(folder: string, { version }: CgroupFolder, bytes: number): void {
  writeFileSync(join(folder, version === 2 ? 'memory.max' : 'memory.limit_in_bytes'), `${bytes}`)
  writeIfThere(join(folder, 'memory.memsw.limit_in_bytes'), `${bytes}`)
  writeIfThere(join(folder, 'memory.swap.max'), '0')
  writeIfThere(join(folder, 'memory.oom.group'), '1')
}

function limitProcesses(folder: string, _cgroup: CgroupFolder, count: number): void {
  writeFileSync(join(folder, 'pids.max'), `${count}`)
}

function writeIfThere(path: string, text: string): void {
  if (existsSync(path)) writeFileSync(path, text)
}

type Both<T> = { readonly memory: T | undefined; readonly pids: T | undefined }

function joinGroups(cgroups: Both<CgroupFolder>, { memory, pids }: Both<string>): ControlGroup {
  const folders = [...new Set([memory, pids].filter((folder) => folder !== undefined))]
  const addPid = (pid: number) =>
    Promise.all(folders.map((folder) => writeFile(join(folder, 'cgroup.procs'), `${pid}`)))
  return {
    async take(pid) {
      if (folders.length === 0) return
      // A parent first, so that children it starts from now on are included; then those it started before.
      const taken = [pid]
      for (const next of taken) {
        await addPid(next)
        taken.push(...childrenOf(next))
      }
    },
    limit(limits) {
      if (memory && cgroups.memory) limitMemory(memory, cgroups.memory, limits.memory)
      if (pids && cgroups.pids) limitProcesses(pids, cgroups.pids, limits.processes)
    },
    hit() {
      if (memory && countOf(memory, ['memory.events', 'memory.oom_control'], 'oom_kill') > 0) return 'memory'
      return pids && countOf(pids, ['pids.events'], 'max') > 0 ? 'processes' : undefined
    },
    async remove() {
      for (let tries = 0; !folders.every(removeGroup) && tries < 200; tries++)
        await new Promise((resolve) => setTimeout(resolve, 5))
    },
  }
}

function countOf(folder: string, files: readonly string[], key: string): number {
  const file = files.map((name) => join(folder, name)).find((path) => existsSync(path))
  const text = file === undefined ? '' : readFileSync(file, 'utf8')
  return Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

function removeGroup(folder: string): boolean {
  try {
    if (existsSync(folder)) rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

function removeLeftovers({ folder }: CgroupFolder): void {
  for (const name of readdirSync(folder)) {
    const pid = /^haft-(\d+)-[0-9a-f]+$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeGroup(join(folder, name))
  }
}
