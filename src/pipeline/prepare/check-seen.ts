import { type Failure, failure, failureOf } from '../../core/call/result.ts'
import type { ReadFiles } from '../../core/ports/files.ts'

/** What a call saw while it prepared: path → state, null where nothing was there. */
type Seen = Readonly<Record<string, string | null>>

/** Looks again at the files that a call saw while it prepared. Returns undefined while each is as it was, else what is in the way. Never throws. */
export function findChanged(name: string, seen: Seen, files: ReadFiles): Failure | undefined {
  try {
    const changed = Object.keys(seen).find((path) => !isAsSeen(path, seen[path] ?? null, files))
    return changed === undefined ? undefined : changedSince(name, `${changed} is not what was shown`)
  } catch (thrown) {
    const refused = failureOf(thrown)
    return refused.code === 'BLOCKED' ? refused : changedSince(name, refused.text)
  }
}

/** A state does not say whether it is of a link itself or of what the link leads to, so either may be as it was; of a folder that a command names only its kind is known. */
function isAsSeen(path: string, seen: string | null, files: ReadFiles): boolean {
  if (files.left(path) === seen) return true
  return files.state(path, 'entry') === seen || files.state(path, 'content') === seen
}

/** The end of a call that got a yes to something that is no longer there. */
export function changedSince(name: string, what: string): Failure {
  return failure(
    'CONFLICT',
    `${name} was approved, but things have changed since the question was asked: ${what}. Nothing was run. Look again, then repeat the call.`,
    { retryable: true, details: { reason: 'CHANGED' } },
  )
}
