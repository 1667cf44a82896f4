import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A text that differs when an entry of the folder came, went or was written to; empty for a folder that is not there. */
export function stampFolder(folder: string, isWatched: (name: string) => boolean = () => true): string {
  try {
    const { dev, ino } = statSync(folder)
    const entries = readdirSync(folder)
      .filter(isWatched)
      .sort()
      .map((name) => `${name} ${stampEntry(join(folder, name))}`)
    return [`${dev}:${ino}`, ...entries].join('\n')
  } catch {
    return ''
  }
}

function stampEntry(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`
}
