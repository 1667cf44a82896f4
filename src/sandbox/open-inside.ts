import { constants } from 'node:fs'
import { ToolError } from '../core/result.ts'
import { type Descriptor, openToLook } from './descriptor.ts'
import { explainOpen } from './explain-missing.ts'
import { isInside, refuseLink, relativeTo, type Space } from './space.ts'

/** Opens what lies at a path and makes sure that it lies inside: first the descriptor, then the question where it is. */
export function openInside(space: Space, path: string, flags = 0): Descriptor {
  const descriptor = tryOpen(space, path, flags)
  const refusal = isInside(space, descriptor.where) ? refuseHidden(space, path, descriptor.where) : refuseLink(path)
  if (refusal === undefined) return descriptor
  descriptor[Symbol.dispose]()
  throw refusal
}

/** A link to what rules do not let the call read hides it no better than its name. */
function refuseHidden(space: Space, path: string, where: string): ToolError | undefined {
  if (space.mayRead === undefined) return undefined
  const real = relativeTo(space, where)
  if (real === path || space.mayRead(real)) return undefined
  return new ToolError('BLOCKED', `${path} leads to ${real}, which a rule does not let be read. Nothing was read.`)
}

function tryOpen(space: Space, path: string, flags: number): Descriptor {
  try {
    return openToLook(`${space.root}/${path}`, flags)
  } catch (error) {
    throw explainOpen(space, path, error)
  }
}

/** Opens a folder inside. */
export function openFolder(space: Space, path: string): Descriptor {
  return openInside(space, path, constants.O_DIRECTORY)
}
