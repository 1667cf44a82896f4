import type { Kept, Replaced } from '../core/ports/files.ts'
import { lazyCrypto } from '../core/text/lazy-crypto.ts'

/** What lies at a path: the hash of a file's content, `link …`, `folder`, or null for nothing. */
export type Found = string | null

/** One thing that undo does. */
export type UndoStep =
  | { readonly do: 'restore'; readonly path: string; readonly kept: Kept | null }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'remove folder'; readonly path: string }
  | { readonly do: 'set aside'; readonly path: string }

/** A file that is not as the change left it, or that cannot be put back. */
export interface UndoConflict {
  readonly path: string
  readonly reason: string
}

/** What undo does, in order, and what stands in its way. */
export interface UndoPlan {
  readonly steps: readonly UndoStep[]
  readonly conflicts: readonly UndoConflict[]
}

interface Situation {
  /** What lies at a path once the steps so far are done. */
  at(path: string): Found
  set(path: string, found: Found): void
  move(path: string, to: string): void
}

/** Plans how to undo changes, given last first, without touching anything. With `force`, what is newer is set aside instead of being a conflict. */
export function planUndo(records: readonly Replaced[], look: (path: string) => Found, force: boolean): UndoPlan {
  const situation = imagine(look)
  const steps: UndoStep[] = []
  const conflicts: UndoConflict[] = []
  for (const record of records) {
    const problem = problemOf(record, situation)
    if (problem !== undefined && (!force || isLost(record.before)))
      conflicts.push({ path: record.path, reason: problem })
    else if (problem !== undefined) steps.push(...stepsWithForce(record, situation))
    else steps.push(...stepsOf(record, situation))
  }
  return { steps, conflicts }
}

/** The state of what was kept, as `look` would tell it. */
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

function problemOf(record: Replaced, { at }: Situation): string | undefined {
  const { path, before, after, movedFrom } = record
  if (isLost(before)) return 'was too large to be kept or could not be read, so it cannot be put back'
  if (isMadeFolder(record)) return undefined
  const now = at(path)
  if (movedFrom !== undefined) {
    if (now === null) return 'has gone since'
    return at(movedFrom) === null ? undefined : `cannot go back to ${movedFrom}: something lies there now`
  }
  if (now === after) return undefined
  if (now === null) return 'has gone since'
  return after === null ? 'has appeared since' : 'has changed since'
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
  // Only its mode changes: what is in it stays.
  if (before?.type === 'directory' && situation.at(path) === 'folder') return steps
  situation.set(path, foundOf(before))
  return steps
}

/** The newer one is set aside, and what was there before is put back. */
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

/** The files as they will be: what the steps so far changed, and for the rest what lies there now, under the name it has now. */
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
      // What undo puts back itself comes empty; what it moves brings along what is in it.
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
