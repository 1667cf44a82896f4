import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { expect } from 'vitest'

/** The pids of all processes that run exactly this command line. */
export function findExactly(line: string): number[] {
  return findProcesses(line).filter((pid) => commandLine(String(pid)).trim() === line)
}

/** The pids of all processes whose command line holds this text, zombies aside. */
export function findProcesses(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && commandLine(name).includes(text))
    .map(Number)
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** The pids of all processes in a namespace, such as `net:[4026531840]`. */
export function findInNamespace(namespace: string): string[] {
  const [kind = ''] = namespace.split(':')
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/ns/${kind}`) === namespace
    } catch {
      return false
    }
  })
}

/** Ends a process; ignores one that has already ended. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Waits until a condition holds; fails when it does not within ten seconds. */
export function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  return expect.poll(condition, { timeout: 10_000, interval: 20 }).toBe(true)
}
