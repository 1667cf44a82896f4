import { accessSync, chmodSync, constants, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { below, type Descriptor, openBelow, openToLook, pathOf } from '../../../files/descriptor.ts'

/** Paths that were made readable again, with the modes that the command gave them. */
export type Unlocked = Map<string, number>

const FOLDER_USE = constants.R_OK | constants.W_OK | constants.X_OK

/** Makes an entry readable that the command locked (`chmod 000`), so that it can be applied, and records its mode. */
export function unlockEntry(
  merged: string,
  entry: { path: string; mode: number; isFolder: boolean },
  unlocked: Unlocked,
): void {
  const { path, mode, isFolder } = entry
  const wanted = isFolder ? 0o700 : 0o400
  if ((mode & wanted) === wanted || unlocked.has(path)) return
  const target = join(merged, path)
  if (canUse(target, isFolder ? FOLDER_USE : constants.R_OK)) return
  chmodSync(target, mode | wanted)
  unlocked.set(path, mode)
}

/** Makes every folder of a tree writable, at any depth, so that the tree can be removed. */
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
