import { constants, lstatSync, readdirSync } from 'node:fs'
import { nearest } from '../core/nearest.ts'
import { ToolError } from '../core/result.ts'
import { type Descriptor, openToLook, pathOf } from './descriptor.ts'
import { errnoOf, explainErrno, shown } from './file-errors.ts'
import { entryOf, isInside, joinPath, refuseLink, type Space, splitPath } from './space.ts'

/** What to say of a path that is not there: which part is missing and what the names next to it are. */
export function explainMissing(space: Space, path: string): ToolError {
  const { folder, name } = splitPath(path)
  const parent = nearestFolder(space, folder)
  if (parent instanceof ToolError) return parent
  using descriptor = parent.descriptor
  if (parent.path === folder && entryOf(descriptor, name)?.isSymbolicLink()) return refuseLink(path)
  const missing =
    parent.path === folder
      ? name
      : (folder.slice(parent.path === '.' ? 0 : parent.path.length + 1).split('/')[0] ?? name)
  const names = readdirSync(pathOf(descriptor))
  const near = nearest(missing, names, (text) => text.toLowerCase()).map((found) => joinPath(parent.path, found))
  const among = parent.path === '.' ? 'the workspace' : `${shown(parent.path)}/`
  const hint = near.length > 0 ? `Nearest: ${near.map(shown).join(', ')}.` : someOf(names, among)
  return new ToolError(
    'FILE_NOT_FOUND',
    `${shown(path)} does not exist: there is no ${shown(missing)} in ${among}. ${hint}`,
    {
      details: { path, nearest: near },
    },
  )
}

/** The deepest folder on the way to a path that exists inside, or what is wrong with it. */
function nearestFolder(space: Space, path: string): { path: string; descriptor: Descriptor } | ToolError {
  for (let at = path; ; at = splitPath(at).folder) {
    try {
      const descriptor = openToLook(`${space.root}/${at}`, constants.O_DIRECTORY)
      if (isInside(space, descriptor.where)) return { path: at, descriptor }
      descriptor[Symbol.dispose]()
      return refuseLink(path)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || at === '.') throw explainErrno(error, path)
      if (isLink(`${space.root}/${at}`)) return refuseLink(path)
    }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

function someOf(names: readonly string[], among: string): string {
  if (names.length === 0) return `Nothing is in ${among}.`
  const some = [...names].sort().slice(0, 8).map(shown).join(', ')
  return `In ${among} there ${names.length > 8 ? `are ${names.length} entries, such as` : 'is'} ${some}.`
}
