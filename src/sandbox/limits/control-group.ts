import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunLimits } from '../../core/ports/sandbox.ts'
import { findOwnGroups, type GroupPlace } from './own-groups.ts'
import { childrenOf } from './process-tree.ts'

/** A group of processes that the kernel holds to limits together. */
export interface ControlGroup {
  /** Takes in a process and those below it, with all their children to come. The kernel takes its time for it. */
  take(pid: number): Promise<void>
  /** Sets the limits; called once, before anything untrusted runs. */
  limit(limits: Pick<RunLimits, 'memory' | 'processes'>): void
  /** The limit that was hit, if one was. */
  hit(): 'memory' | 'processes' | undefined
  /** Takes the group away; false while a process is still in it. */
  remove(): boolean
}

/** Makes groups below the one we run in; undefined members are limits that no group can hold here. */
export interface GroupMaker {
  readonly holds: { readonly memory: boolean; readonly processes: boolean }
  make(): ControlGroup
}

/** Finds out which limits a group can hold here, by making one, and takes away those that dead processes left. */
export function createGroupMaker(): GroupMaker {
  const { memory, pids } = findOwnGroups()
  for (const place of [memory, pids]) if (place) removeLeftovers(place)
  const places = { memory: canMake(memory, limitMemory), pids: canMake(pids, limitProcesses) }
  let count = 0
  return {
    holds: { memory: places.memory !== undefined, processes: places.pids !== undefined },
    make() {
      const name = `haft-${process.pid}-${++count}`
      return joinGroups(places, {
        memory: places.memory && makeGroup(places.memory, name),
        pids: places.pids && makeGroup(places.pids, name),
      })
    },
  }
}

/** A limit that either controller takes: bytes, or processes. */
const TRIAL = 2 ** 20

type Limit = (folder: string, place: GroupPlace, value: number) => void

function canMake(place: GroupPlace | undefined, limit: Limit): GroupPlace | undefined {
  if (place === undefined) return undefined
  try {
    const folder = makeGroup(place, `haft-${process.pid}-0`)
    try {
      limit(folder, place, TRIAL)
    } finally {
      rmdirSync(folder)
    }
    return place
  } catch {
    return undefined
  }
}

function makeGroup(place: GroupPlace, name: string): string {
  const folder = join(place.folder, name)
  mkdirSync(folder, { recursive: true })
  return folder
}

function limitMemory(folder: string, { version }: GroupPlace, bytes: number): void {
  writeFileSync(join(folder, version === 2 ? 'memory.max' : 'memory.limit_in_bytes'), `${bytes}`)
  writeIfThere(join(folder, 'memory.memsw.limit_in_bytes'), `${bytes}`)
  writeIfThere(join(folder, 'memory.swap.max'), '0')
  writeIfThere(join(folder, 'memory.oom.group'), '1')
}

function limitProcesses(folder: string, _place: GroupPlace, count: number): void {
  writeFileSync(join(folder, 'pids.max'), `${count}`)
}

function writeIfThere(path: string, text: string): void {
  if (existsSync(path)) writeFileSync(path, text)
}

type Both<T> = { readonly memory: T | undefined; readonly pids: T | undefined }

function joinGroups(places: Both<GroupPlace>, { memory, pids }: Both<string>): ControlGroup {
  const folders = [...new Set([memory, pids].filter((folder) => folder !== undefined))]
  const put = (pid: number) => Promise.all(folders.map((folder) => writeFile(join(folder, 'cgroup.procs'), `${pid}`)))
  return {
    async take(pid) {
      // The first: whom it starts from now on is in. Then those it had started before.
      await put(pid)
      if (folders.length > 0) for (const child of childrenOf(pid)) await put(child)
    },
    limit(limits) {
      if (memory && places.memory) limitMemory(memory, places.memory, limits.memory)
      if (pids && places.pids) limitProcesses(pids, places.pids, limits.processes)
    },
    hit() {
      if (memory && countOf(memory, ['memory.events', 'memory.oom_control'], 'oom_kill') > 0) return 'memory'
      return pids && countOf(pids, ['pids.events'], 'max') > 0 ? 'processes' : undefined
    },
    remove: () => folders.every(removeGroup),
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

function removeLeftovers({ folder }: GroupPlace): void {
  for (const name of readdirSync(folder)) {
    const pid = /^haft-(\d+)-\d+$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeGroup(join(folder, name))
  }
}
