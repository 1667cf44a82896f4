import { accessSync, chmodSync, constants, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { below, type Descriptor, openBelow, openToLook, pathOf } from '../../files/descriptor.ts'

/** Paths that were opened for their owner again, with the modes that the command gave them. */
export type Unlocked = Map<string, number>

const FOLDER_USE = constants.R_OK | constants.W_OK | constants.X_OK

/** Opens an entry of the overlay that the command closed to its own user (`chmod 000`), so that it can be read and applied; remembers its mode. */
export function unlockEntry(
  merged: string,
  entry: { path: string; mode: number; isFolder: boolean },
  unlocked: Unlocked,
): void {
  const { path, mode, isFolder } = entry
  const wanted = isFolder ? 0o700 : 0o400
  if ((mode & wanted) === wanted || unlocked.has(path)) return
  const place = join(merged, path)
  if (canUse(place, isFolder ? FOLDER_USE : constants.R_OK)) return
  chmodSync(place, mode | wanted)
  unlocked.set(path, mode)
}

/** Opens every folder of a tree for its owner, however deep it is; the tree is to be removed. */
export function unlockTree(path: string): void {
  chmodSync(path, 0o700)
  using folder = openToLook(path, constants.O_DIRECTORY)
  unlockBelow(folder)
}

function unlockBelow(folder: Descriptor): void {
  for (const entry of readdirSync(pathOf(folder), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    chmodSync(below(folder, entry.name), 0o700)
    using inner = openBelow(folder, entry.name, constants.O_DIRECTORY)
    unlockBelow(inner)
  }
}

function canUse(path: string, use: number): boolean {
  try {
    accessSync(path, use)
    return true
  } catch {
    return false
  }
}
