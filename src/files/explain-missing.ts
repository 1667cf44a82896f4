import { constants, lstatSync, readdirSync } from 'node:fs'
import { ToolError } from '../core/call/result.ts'
import { nearest } from '../core/text/nearest.ts'
import { type Descriptor, openToLook, pathOf } from './descriptor.ts'
import { errnoOf, explainErrno, shown } from './file-errors.ts'
import { findNamesakes } from './find-namesakes.ts'
import { entryOf, isInside, joinPath, refuseLink, splitPath, type WorkspaceRoot } from './workspace-root.ts'

/** The most names of a folder that are compared. */
const MAX_NAMES = 2_000

/** Returns the error for a path that could not be opened. It reveals nothing about what exists outside the workspace. */
export function explainOpen(root: WorkspaceRoot, path: string, error: unknown): unknown {
  const { folder, name } = splitPath(path)
  using parent = nearestFolder(root, folder)
  if (!isInside(root, parent.where)) return refuseLink(path)
  if (errnoOf(error) !== 'ENOENT') return explainErrno(error, path)
  const isThere = parent.path === folder
  if (isThere && entryOf(parent, name)?.isSymbolicLink()) return refuseLink(path)
  const missing = isThere ? name : firstBelow(parent.path, folder)
  return notFound(path, { parent, missing, namesakes: findNamesakes(root, name) })
}

/** Returns the error for a path that does not exist. */
export function explainMissing(root: WorkspaceRoot, path: string): unknown {
  return explainOpen(root, path, Object.assign(new Error('missing'), { code: 'ENOENT' }))
}

interface Missing {
  readonly parent: Folder
  readonly missing: string
  /** Paths of other entries with the wanted name. */
  readonly namesakes: readonly string[]
}

function notFound(path: string, { parent, missing, namesakes }: Missing): ToolError {
  const names = readdirSync(pathOf(parent)).slice(0, MAX_NAMES)
  const alike = nearest(missing, names, (text) => text.toLowerCase()).map((found) => joinPath(parent.path, found))
  const near = [...new Set([...namesakes, ...alike])].slice(0, 3)
  const among = parent.path === '.' ? 'the workspace' : `${shown(parent.path)}/`
  const hint = near.length > 0 ? `Nearest: ${near.map(shown).join(', ')}.` : someOf(names, among)
  const where = missing === path ? '' : `: there is no ${shown(missing)} in ${among}`
  const text = `${shown(path)} does not exist${where}. ${hint}`
  return new ToolError('FILE_NOT_FOUND', text, { details: { path, nearest: near } })
}

interface Folder extends Descriptor {
  readonly path: string
}

/** Opens the deepest existing folder on a path, or returns the first link on it that leads nowhere or outside. */
function nearestFolder(root: WorkspaceRoot, path: string): Folder {
  for (let at = path; ; at = splitPath(at).folder) {
    try {
      return { ...openToLook(`${root.realPath}/${at}`, constants.O_DIRECTORY), path: at }
    } catch (error) {
      if (at === '.') throw error
      if (isLink(`${root.realPath}/${at}`)) return { fd: -1, where: '', path: at, [Symbol.dispose]: () => undefined }
    }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  } catch {
    return false
  }
}

function firstBelow(folder: string, path: string): string {
  const rest = folder === '.' ? path : path.slice(folder.length + 1)
  return rest.split('/')[0] ?? rest
}

function someOf(names: readonly string[], among: string): string {
  if (names.length === 0) return 'That folder is empty.'
  const some = [...names].sort().slice(0, 8).map(shown).join(', ')
  return `In ${among} there ${names.length > 8 ? `are ${names.length} entries, such as` : names.length === 1 ? 'is' : 'are'} ${some}.`
}
