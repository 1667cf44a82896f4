import { fstatSync, linkSync, lstatSync, readdirSync, renameSync, type Stats, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolError } from '../../core/call/result.ts'
import { systemErrorName } from '../../core/text/system-errors.ts'
import { below, type Descriptor } from '../descriptor.ts'
import { conflict, errnoOf } from '../file-errors.ts'
import type { WorkspaceRoot } from '../workspace-root.ts'
import type { TargetEntry } from './target-entry.ts'
import { type Content, writeNew } from './temporary-file.ts'

/** From how many entries on what undo removes is moved aside: removing 100,000 files that are on the disk takes 20 seconds, moving them 2, and moving their 1,000 folders almost nothing. */
const MANY_ENTRIES = 200

/** What a folder must hold, and no more, to be removed with its files. */
export interface FolderContent {
  /** The path as it was given. */
  readonly given: string
  /** How many entries it holds. */
  readonly count: number
  /** True for an entry that it may hold. */
  holds(name: string, stats: Stats): boolean
}

/** Removes entries by moving them out of the workspace; they are deleted in the background once it is disposed of. */
export interface EntryRemover extends Disposable {
  /** True where entries can be moved aside. */
  isReady(): boolean
  /** Gives a file that is about to be replaced a second name outside the workspace, where that is possible. Without it ext4 takes 1.8 ms for each of 100,000 restored files: it looks for a free inode past all those that were freed a moment ago. */
  hold(entry: TargetEntry): void
  /** Puts a file at an entry where no folder is: written outside the workspace, then renamed. False where that is not possible; nothing was changed then. Creating 20,000 files beside those that they replace takes 11 s on an ext4 without journal, for the same reason, and 1 s this way. */
  put(entry: TargetEntry, content: Content): boolean
  /** Moves a file, or a folder with the given content. False where that is not possible; nothing was changed then. Throws CONFLICT for a folder that holds anything else. */
  remove(entry: TargetEntry, content?: FolderContent): boolean
}

/** Creates the remover of one undo that restores so many entries. */
export function createEntryRemover({ aside }: WorkspaceRoot, entries: number): EntryRemover {
  let place: string | undefined
  let isUsable = aside !== undefined && entries >= MANY_ENTRIES
  let count = 0
  const nextName = (): string | undefined => {
    if (!isUsable) return undefined
    place ??= aside?.make()
    isUsable = place !== undefined
    return place && join(place, `${++count}`)
  }
  return {
    isReady: () => isUsable,
    hold({ folder, name }) {
      const to = nextName()
      if (to === undefined) return
      try {
        linkSync(below(folder, name), to)
      } catch (error) {
        if (systemErrorName(error) === undefined) throw error
      }
    },
    put({ folder, name }, content) {
      const from = hasOwnGroup(folder) ? undefined : nextName()
      if (from === undefined) return false
      try {
        writeNew(from, content)
        renameSync(from, below(folder, name))
        return true
      } catch (error) {
        if (!CANNOT_MOVE.has(errnoOf(error) ?? '')) throw error
        unlinkSync(from)
        return false
      }
    },
    remove({ folder, name }, content) {
      const [from, to] = [below(folder, name), nextName()]
      if (to === undefined) return false
      try {
        renameSync(from, to)
      } catch (error) {
        if (!CANNOT_MOVE.has(errnoOf(error) ?? '')) throw error
        return false
      }
      if (content === undefined || holdsOnly(to, content)) return true
      renameSync(to, from)
      throw changedMeanwhile(content.given)
    },
    [Symbol.dispose]() {
      if (place !== undefined) aside?.remove(place)
    },
  }
}

/** True for a folder whose new files get its group: a file that is moved there keeps its own. */
const hasOwnGroup = ({ fd }: Descriptor): boolean => (fstatSync(fd).mode & 0o2000) !== 0

/** Another file system, or a folder that its owner may not write to. */
const CANNOT_MOVE: ReadonlySet<string> = new Set(['EXDEV', 'EACCES', 'EPERM', 'EROFS'])

function holdsOnly(folder: string, { count, holds }: FolderContent): boolean {
  const names = readdirSync(folder)
  return names.length === count && names.every((name) => holds(name, lstatSync(join(folder, name))))
}

/** Returns the CONFLICT for an entry that changed after it was planned to restore it. */
export function changedMeanwhile(given: string): ToolError {
  return conflict(given, 'was changed while it was restored.', 'CHANGED')
}
