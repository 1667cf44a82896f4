import type { Loaded } from '../core/ports/tool-source.ts'
import type { Skipped } from '../core/tool/snapshot.ts'

/** What loading one file of a tools folder gave. */
export interface FileLoad {
  readonly file: string
  readonly tools: Loaded['tools']
  readonly skipped: readonly Skipped[]
  /** True where the file as it is now could not be loaded at all. */
  readonly isBroken: boolean
}

const KEPT = 'Its last version that worked stays in use.'

/**
 * Gives every file that is broken now the tools that it had before, and says so in its reasons.
 * A file that is gone, or that was never good, has no tools.
 */
export function keepLastGood(previous: readonly FileLoad[], next: readonly FileLoad[]): readonly FileLoad[] {
  const before = new Map(previous.map((load) => [load.file, load]))
  return next.map((load) => {
    const tools = load.isBroken ? (before.get(load.file)?.tools ?? []) : []
    if (tools.length === 0) return load
    const skipped = load.skipped.map((one) => ({ ...one, reason: `${endSentence(one.reason)} ${KEPT}` }))
    return { ...load, tools, skipped }
  })
}

function endSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`
}

/** The tools and reasons of all files together, in their order. */
export function joinLoads(loads: readonly FileLoad[]): Loaded {
  return {
    tools: loads.flatMap(({ tools }) => tools),
    skipped: loads.flatMap(({ skipped }) => skipped),
  }
}
