import { type BigIntStats, chmodSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { haveSameBytes, leafType, listNames, look, modeOf, PLAIN_MODE, refuseBrokenNames } from './entries.ts'
import type { Difference, Sides } from './find-changes.ts'
import { factsOf, type TreeListing } from './list-tree.ts'
import { isSameIndex } from './same-index.ts'
import { unlockEntry } from './unlock.ts'

/** What a command changed while others may have changed the workspace too. */
export interface UpperChanges {
  readonly found: Difference[]
  /** Paths that both sides changed. */
  readonly conflicts: string[]
}

interface Comparison extends UpperChanges {
  readonly sides: Sides
  readonly listing: TreeListing
}

/** Finds the changes of a command in a workspace that others changed meanwhile, when the kernel leaves the merged view undefined: entries of the upper layer are the command's, a missing name is a deletion only if it was listed at the start, and all else is the other side's. */
export function findUpperChanges(sides: Sides, listing: TreeListing): UpperChanges {
  const comparison: Comparison = { sides, listing, found: [], conflicts: [] }
  compareNames(comparison, '')
  return { found: comparison.found, conflicts: [...new Set(comparison.conflicts)] }
}

function compareNames(comparison: Comparison, folder: string): void {
  const { sides, listing } = comparison
  const names = new Set([...listWritten(sides, folder), ...listing.namesIn(folder)])
  for (const name of [...names].sort()) {
    const path = folder === '' ? name : `${folder}/${name}`
    const now = lookUpper(sides, path)
    if (now !== undefined) compareEntry(comparison, path, now)
    else if (listing.factsOf(path) !== undefined && look(sides.merged, path) === undefined) remove(comparison, path)
  }
}

function remove(comparison: Comparison, path: string): void {
  const before = look(comparison.sides.lower, path)
  if (before === undefined) return
  noteIfChanged(comparison, path, before)
  comparison.found.push({ kind: 'deleted', path })
}

function compareEntry(comparison: Comparison, path: string, now: BigIntStats): void {
  const { sides, found } = comparison
  const before = look(sides.lower, path)
  if (before === undefined) addMissing(comparison, path, now)
  else if (now.isDirectory() && before.isDirectory()) compareFolders(comparison, path, { now, before })
  else if (now.isDirectory() || before.isDirectory()) {
    noteIfChanged(comparison, path, before)
    found.push({ kind: 'deleted', path })
    add(comparison, path, now)
  } else if (!isSame(sides, path, { now, before })) {
    noteIfChanged(comparison, path, before)
    const type = leafType(now)
    found.push(type === undefined ? { kind: 'special', path } : { kind: 'changed', path, type, inUpper: true })
  }
}

interface Versions {
  readonly now: BigIntStats
  readonly before: BigIntStats
}

/** Adds what the workspace does not hold. Where it held it at the start, others removed it; a folder that the command only passed through is theirs then. */
function addMissing(comparison: Comparison, path: string, now: BigIntStats): void {
  const wasListed = comparison.listing.factsOf(path) !== undefined
  if (wasListed && !holdsFiles(comparison.sides, path, now)) return
  if (wasListed) comparison.conflicts.push(path)
  add(comparison, path, now)
}

/** A folder that was removed and made again is another folder: what the command put into the old one would appear in the new one. */
function compareFolders(comparison: Comparison, path: string, { now, before }: Versions): void {
  const { sides, listing, found, conflicts } = comparison
  unlock(sides, path, now)
  const [, inode = `${before.ino}`, listedMode = `${modeOf(before)}`] = listing.factsOf(path)?.split(' ') ?? []
  const mode = modeNow(sides, path, now) & (PLAIN_MODE | modeOf(before))
  if (mode !== modeOf(before) && mode !== Number(listedMode)) found.push({ kind: 'mode', path, mode })
  const count = found.length
  compareNames(comparison, path)
  if (inode !== `${before.ino}` && found.length > count) conflicts.push(path)
}

function add(comparison: Comparison, path: string, now: BigIntStats): void {
  const { sides, found } = comparison
  unlock(sides, path, now)
  if (!now.isDirectory()) {
    const type = leafType(now)
    found.push(type === undefined ? { kind: 'special', path } : { kind: 'added', path, type, inUpper: true })
    return
  }
  const owner = { uid: Number(now.uid), gid: Number(now.gid) }
  found.push({ kind: 'added', path, type: 'folder', mode: modeNow(sides, path, now) & PLAIN_MODE, owner })
  for (const [name, child] of childrenOf(sides, path)) add(comparison, `${path}/${name}`, child)
}

function noteIfChanged(comparison: Comparison, path: string, before: BigIntStats): void {
  if (isChanged(comparison, path, before)) comparison.conflicts.push(path)
}

/** True when the workspace no longer holds what was listed, at the path or below it. */
function isChanged(comparison: Comparison, path: string, before: BigIntStats): boolean {
  const { listing, sides } = comparison
  if (listing.factsOf(path) !== factsOf(before)) return true
  if (!before.isDirectory()) return false
  return [...listNames(sides.lower, path)].some((name) => {
    const child = look(sides.lower, `${path}/${name}`)
    return child !== undefined && isChanged(comparison, `${path}/${name}`, child)
  })
}

function holdsFiles(sides: Sides, path: string, now: BigIntStats): boolean {
  if (!now.isDirectory()) return true
  return childrenOf(sides, path).some(([name, child]) => holdsFiles(sides, `${path}/${name}`, child))
}

function childrenOf(sides: Sides, folder: string): [string, BigIntStats][] {
  return [...listWritten(sides, folder)].sort().flatMap((name) => {
    const child = lookUpper(sides, `${folder}/${name}`)
    return child ? [[name, child] satisfies [string, BigIntStats]] : []
  })
}

/** Lists the names of a folder that the command wrote. Throws when one is not valid UTF-8. */
function listWritten({ upper }: Sides, folder: string): Set<string> {
  return listNames(upper, folder, () => refuseBrokenNames({ lower: upper, upper, merged: upper }, folder))
}

function isSame(sides: Sides, path: string, { now, before }: Versions): boolean {
  const [a, b] = [join(sides.upper, path), join(sides.lower, path)]
  if (now.isSymbolicLink()) return before.isSymbolicLink() && readlinkSync(a) === readlinkSync(b)
  unlock(sides, path, now)
  if (!now.isFile() || !before.isFile() || modeNow(sides, path, now) !== modeOf(before)) return false
  return isSameIndex(path, a, b) || (now.size === before.size && haveSameBytes(a, b))
}

/** Looks at an entry of the upper layer, without the bits that change whose rights a file runs with; undefined for the mark of a deleted name, a device with the number 0. */
function lookUpper({ upper }: Sides, path: string): BigIntStats | undefined {
  const now = look(upper, path)
  if (now?.isCharacterDevice() && now.rdev === 0n) return undefined
  if (!now?.isFile() || (modeOf(now) & ~PLAIN_MODE) === 0) return now
  chmodSync(join(upper, path), modeOf(now) & PLAIN_MODE)
  return look(upper, path)
}

function unlock({ upper, unlocked }: Sides, path: string, now: BigIntStats): void {
  if (now.isFile() || now.isDirectory())
    unlockEntry(upper, { path, mode: modeOf(now), isFolder: now.isDirectory() }, unlocked)
}

/** Returns the mode that the command set. */
function modeNow({ unlocked }: Sides, path: string, now: BigIntStats): number {
  return unlocked.get(path) ?? modeOf(now)
}
