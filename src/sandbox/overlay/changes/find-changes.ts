import { type BigIntStats, chmodSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Programs } from '../../../core/ports/developer/programs.ts'
import type { Owner } from '../../owner.ts'
import { haveSameBytes, leafType, listNames, look, modeOf, PLAIN_MODE, refuseBrokenNames, typeOf } from './entries.ts'
import { isSameIndex } from './same-index.ts'
import { type Unlocked, unlockEntry } from './unlock.ts'

/** The three layers of an overlay: the workspace, what was written, and the merged view of the command. */
export interface Sides {
  readonly lower: string
  readonly upper: string
  readonly merged: string
  /** Entries that were unlocked to be read; filled by `findChanges`. */
  readonly unlocked: Unlocked
  /** True where the merged view is undefined, because others change the workspace during the run. */
  readonly isLayered?: boolean
  /** Finds git, which reads what a command stored in repositories. */
  readonly programs: Programs
  /** The person's home folder, whose git configuration may name hooks of the workspace. */
  readonly userHome?: string | undefined
  /** Programs of the workspace that run outside the sandbox, relative to it. */
  readonly ownPrograms?: readonly string[]
  /** True where the command could reach the network, so that commits may come from another machine. */
  readonly hasNetwork?: boolean
}

/** One difference between the workspace and what the command left; paths are relative to the workspace. */
export type Difference =
  | {
      readonly kind: 'added' | 'changed'
      readonly path: string
      readonly type: 'file' | 'link'
      readonly inUpper: boolean
    }
  | {
      readonly kind: 'added'
      readonly path: string
      readonly type: 'folder'
      readonly mode: number
      readonly owner: Owner
      /** True where the command wrote all of it and everything in it is applied as it is, so that it can be moved at once. */
      readonly isWhole?: boolean
    }
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number }
  | { readonly kind: 'deleted'; readonly path: string }
  /** A fifo, socket or device that the command created or changed. It is not applied. */
  | { readonly kind: 'special'; readonly path: string }

/** A difference that can be applied. */
export type AppliedChange = Exclude<Difference, { kind: 'special' }>

/** Compares what the command left with the workspace. The merged layer is authoritative; the upper layer only shows where to compare. */
export function findChanges(sides: Sides): Difference[] {
  const found: Difference[] = []
  compareFolders('')
  return found

  function compareFolders(folder: string): void {
    const { merged, lower, upper } = listSides(sides, folder)
    for (const name of [...new Set([...merged, ...lower])].sort()) {
      compareEntry(folder === '' ? name : `${folder}/${name}`, upper.has(name))
    }
  }

  function compareEntry(path: string, inUpper: boolean): void {
    const now = lookPlain(path, inUpper)
    const before = look(sides.lower, path)
    if (now !== undefined && inUpper) unlock(path, now)
    if (now === undefined) {
      if (before !== undefined) found.push({ kind: 'deleted', path })
    } else if (before === undefined) add(path, now, inUpper)
    else if (inUpper || now.ino !== before.ino) compare(path, { now, before, inUpper })
  }

  function compare(
    path: string,
    { now, before, inUpper }: { now: BigIntStats; before: BigIntStats; inUpper: boolean },
  ): void {
    if (now.isDirectory() && before.isDirectory()) {
      const mode = modeNow(path, now) & (PLAIN_MODE | modeOf(before))
      if (mode !== modeOf(before)) found.push({ kind: 'mode', path, mode })
      compareFolders(path)
    } else if (typeOf(now) !== typeOf(before)) {
      found.push({ kind: 'deleted', path })
      add(path, now, inUpper)
    } else if (!isSame(path, now, before)) {
      const type = leafType(now)
      found.push(type === undefined ? { kind: 'special', path } : { kind: 'changed', path, type, inUpper })
    }
  }

  /** Returns true where the command wrote all that is there, and all of it can be applied as it is. */
  function add(path: string, now: BigIntStats, inUpper: boolean): boolean {
    unlock(path, now)
    if (!now.isDirectory()) {
      const type = leafType(now)
      found.push(type === undefined ? { kind: 'special', path } : { kind: 'added', path, type, inUpper })
      return type !== undefined && inUpper && !sides.unlocked.has(path)
    }
    const at = found.length
    const mode = modeNow(path, now)
    const owner = { uid: Number(now.uid), gid: Number(now.gid) }
    const folder = { kind: 'added', path, type: 'folder', mode: mode & PLAIN_MODE, owner } as const
    found.push(folder)
    const upper = listNames(sides.upper, path)
    const names = [...listNames(sides.merged, path, () => refuseBrokenNames(sides, path))].sort()
    let isWhole = inUpper && !sides.unlocked.has(path) && mode === folder.mode && names.length === upper.size
    for (const name of names) {
      const child = lookPlain(`${path}/${name}`, upper.has(name), upper.has(name) ? sides.upper : sides.merged)
      if (child === undefined || !add(`${path}/${name}`, child, upper.has(name))) isWhole = false
    }
    if (isWhole) found[at] = { ...folder, isWhole }
    return isWhole
  }

  /** Looks at what the command left, after removing the bits that change whose rights a file runs with. What the merged layer lists and the upper one holds looks the same in both, and the upper one answers faster. */
  function lookPlain(path: string, inUpper: boolean, side = sides.merged): BigIntStats | undefined {
    const now = look(side, path)
    if (!inUpper || !now?.isFile() || (modeOf(now) & ~PLAIN_MODE) === 0) return now
    chmodSync(join(sides.merged, path), modeOf(now) & PLAIN_MODE)
    return look(side, path)
  }

  /** Compares type, mode, size and time, and then the content. A refreshed index of git is the same. */
  function isSame(path: string, now: BigIntStats, before: BigIntStats): boolean {
    const [a, b] = [join(sides.merged, path), join(sides.lower, path)]
    if (now.isSymbolicLink()) return readlinkSync(a) === readlinkSync(b)
    if (modeNow(path, now) !== modeOf(before)) return false
    // Reading a fifo would wait for a writer.
    if (!now.isFile() || isSameIndex(path, a, b)) return true
    return now.size === before.size && now.mtimeNs === before.mtimeNs && haveSameBytes(a, b)
  }

  function unlock(path: string, now: BigIntStats): void {
    if (now.isFile() || now.isDirectory())
      unlockEntry(sides.merged, { path, mode: modeOf(now), isFolder: now.isDirectory() }, sides.unlocked)
  }

  /** Returns the mode that the command set. */
  function modeNow(path: string, now: BigIntStats): number {
    return sides.unlocked.get(path) ?? modeOf(now)
  }
}

/** Lists the names of a folder in each layer. Throws when the command touched one that is not valid UTF-8. */
function listSides(sides: Sides, folder: string): Record<'merged' | 'lower' | 'upper', Set<string>> {
  const namesOf = (side: string) => listNames(side, folder, () => refuseBrokenNames(sides, folder))
  return { merged: namesOf(sides.merged), lower: namesOf(sides.lower), upper: namesOf(sides.upper) }
}
