import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Tells whether a rule denies commands to read a path, relative to the workspace. */
export type DeniesReading = (path: string) => boolean

/** The files and folders that commands must not read because a rule says so. */
export interface DeniedFiles {
  /** Returns absolute paths; a folder stands for all that it holds. */
  list(): readonly string[]
}

/** How many paths are hidden one by one. Beyond that the folders are hidden that hold the most of them. */
const MAX_PATHS = 200

/** How recent a folder's last change may be, in milliseconds, for another one to have the same time. */
const SAME_TIME = 50

interface FolderContent {
  readonly stamp: string
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

/** Git needs its folder, and commands never see ours. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.haft'])

/** Finds the files of a workspace that rules deny to read. The first look reads all folders; later ones read those whose time changed. Costs nothing where no rule denies anything. */
export function createDeniedFiles(workspace: string, find: () => DeniesReading | undefined): DeniedFiles {
  let rules: DeniesReading | undefined
  let known = new Map<string, FolderContent>()
  const read = (folder: string, denies: DeniesReading): FolderContent => {
    const stamp = stampOf(join(workspace, folder))
    const kept = known.get(folder)
    if (kept?.stamp === stamp && stamp !== '') return kept
    const entries = entriesOf(join(workspace, folder)).map((entry) => ({ entry, path: joinPath(folder, entry.name) }))
    return {
      stamp,
      files: entries.filter(({ entry, path }) => !entry.isDirectory() && denies(path)).map(({ path }) => path),
      folders: entries.filter(({ entry }) => entry.isDirectory() && !LEFT_OUT.has(entry.name)).map(({ path }) => path),
    }
  }
  return {
    list() {
      const denies = find()
      if (denies === undefined) return []
      if (denies !== rules) known = new Map()
      rules = denies
      const now = new Map<string, FolderContent>()
      const found: string[] = []
      const queue = ['']
      for (const folder of queue) {
        if (folder !== '' && deniesAll(folder, denies)) {
          found.push(folder)
          continue
        }
        const content = read(folder, denies)
        now.set(folder, content)
        found.push(...content.files)
        queue.push(...content.folders)
      }
      known = now
      return gather(found).map((path) => join(workspace, path))
    },
  }
}

/** A name that no file has; a rule that denies it, and what would lie below it, denies all of the folder. */
const ANY_NAME = '\u0001any'

function deniesAll(folder: string, denies: DeniesReading): boolean {
  return denies(`${folder}/${ANY_NAME}`) && denies(`${folder}/${ANY_NAME}/${ANY_NAME}`)
}

/** Replaces files by their folder, that with the most of them first, until there are few enough paths. */
function gather(paths: readonly string[]): readonly string[] {
  let left = [...paths]
  while (left.length > MAX_PATHS) {
    const counts = new Map<string, number>()
    for (const path of left) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1)
    const [fullest] = [...counts].filter(([folder]) => folder !== '').sort(([, a], [, b]) => b - a)
    if (fullest === undefined) break
    const [folder] = fullest
    left = [...left.filter((path) => !path.startsWith(`${folder}/`)), folder]
  }
  return left
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** Returns what changes when a name is added to a folder; empty where that cannot be told. */
function stampOf(folder: string): string {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || Date.now() - Number(stats.ctimeMs) < SAME_TIME) return ''
  return `${stats.ino} ${stats.ctimeNs} ${stats.mtimeNs}`
}

/** A folder that we may not read holds nothing that commands could read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
