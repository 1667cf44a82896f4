import { constants, mkdirSync, type Stats } from 'node:fs'
import { ToolError } from '../../core/call/result.ts'
import { below, type Descriptor, openToLook } from '../descriptor.ts'
import { explainMissing } from '../explain-missing.ts'
import { conflict, errnoOf, explainErrno, refusePath } from '../file-errors.ts'
import { openFolder, openInside } from '../open-inside.ts'
import { isOfNewRepository } from '../repositories/new-repository.ts'
import { protectedPart } from '../repositories/protected-paths.ts'
import { entryOf, isInside, joinPath, pathInside, refuseLink, relativeTo, type Space, splitPath } from '../space.ts'

/** An entry of an open folder inside the workspace, there or not: the only thing that changes are made to. */
export interface Place extends Disposable {
  readonly folder: Descriptor
  readonly name: string
  /** Where it really lies, relative to the workspace. */
  readonly path: string
  /** What is there, a link not followed. */
  readonly stats: Stats | undefined
}

/** Told of each folder that is made, right before it is. */
export type Making = (path: string) => void

/** Opens the place of an entry itself; a link is not followed. Undefined when its folder is missing and none is made. */
export function openPlace(space: Space, given: string, making?: Making): Place | undefined {
  refuseProtected(pathInside(space, given), given)
  return openGuarded(space, given, { making, guard: (path) => refuseProtected(path, given) })
}

/** The same for what an earlier call may have made: also the parts of a repository that `git init` puts there. Only for looking and removing. */
export function openMadePlace(space: Space, given: string): Place | undefined {
  return openGuarded(space, given, {
    making: undefined,
    guard: (path, at) => isOfNewRepository(path, at) || refuseProtected(path, given),
  })
}

interface Guarding {
  readonly making: Making | undefined
  /** Throws where the real path, to be looked at by another name, may not be changed. */
  guard(path: string, at: string): unknown
}

function openGuarded(space: Space, given: string, { making, guard }: Guarding): Place | undefined {
  const path = pathInside(space, given)
  if (path === '.') throw refusePath(given, 'is the workspace itself')
  const { folder, name } = splitPath(path)
  const descriptor = openParent(space, folder, making)
  if (descriptor === undefined) return undefined
  try {
    const real = joinPath(relativeTo(space, descriptor.where), name)
    guard(real, below(descriptor, name))
    const stats = entryOf(descriptor, name)
    return { folder: descriptor, name, path: real, stats, [Symbol.dispose]: () => descriptor[Symbol.dispose]() }
  } catch (error) {
    descriptor[Symbol.dispose]()
    throw explainErrno(error, given)
  }
}

/** Opens the place where a write lands: a link is followed while it ends inside. */
export function openTarget(space: Space, given: string, making?: Making): Place | undefined {
  const place = openPlace(space, given, making)
  if (!place?.stats?.isSymbolicLink()) return place
  place[Symbol.dispose]()
  using end = openInside(space, pathInside(space, given))
  const target = openPlace(space, joinPath('.', relativeTo(space, end.where)))
  if (target?.stats && !target.stats.isSymbolicLink()) return target
  target?.[Symbol.dispose]()
  throw conflict(given, 'changed while it was looked at.', 'CHANGED')
}

function refuseProtected(path: string, given: string): void {
  const part = protectedPart(path)
  if (part !== undefined) {
    throw refusePath(given, `may not be changed: ${part} is protected, since programs outside the workspace trust it`)
  }
}

function openParent(space: Space, path: string, making: Making | undefined): Descriptor | undefined {
  try {
    return openFolder(space, path)
  } catch (error) {
    if (!isMissing(error)) throw error
    return making ? makeFolders(space, path, making) : undefined
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'FILE_NOT_FOUND'
}

/** Opens a folder part by part, each through the descriptor of the one before, and makes those that are missing. */
function makeFolders(space: Space, path: string, making: Making): Descriptor {
  let folder = openFolder(space, '.')
  for (const name of path.split('/')) {
    const parent = folder
    try {
      folder = openOrMake(space, parent, { name, path, making })
    } finally {
      parent[Symbol.dispose]()
    }
  }
  return folder
}

function openOrMake(
  space: Space,
  parent: Descriptor,
  { name, path, making }: { name: string; path: string; making: Making },
): Descriptor {
  const real = joinPath(relativeTo(space, parent.where), name)
  try {
    if (entryOf(parent, name) === undefined) {
      refuseProtected(real, path)
      making(real)
      mkdirSync(below(parent, name))
    }
    const folder = openToLook(below(parent, name), constants.O_DIRECTORY)
    if (isInside(space, folder.where)) return folder
    folder[Symbol.dispose]()
  } catch (error) {
    throw errnoOf(error) === 'ENOENT' ? refuseLink(path) : explainErrno(error, path)
  }
  throw refuseLink(path)
}

/** The path a new entry would have, checked as far as its folders exist; for a place that `openPlace` could not open. */
export function checkMissingPlace(space: Space, given: string): string {
  const path = pathInside(space, given)
  for (let { folder, name: rest } = splitPath(path); ; ) {
    try {
      using descriptor = openFolder(space, folder)
      const real = joinPath(relativeTo(space, descriptor.where), rest)
      refuseProtected(real, given)
      return real
    } catch (error) {
      if (!isMissing(error)) throw error
      const above = splitPath(folder)
      rest = `${above.name}/${rest}`
      folder = above.folder
    }
  }
}

/** The failure for a place whose folder is missing. */
export function missingPlace(space: Space, given: string): unknown {
  return explainMissing(space, pathInside(space, given))
}
