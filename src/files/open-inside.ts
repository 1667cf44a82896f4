import { constants } from 'node:fs'
import { ToolError } from '../core/call/result.ts'
import { type Descriptor, openToLook } from './descriptor.ts'
import { explainOpen } from './explain-missing.ts'
import { isInside, refuseLink, relativeTo, type Space } from './space.ts'

/** Opens what lies at a path and makes sure that it lies inside: first the descriptor, then the question where it is. Refuses a link to what a rule denies to read. */
export function openInside(space: Space, path: string, flags = 0): Descriptor {
  return openChecked(space, path, { flags, isRead: false })
}

/** The same for what is about to be read or listed: the path itself must not be denied either. */
export function openToReadInside(space: Space, path: string, flags = 0): Descriptor {
  return openChecked(space, path, { flags, isRead: true })
}

/** Throws BLOCKED where a rule denies reading what a path leads to. */
export function refuseDenied(space: Space, path: string, real: string): void {
  const deny = space.findDeny?.(real)
  if (deny === undefined) return
  const { rule, reason } = deny
  const lead = real === path ? `${path} may not be read:` : `${path} leads to ${real}, which may not be read:`
  throw new ToolError('BLOCKED', `${lead} blocked by rule "${rule}": ${reason}. Nothing was read.`, {
    details: { rule },
  })
}

interface Opening {
  readonly flags: number
  readonly isRead: boolean
}

function openChecked(space: Space, path: string, { flags, isRead }: Opening): Descriptor {
  const descriptor = tryOpen(space, path, flags)
  try {
    if (!isInside(space, descriptor.where)) throw refuseLink(path)
    const real = relativeTo(space, descriptor.where)
    if (isRead || real !== path) refuseDenied(space, path, real)
    return descriptor
  } catch (error) {
    descriptor[Symbol.dispose]()
    throw error
  }
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

/** Opens a folder inside whose entries are about to be listed. */
export function openFolderToRead(space: Space, path: string): Descriptor {
  return openToReadInside(space, path, constants.O_DIRECTORY)
}
