import { type Dirent, lstatSync, readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { RunEnding, RunLimits } from '../../core/ports/sandbox.ts'
import type { ControlGroup, GroupMaker } from './control-group.ts'
import { readProcess, treeOf } from './process-tree.ts'

/** The interval between two checks of a run, in milliseconds. */
const EVERY = 100
const GIGABYTE = 1024 ** 3

/** The run to watch. */
export interface Watched {
  /** The pid, as seen outside, of the first process inside; undefined when there is none. */
  readonly first: number | undefined
  readonly limits: RunLimits
  readonly group: ControlGroup
  readonly holds: GroupMaker['holds']
  /** A folder on the file system that the run writes to. */
  readonly disk: string
  /** True once the run has written more than it may, given what is free on the disk. */
  isTooMuch(free: number): boolean
  end(reason: RunEnding): void
}

/** Ends a run that exceeds a limit. Returns a function that stops watching. */
export function watchLimits(watched: Watched): () => void {
  const floor = diskFloor(watched.disk)
  const timer = setInterval(() => {
    const free = freeBytes(watched.disk)
    const hit =
      watched.group.hit() ??
      findExcess(watched) ??
      (free < floor ? 'disk' : watched.isTooMuch(free) ? 'written' : undefined)
    if (hit !== undefined) watched.end(hit)
  }, EVERY)
  return () => clearInterval(timer)
}

/** Where a run writes, and how much it may. */
export interface Written {
  readonly disk: string
  readonly limits: RunLimits
  /** The folder that holds what the run writes, and nothing else; undefined where it writes to the workspace itself. */
  writtenTo(): string | undefined
}

/** Returns a check whether the run has written more than it may. With what is free on the disk, its files are counted only when that shrank by the limit, so that it costs little; others may have freed as much meanwhile. Without, they are always counted. */
export function createWriteCheck({ disk, limits, writtenTo }: Written): (free?: number) => boolean {
  let start = freeBytes(disk)
  return (free) => {
    const folder = writtenTo()
    if (folder === undefined || (free !== undefined && start - free <= limits.written)) return false
    const written = countBytes(folder, limits.written)
    // Others wrote the rest.
    if (free !== undefined) start = free + written
    return written > limits.written
  }
}

/** Counts what the files of a folder take on the disk, until it is more than the limit. */
function countBytes(folder: string, limit: number): number {
  let sum = 0
  const queue = [folder]
  for (const path of queue) {
    for (const entry of entriesOf(path)) {
      const child = join(path, entry.name)
      if (entry.isDirectory()) queue.push(child)
      else sum += (lstatSync(child, { throwIfNoEntry: false })?.blocks ?? 0) * 512
      if (sum > limit) return sum
    }
  }
  return sum
}

/** Returns nothing for a folder that the command removes or locks meanwhile. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Returns the bytes that must stay free on the disk: a gigabyte, or half of the free space if that is less. */
function diskFloor(disk: string): number {
  return Math.min(GIGABYTE, freeBytes(disk) / 2)
}

/** Returns the free bytes of a disk; without end where the folder is gone, since an error thrown in a timer would end the process. */
function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function findExcess({ first, limits, holds }: Watched): RunEnding | undefined {
  if (first === undefined || (holds.memory && holds.processes)) return undefined
  const pids = treeOf(first)
  if (!holds.processes && pids.length > limits.processes) return 'processes'
  return !holds.memory && usesMoreThan(pids, limits.memory) ? 'memory' : undefined
}

/** Sums resident memory, which counts shared pages repeatedly; only when that exceeds the limit, sums proportional memory. */
function usesMoreThan(pids: readonly number[], limit: number): boolean {
  const sum = (file: string, key: string) => pids.reduce((total, pid) => total + kilobytesOf(pid, file, key), 0) * 1024
  return sum('status', 'VmRSS') > limit && sum('smaps_rollup', 'Pss') > limit
}

function kilobytesOf(pid: number, file: string, key: string): number {
  const text = readProcess(pid, file)
  return Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)
}
