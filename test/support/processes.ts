import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'

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

/** Waits until a condition holds; fails when it does not within ten seconds. */
export function eventually(condition: () => boolean): Promise<void> {
  return expect.poll(condition, { timeout: 10_000, interval: 20 }).toBe(true)
}
