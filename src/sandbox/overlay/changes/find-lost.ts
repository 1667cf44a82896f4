import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { listNames, look } from './entries.ts'
import type { Sides } from './find-changes.ts'

/** Returns what the command wrote and its merged view no longer shows, because others removed or re-created the folder underneath. Compares names only, so that it costs little. */
export function findLost(sides: Pick<Sides, 'upper' | 'merged'>, folder = ''): string[] {
  const { upper, merged } = sides
  const shown = listNames(merged, folder)
  return readdirSync(join(upper, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (shown.has(entry.name)) return entry.isDirectory() ? findLost(sides, path) : []
    return isDeletionMark(upper, path) ? [] : [path]
  })
}

/** True for a device with the number 0, which stands for a deleted name. */
function isDeletionMark(upper: string, path: string): boolean {
  const stats = look(upper, path)
  return stats?.isCharacterDevice() === true && stats.rdev === 0n
}
