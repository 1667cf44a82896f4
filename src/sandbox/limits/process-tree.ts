import { readFileSync } from 'node:fs'

/** The pids of a process's children; none where it is gone. */
export function childrenOf(pid: number): number[] {
  return readProcess(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

/** A process and all below it; those whose parents left hang below the first one of a sandbox. */
export function treeOf(first: number): number[] {
  const found = [first]
  for (const pid of found) found.push(...childrenOf(pid))
  return found
}

/** A file of /proc/PID as text; empty where the process is gone or not ours to look at. */
export function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** True for a process that is gone, or dead and waiting for a slow parent to take notice. */
export function isGone(pid: number): boolean {
  const stat = readProcess(pid, 'stat')
  return stat === '' || /\) [ZX] /.test(stat)
}
