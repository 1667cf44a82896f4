import { type BigIntStats, lstatSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readEnvSecrets } from '../../core/secrets/env-values.ts'
import { isEnvFile, isKeyFile, readFolder, searchSecretFiles } from './find-secret-files.ts'
import { findTracked } from './find-tracked.ts'

/** The secrets in the files of a workspace. */
export interface WorkspaceSecrets {
  /** The secret values of .env files, and the lines of key files that git tracks; the same array while nothing changed. */
  readonly values: readonly string[]
  /** Returns the key files that commands must not read, as absolute paths: those that git does not track. */
  listHiddenFiles(): readonly string[]
  /** Reads files again that were added or changed. */
  refresh(): void
}

/** The largest file whose secrets are read, in bytes. */
const MAX_SIZE = 200_000
/** How many folders are looked at in every refresh, the nearest first, besides those with secret files: a folder that is new in one of them is read at once. A look takes about two microseconds. */
const WATCHED = 100
/** How long after a search new folders are looked for again elsewhere, in milliseconds. */
const SEARCH_AGAIN = 10_000
/** The shortest line of a tracked key file that is masked. */
const MIN_LINE = 16

interface SecretFile {
  readonly stamp: string
  readonly values: readonly string[]
}

/** Reads the secret files of a workspace. Later a refresh looks at the times of these files, of their folders and of the nearest folders alone, which costs microseconds; git is asked afterwards about key files that are new, and Haft waits for its answer. `changed` is called when the values are others. */
export async function openWorkspaceSecrets(workspace: string, changed: () => void): Promise<WorkspaceSecrets> {
  const files = new Map<string, SecretFile>()
  const folders = new Map<string, string>([[workspace, '']])
  let tracked: ReadonlySet<string> = new Set()
  let values: readonly string[] = []
  let searched = 0

  /** A key file that is not known to be tracked is hidden at once; git is asked afterwards. */
  const askGit = (): void => {
    const keys = [...files.keys()].filter(isKeyPath)
    if (keys.length === 0 || keys.every((path) => tracked.has(path))) return
    tracked = findTracked(workspace, keys)
    for (const path of tracked) files.set(path, UNREAD)
  }
  /** Reads the nearest folders at once and the others in steps, so that a large workspace keeps nobody waiting. */
  const search = (): void => {
    searched = Date.now()
    const searching = searchSecretFiles(workspace)
    const step = (): void => {
      for (const path of searching.next()) if (!folders.has(dirname(path))) folders.set(dirname(path), '')
      if (!searching.isDone) setImmediate(step).unref()
    }
    step()
  }
  const refresh = (): void => {
    if (Date.now() - searched > SEARCH_AGAIN) {
      searched = Date.now()
      setImmediate(search).unref()
    }
    const isNew = addNewFiles(folders, files)
    if (isNew) setImmediate(askGit).unref()
    if (!readChanged(files, (path) => isKeyPath(path) && !tracked.has(path))) return
    values = [...new Set([...files.values()].flatMap((file) => file.values))]
    changed()
  }
  search()
  addNewFiles(folders, files)
  askGit()
  refresh()
  return {
    get values() {
      return values
    },
    listHiddenFiles() {
      refresh()
      const hidden = [...files.keys()].filter((path) => isKeyPath(path) && !tracked.has(path))
      return hidden.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile())
    },
    refresh,
  }
}

const UNREAD: SecretFile = { stamp: '', values: [] }

function isKeyPath(path: string): boolean {
  return isKeyFile(basename(path))
}

/** Adds the secret files of folders in which a name was added since, and the folders that are new in them; true when there was a file. */
function addNewFiles(folders: Map<string, string>, files: Map<string, SecretFile>): boolean {
  const before = files.size
  const [workspace] = folders.keys()
  for (const [folder, stamp] of folders) {
    const now = stampOf(folder)
    if (now === stamp) continue
    if (now === '' && folder !== workspace) folders.delete(folder)
    else folders.set(folder, now)
    const content = readFolder(folder)
    for (const path of content.files) if (!files.has(path)) files.set(path, UNREAD)
    // The loop goes on with what is added here.
    for (const path of content.folders) if (folders.size < WATCHED && !folders.has(path)) folders.set(path, '')
  }
  return files.size > before
}

/** Reads the files that changed since, but none that is hidden; true when there was one. */
function readChanged(files: Map<string, SecretFile>, isHidden: (path: string) => boolean): boolean {
  let isChanged = false
  for (const [path, { stamp }] of files) {
    const now = stampOf(path)
    if (now === stamp) continue
    isChanged = true
    if (now === '') files.delete(path)
    else files.set(path, { stamp: now, values: isHidden(path) ? [] : readValues(path) })
  }
  return isChanged
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

/** A file that cannot be read has no values: programs cannot read it either. */
function readValues(path: string): readonly string[] {
  try {
    const stats = tryStat(path)
    if (!stats?.isFile() || stats.size > MAX_SIZE) return []
    const text = readFileSync(path, 'utf8')
    return isEnvFile(basename(path))
      ? readEnvSecrets(text)
      : text.split(/\r?\n/).filter((line) => line.length >= MIN_LINE)
  } catch {
    return []
  }
}
