import { statfsSync } from 'node:fs'
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
  end(reason: RunEnding): void
}

/** Ends a run that exceeds a limit. Returns a function that stops watching. */
export function watchLimits(watched: Watched): () => void {
  const floor = diskFloor(watched.disk)
  const timer = setInterval(() => {
    const hit = watched.group.hit() ?? findExcess(watched) ?? (freeBytes(watched.disk) < floor ? 'disk' : undefined)
    if (hit !== undefined) watched.end(hit)
  }, EVERY)
  return () => clearInterval(timer)
}

/** Returns the bytes that must stay free on the disk: a gigabyte, or half of the free space if that is less. */
function diskFloor(disk: string): number {
  return Math.min(GIGABYTE, freeBytes(disk) / 2)
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
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
