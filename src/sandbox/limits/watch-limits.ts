import { statfsSync } from 'node:fs'
import type { RunEnding, RunLimits } from '../../core/ports/sandbox.ts'
import type { ControlGroup, GroupMaker } from './control-group.ts'
import { readProcess, treeOf } from './process-tree.ts'

/** How often a run is looked at, in milliseconds. */
const EVERY = 100
const GIGABYTE = 1024 ** 3

/** What is watched. */
export interface Watched {
  /** The outside pid of the first process inside; undefined where there is none. */
  readonly first: number | undefined
  readonly limits: RunLimits
  readonly group: ControlGroup
  readonly holds: GroupMaker['holds']
  /** A folder on the file system that the run fills. */
  readonly disk: string
  end(reason: RunEnding): void
}

/** Ends a run that passes a limit the kernel does not hold for us, or has hit one that it does. Returns how to stop watching. */
export function watchLimits(watched: Watched): () => void {
  const floor = diskFloor(watched.disk)
  const timer = setInterval(() => {
    const hit = watched.group.hit() ?? findExcess(watched) ?? (freeBytes(watched.disk) < floor ? 'disk' : undefined)
    if (hit !== undefined) watched.end(hit)
  }, EVERY)
  return () => clearInterval(timer)
}

/** What must stay free on that disk: a gigabyte, or half of what is left where that is less. */
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

/** Resident memory counts shared pages often; only when that is too much are they counted once. */
function usesMoreThan(pids: readonly number[], limit: number): boolean {
  const sum = (file: string, key: string) => pids.reduce((total, pid) => total + kilobytesOf(pid, file, key), 0) * 1024
  return sum('status', 'VmRSS') > limit && sum('smaps_rollup', 'Pss') > limit
}

function kilobytesOf(pid: number, file: string, key: string): number {
  const text = readProcess(pid, file)
  return Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)
}
