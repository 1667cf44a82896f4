import type { ChangedFiles } from '../../../core/ports/sandbox.ts'
import type { AppliedChange } from './find-changes.ts'

/** What is reported besides the changes themselves. */
export interface ChangeNotes {
  readonly leadingOut?: readonly string[]
  readonly leftOut?: readonly string[]
}

/** Sums changes up by path: a folder is named only where it is empty, an entry that took the place of another is changed. */
export function describeChanges(
  changes: readonly AppliedChange[],
  { leadingOut = [], leftOut = [] }: ChangeNotes = {},
): ChangedFiles {
  const deleted = new Set(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path))
  const allAdded = new Set(changes.filter(({ kind }) => kind === 'added').map(({ path }) => path))
  const added = changes.filter((change) => change.kind === 'added' && !deleted.has(change.path))
  const parents = new Set(added.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))
  return {
    added: added
      .filter((change) => !isFolder(change) || !parents.has(change.path))
      .map((change) => (isFolder(change) ? `${change.path}/` : change.path)),
    changed: changes
      .filter(({ kind, path }) => kind === 'changed' || kind === 'mode' || (kind === 'added' && deleted.has(path)))
      .map(({ path }) => path),
    deleted: [...deleted].filter((path) => !allAdded.has(path)),
    ...(leadingOut.length > 0 && { leadingOut }),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

function isFolder(change: AppliedChange): boolean {
  return 'type' in change && change.type === 'folder'
}
