import type { Skipped } from './snapshot.ts'

/** Returns a line about a tool file that is slow or broken: `words.py could not be loaded: line 3: SyntaxError: …`. */
export function describeFileProblem(problem: Skipped, now = Date.now()): string {
  const { source, line, loadingSince } = problem
  const name = source.slice(source.lastIndexOf('/') + 1)
  if (loadingSince !== undefined)
    return `${name} has been loading for ${secondsSince(loadingSince, now)} s; its tools are not there yet`
  const [reason = ''] = problem.reason.split('\n')
  const what = reason.replace(/^it could not be (imported|loaded): /, '')
  const where = line === undefined ? '' : `line ${line}: `
  return reason.startsWith('it ') ? `${name} could not be loaded: ${where}${what}` : `${name}: ${where}${reason}`
}

/** Returns why something was skipped, for a list that names its file. */
export function describeSkipped({ reason, loadingSince }: Skipped, now = Date.now()): string {
  if (loadingSince === undefined) return reason
  return `${reason} (${secondsSince(loadingSince, now)} s)`
}

function secondsSince(since: number, now: number): number {
  return Math.max(1, Math.round((now - since) / 1000))
}
