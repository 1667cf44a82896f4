import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createNamedCheck } from '../../../core/rules/named-files.ts'
import {
  isInstalled,
  isTrustedByContent,
  listRegistries,
  MAX_TRUSTED_CONTENT,
  REGISTRY_SETTINGS,
  runsMore,
} from '../../../core/rules/trusted-content.ts'
import { isOwnProgram, isTrustedPath } from '../../../core/rules/trusted-files.ts'
import { readAll } from '../../../files/read/read-all.ts'
import { lstatIfExists } from '../../../files/stat-path.ts'
import type { AppliedChange, Sides } from './find-changes.ts'
import { createLinkedCheck } from './find-linked.ts'

/** Returns the changes to files that other programs execute or trust. They need approval; an empty folder is not a file. */
export function findTrusted(changes: readonly AppliedChange[], sides: Sides): AppliedChange[] {
  const isLinked = createLinkedCheck(sides.lower)
  const isNamed = createNamedCheck((path) => readWhole(join(sides.lower, path)))
  return changes.filter(
    (change) =>
      !isFolderOnly(change) &&
      (isTrustedPath(change.path) ||
        isOwnProgram(change.path, sides.ownPrograms ?? []) ||
        isTrusting(change, sides) ||
        (change.kind !== 'deleted' && (isNamed(change.path) || isLinked(change.path)))),
  )
}

function isFolderOnly(change: AppliedChange): boolean {
  return change.kind === 'mode' || ('type' in change && change.type === 'folder')
}

/** True for a change whose content makes other programs run more than before, and for a link that makes installed packages a part of the project. */
function isTrusting(change: AppliedChange, { lower, merged }: Sides): boolean {
  if (change.kind === 'deleted' || isInstalled(change.path)) return false
  const after = join(merged, change.path)
  const isLink = 'type' in change && change.type === 'link'
  if (!isTrustedByContent(change.path)) return isLink && isInstalled(readlinkSync(after))
  if (isLink) return true
  const text = readWhole(after)
  if (text === undefined) return true
  return trustsMore(lower, change.path, text)
}

/** True when a text at a path of a tree would make other programs run more than what the tree holds there. */
export function trustsMore(tree: string, path: string, text: string): boolean {
  const registries = REGISTRY_SETTINGS.flatMap((name) =>
    listRegistries(readWhole(join(tree, dirname(path), name)) ?? ''),
  )
  return runsMore(path, { before: readWhole(join(tree, path)), after: text }, registries)
}

/** Reads a file as text; undefined when it is missing, no file or too large. */
export function readWhole(path: string): string | undefined {
  if (lstatIfExists(path)?.isFile() !== true) return undefined
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = fstatSync(file)
    if (size > MAX_TRUSTED_CONTENT) return undefined
    const bytes = readAll(file, size, MAX_TRUSTED_CONTENT)
    return bytes && Buffer.from(bytes).toString('utf8')
  } finally {
    closeSync(file)
  }
}
