import type { Kept, Replaced } from '../core/ports/files.ts'
import { lazyCrypto } from '../core/text/lazy-crypto.ts'

/** The state of a path: the content hash of a file, `link …`, `folder`, or null when nothing exists. */
export type Found = string | null

/** One step of an undo. */
export type UndoStep =
  | { readonly do: 'restore'; readonly path: string; readonly kept: Kept | null }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'remove folder'; readonly path: string }
  | { readonly do: 'set aside'; readonly path: string }

/** A path that changed since, or that cannot be restored. */
export interface UndoConflict {
  readonly path: string
  readonly reason: string
}

/** The steps of an undo, in order, and its conflicts. */
export interface UndoPlan {
  readonly steps: readonly UndoStep[]
  readonly conflicts: readonly UndoConflict[]
}

interface Situation {
  /** Returns the state of a path after the steps so far. */
  at(path: string): Found
  set(path: string, found: Found): void
  move(path: string, to: string): void
}

/** Plans how to undo changes, given last first, without changing anything. With `force`, newer files are moved aside instead of causing a conflict. */
export function planUndo(records: readonly Replaced[], look: (path: string) => Found, force: boolean): UndoPlan {
  const situation = imagine(look)
  const steps: UndoStep[] = []
  const conflicts: UndoConflict[] = []
  for (const record of records) {
    const problem = problemOf(record, situation)
    if (problem !== undefined && isAsBefore(record, situation)) continue
    if (problem !== undefined && (!force || isLost(record.before)))
      conflicts.push({ path: record.path, reason: problem })
    else if (problem !== undefined) steps.push(...stepsWithForce(record, situation))
    else steps.push(...stepsOf(record, situation))
  }
  return { steps, conflicts }
}

/** Returns the state of a kept entry, in the form that `look` returns. */
export function foundOf(kept: Kept | null): Found {
  if (kept === null) return null
  if (kept.type === 'directory') return 'folder'
  return kept.type === 'symlink'
    ? `link ${kept.target}`
    : lazyCrypto()
        .createHash('sha256')
        .update(kept.bytes ?? '')
        .digest('hex')
}

const isLost = (kept: Kept | null) => kept?.type === 'file' && kept.bytes === null
const isMadeFolder = ({ before, after, movedFrom }: Replaced) =>
  before === null && after === null && movedFrom === undefined

/** True where the path is again, or still, as it was before the change: the process may have died before it was made. */
function isAsBefore(record: Replaced, { at }: Situation): boolean {
  const { path, before, after, movedFrom } = record
  if (movedFrom !== undefined || isMadeFolder(record) || isLost(before)) return false
  const now = at(path)
  return now !== after && now === foundOf(before)
}

function problemOf(record: Replaced, { at }: Situation): string | undefined {
  const { path, before, after, movedFrom } = record
  if (isLost(before)) return 'was too large to keep or could not be read, so it cannot be restored'
  if (isMadeFolder(record)) return undefined
  const now = at(path)
  if (movedFrom !== undefined) {
    if (now === null) return 'was deleted since then'
    return at(movedFrom) === null ? undefined : `cannot be moved back to ${movedFrom}: that path exists now`
  }
  if (now === after) return undefined
  if (now === null) return 'was deleted since then'
  return after === null ? 'was created since then' : 'was changed since then'
}

function stepsOf(record: Replaced, situation: Situation): UndoStep[] {
  const { path, before, movedFrom } = record
  if (isMadeFolder(record)) {
    if (situation.at(path) !== 'folder') return []
    situation.set(path, null)
    return [{ do: 'remove folder', path }]
  }
  const steps: UndoStep[] = []
  if (movedFrom !== undefined) {
    steps.push({ do: 'move', path, to: movedFrom })
    situation.move(path, movedFrom)
  }
  if (movedFrom === undefined || before !== null) steps.push({ do: 'restore', path, kept: before })
  // Only the mode changes; the contents stay.
  if (before?.type === 'directory' && situation.at(path) === 'folder') return steps
  situation.set(path, foundOf(before))
  return steps
}

/** Moves the newer file aside and restores the old one. */
function stepsWithForce(record: Replaced, situation: Situation): UndoStep[] {
  const { path, before, movedFrom } = record
  if (movedFrom !== undefined && situation.at(path) === null) return []
  const inTheWay = movedFrom ?? path
  const aside: UndoStep[] = situation.at(inTheWay) === null ? [] : [{ do: 'set aside', path: inTheWay }]
  situation.set(inTheWay, null)
  if (movedFrom !== undefined) return [...aside, ...stepsOf(record, situation)]
  situation.set(path, foundOf(before))
  return before === null ? aside : [...aside, { do: 'restore', path, kept: before }]
}

/** Simulates the files: what the steps so far changed, and otherwise what exists now under its current name. */
function imagine(look: (path: string) => Found): Situation {
  const known = new Map<string, { found: Found; moved: boolean }>()
  const moves: { now: string; later: string }[] = []
  const nameNow = (path: string) =>
    moves.reduceRight((name, { now, later }) => (isBelow(name, later) ? now + name.slice(later.length) : name), path)
  const at = (path: string): Found => {
    const exact = known.get(path)
    if (exact) return exact.found
    for (let folder = above(path); folder !== undefined; folder = above(folder)) {
      const nearest = known.get(folder)
      // A folder that undo restores is empty; a folder that it moves keeps its contents.
      if (nearest) return nearest.moved ? look(nameNow(path)) : null
    }
    return look(nameNow(path))
  }
  return {
    at,
    set: (path, found) => void known.set(path, { found, moved: false }),
    move(path, to) {
      const itself = known.get(path) ?? { found: at(path), moved: true }
      for (const name of [...known.keys()]) if (isBelow(name, to)) known.delete(name)
      for (const [name, state] of [...known]) {
        if (!isBelow(name, path)) continue
        known.delete(name)
        known.set(to + name.slice(path.length), state)
      }
      moves.push({ now: path, later: to })
      known.set(to, itself)
      known.set(path, { found: null, moved: false })
    },
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function above(path: string): string | undefined {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? undefined : path.slice(0, slash)
}
