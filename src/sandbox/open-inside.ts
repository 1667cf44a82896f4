import { constants } from 'node:fs'
import { type Descriptor, openToLook } from './descriptor.ts'
import { explainMissing } from './explain-missing.ts'
import { errnoOf, explainErrno } from './file-errors.ts'
import { isInside, refuseLink, type Space } from './space.ts'

/** Opens what lies at a path and makes sure that it lies inside: first the descriptor, then the question where it is. */
export function openInside(space: Space, path: string, flags = 0): Descriptor {
  const descriptor = tryOpen(space, path, flags)
  if (isInside(space, descriptor.where)) return descriptor
  descriptor[Symbol.dispose]()
  throw refuseLink(path)
}

function tryOpen(space: Space, path: string, flags: number): Descriptor {
  try {
    return openToLook(`${space.root}/${path}`, flags)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw explainErrno(error, path)
    throw explainMissing(space, path)
  }
}

/** Opens a folder inside. */
export function openFolder(space: Space, path: string): Descriptor {
  return openInside(space, path, constants.O_DIRECTORY)
}
