import { readFileSync } from 'node:fs'

/** Returns the pids of a process's children; empty when the process has ended. */
export function childrenOf(pid: number): number[] {
  return readProcess(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

/** Returns a process and all its descendants. Inside a sandbox, orphans are children of its first process. */
export function treeOf(first: number): number[] {
  const found = [first]
  for (const pid of found) found.push(...childrenOf(pid))
  return found
}

/** Reads a file of /proc/PID; empty when the process has ended or may not be read. */
export function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** The kernel's flag of a process that is ending: its program does nothing more. */
const ENDING = 0x4

/** True for a process that has ended, or was killed and is about to: on a busy machine that takes a while. */
export function isEnding(pid: number): boolean {
  const stat = readProcess(pid, 'stat')
  const flags = Number(stat.replace(/^.*\) /s, '').split(' ')[6])
  return isGone(pid) || (flags & ENDING) !== 0
}

/** True for a process that has ended, including a zombie. */
export function isGone(pid: number): boolean {
  const stat = readProcess(pid, 'stat')
  return stat === '' || /\) [ZX] /.test(stat)
}

/** Returns the start time of a process in kernel ticks, which distinguishes it from a later one with the same pid; empty when there is none. */
export function startOf(pid: number): string {
  return (
    readProcess(pid, 'stat')
      .replace(/^.*\) /s, '')
      .split(' ')[19] ?? ''
  )
}
