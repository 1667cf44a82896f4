import { type Failure, failure, failureOf } from '../../core/call/result.ts'
import type { ReadFiles } from '../../core/ports/files.ts'

/** The states of files that `prepare` saw: path → state, null if nothing was there. */
type Seen = Readonly<Record<string, string | null>>

/** Compares files with the states that `prepare` saw. Returns undefined if none changed, else the failure. Never throws. */
export function findChanged(name: string, seen: Seen, files: ReadFiles): Failure | undefined {
  try {
    const changed = Object.keys(seen).find((path) => !isAsSeen(path, seen[path] ?? null, files))
    return changed === undefined ? undefined : changedSince(name, `${changed} differs from what was shown`)
  } catch (thrown) {
    const refused = failureOf(thrown)
    return refused.code === 'BLOCKED' ? refused : changedSince(name, refused.text)
  }
}

/** A state does not say whether it belongs to a link or to the target of the link, so one of the two must match; of a folder that a command names only its kind is known. */
function isAsSeen(path: string, seen: string | null, files: ReadFiles): boolean {
  if (files.left(path) === seen) return true
  return files.state(path, 'entry') === seen || files.state(path, 'content') === seen
}

/** Returns the failure of an approved call that is no longer what was shown. */
export function changedSince(name: string, what: string): Failure {
  return failure(
    'CONFLICT',
    `${name} was approved, but something has changed since the approval request: ${what}. Nothing was run. Read the current state, then repeat the call.`,
    { retryable: true, details: { reason: 'CHANGED' } },
  )
}
