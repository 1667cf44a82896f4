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
  /** Returns the limit of what it may write that it has passed, given what is free on the disk. */
  findTooMuch(free: FreeRoom): WriteLimit | undefined
  end(reason: RunEnding): void
}

/** Ends a run that exceeds a limit. Returns a function that stops watching. */
export function watchLimits(watched: Watched): () => void {
  const floor = diskFloor(watched.disk)
  const timer = setInterval(() => {
    const free = roomOf(watched.disk)
    const hit = watched.group.hit() ?? findExcess(watched) ?? (free.bytes < floor ? 'disk' : watched.findTooMuch(free))
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

/** A limit of what a run may write. */
type WriteLimit = 'written' | 'files'

/** What is free on a disk. */
interface FreeRoom {
  readonly bytes: number
  /** How many more files it can hold; 0 where its file system has no such number. */
  readonly files: number
}

/** Returns a check for the limit that the run has passed by writing. With what is free on the disk, its files are counted only when that shrank by a limit, so that it costs little; others may have freed as much meanwhile. Without, they are always counted. */
export function createWriteCheck({ disk, limits, writtenTo }: Written): (free?: FreeRoom) => WriteLimit | undefined {
  let start = roomOf(disk)
  return (free) => {
    const folder = writtenTo()
    const hasShrunk =
      free === undefined || start.bytes - free.bytes > limits.written || start.files - free.files > limits.files
    if (folder === undefined || !hasShrunk) return undefined
    const written = countWritten(folder, limits)
    // Others wrote the rest.
    if (free !== undefined) start = { bytes: free.bytes + written.bytes, files: free.files + written.files }
    if (written.files > limits.files) return 'files'
    return written.bytes > limits.written ? 'written' : undefined
  }
}

/** Counts what a folder holds and takes on the disk, until it is more than a limit. */
function countWritten(folder: string, limits: RunLimits): FreeRoom {
  let bytes = 0
  let files = 0
  const queue = [folder]
  for (const path of queue) {
    for (const entry of entriesOf(path)) {
      const child = join(path, entry.name)
      files++
      if (entry.isDirectory()) queue.push(child)
      else bytes += (lstatSync(child, { throwIfNoEntry: false })?.blocks ?? 0) * 512
      if (bytes > limits.written || files > limits.files) return { bytes, files }
    }
  }
  return { bytes, files }
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
  return Math.min(GIGABYTE, roomOf(disk).bytes / 2)
}

/** Returns what is free on a disk; without end where the folder is gone, since an error thrown in a timer would end the process. */
function roomOf(path: string): FreeRoom {
  try {
    const { bavail, bsize, ffree } = statfsSync(path)
    return { bytes: bavail * bsize, files: ffree }
  } catch {
    return { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }
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
