import { type BigIntStats, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readEnvSecrets } from '../../core/secrets/env-values.ts'
import { findSecretFiles, isEnvFile, listNames } from './find-secret-files.ts'

/** The secret values in the .env files of a workspace. */
export interface WorkspaceSecrets {
  readonly values: readonly string[]
  /** Reads files again that were added or changed; true when the values changed. */
  refresh(): boolean
}

/** The largest .env file that is read, in bytes. */
const MAX_SIZE = 200_000
/** How long after a search new folders are looked for again, in milliseconds. */
const SEARCH_AGAIN = 10_000

interface EnvFile {
  readonly stamp: string
  readonly values: readonly string[]
}

/** Reads the .env files of a workspace. Later a refresh looks at the times of these files and of their folders alone, which costs microseconds. */
export async function openWorkspaceSecrets(workspace: string): Promise<WorkspaceSecrets> {
  const files = new Map<string, EnvFile>()
  const folders = new Map<string, string>([[workspace, '']])
  let values: readonly string[] = []
  let searched = 0
  const search = async (): Promise<void> => {
    searched = Date.now()
    for (const path of await findSecretFiles(workspace, isEnvFile)) {
      if (!folders.has(dirname(path))) folders.set(dirname(path), '')
    }
  }
  const refresh = (): boolean => {
    if (Date.now() - searched > SEARCH_AGAIN) search().catch(() => undefined)
    let isChanged = false
    for (const [folder, stamp] of folders) {
      const now = stampOf(folder)
      if (now === stamp) continue
      folders.set(folder, now)
      for (const name of listNames(folder).filter(isEnvFile)) {
        const path = join(folder, name)
        if (!files.has(path)) files.set(path, { stamp: '', values: [] })
      }
    }
    for (const [path, { stamp }] of files) {
      const now = stampOf(path)
      if (now === stamp) continue
      isChanged = true
      if (now === '') files.delete(path)
      else files.set(path, { stamp: now, values: readValues(path) })
    }
    if (isChanged) values = [...new Set([...files.values()].flatMap((file) => file.values))]
    return isChanged
  }
  await search()
  refresh()
  return {
    get values() {
      return values
    },
    refresh,
  }
}

/** Returns what changes when a file is written or a folder gets a new name; empty when there is none. */
function stampOf(path: string): string {
  const stats = tryStat(path)
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.ctimeNs} ${stats.mtimeNs}`
}

function tryStat(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** An .env file that cannot be read has no values: programs cannot read it either. */
function readValues(path: string): readonly string[] {
  try {
    const stats = tryStat(path)
    if (!stats?.isFile() || stats.size > MAX_SIZE) return []
    return readEnvSecrets(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
