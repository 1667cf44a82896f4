import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A text that differs when an entry of the folder came, went or was written to; empty for a folder that is not there. */
export function stampFolder(folder: string): string {
  try {
    const { dev, ino } = statSync(folder)
    const entries = readdirSync(folder)
      .sort()
      .map((name) => `${name} ${stampEntry(join(folder, name))}`)
    return [`${dev}:${ino}`, ...entries].join('\n')
  } catch {
    return ''
  }
}

/** When and how an entry was last written; empty where it is gone. */
export function stampEntry(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`
}
