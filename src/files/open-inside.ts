import { constants, statSync } from 'node:fs'
import { ToolError } from '../core/call/result.ts'
import { type Descriptor, openToLook } from './descriptor.ts'
import { explainOpen } from './explain-missing.ts'
import { isInside, refuseLink, relativeTo, type WorkspaceRoot } from './workspace-root.ts'

/** Opens a path inside the workspace: first opens it, then checks the real path of the descriptor. Refuses a link to a file that a rule denies to read. */
export function openInside(root: WorkspaceRoot, path: string, flags = 0): Descriptor {
  return openChecked(root, path, { flags, isRead: false })
}

/** Like `openInside`, for reading or listing: also refuses the path itself when a rule denies it. */
export function openToReadInside(root: WorkspaceRoot, path: string, flags = 0): Descriptor {
  return openChecked(root, path, { flags, isRead: true })
}

/** Throws BLOCKED when a rule denies reading the real path. A change reads too: the person sees the difference, and undo keeps what was there. */
export function refuseDenied(root: WorkspaceRoot, path: string, real: string, use: 'read' | 'change'): void {
  const deny = root.findDeny?.(real)
  if (deny === undefined) return
  const { rule, reason } = deny
  const lead = real === path ? path : `${path} leads to ${real}, which`
  const refusal =
    use === 'read' ? 'may not be read' : 'cannot be changed, since its content may not be read to show what changes'
  const ending = use === 'read' ? 'Nothing was read.' : 'Nothing was changed.'
  throw new ToolError('BLOCKED', `${lead} ${refusal}: blocked by rule ${rule}: ${reason}. ${ending}`, {
    details: { rule },
  })
}

interface Opening {
  readonly flags: number
  readonly isRead: boolean
}

function openChecked(root: WorkspaceRoot, path: string, { flags, isRead }: Opening): Descriptor {
  const descriptor = tryOpen(root, path, flags)
  try {
    if (!isInside(root, descriptor.where)) throw refuseLink(path)
    const real = relativeTo(root, descriptor.where)
    if (isRead || real !== path) refuseDenied(root, path, real, isRead ? 'read' : 'change')
    return descriptor
  } catch (error) {
    descriptor[Symbol.dispose]()
    throw error
  }
}

function tryOpen(root: WorkspaceRoot, path: string, flags: number): Descriptor {
  try {
    return openToLook(`${root.realPath}/${path}`, flags)
  } catch (error) {
    throw explainOpen(root, path, error)
  }
}

/** True if something is at a path inside the workspace, links followed. */
export function isThereInside(root: WorkspaceRoot, path: string): boolean {
  const at = `${root.realPath}/${path}`
  // First without an error: those take far longer to make than the look itself.
  if (statSync(at, { throwIfNoEntry: false }) === undefined) return false
  using descriptor = openToLook(at)
  return isInside(root, descriptor.where)
}

/** Opens a folder inside the workspace. */
export function openFolder(root: WorkspaceRoot, path: string): Descriptor {
  return openInside(root, path, constants.O_DIRECTORY)
}

/** Opens a folder inside the workspace for listing. */
export function openFolderToRead(root: WorkspaceRoot, path: string): Descriptor {
  return openToReadInside(root, path, constants.O_DIRECTORY)
}
