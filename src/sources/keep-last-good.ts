import type { Loaded } from '../core/ports/tool-source.ts'
import type { Rule } from '../core/rules/rule.ts'
import type { Skipped } from '../core/tool/snapshot.ts'

/** What loading one file of a tools folder gave. */
export interface FileLoad {
  readonly file: string
  readonly tools: Loaded['tools']
  readonly skipped: readonly Skipped[]
  /** Rules that the file makes. */
  readonly rules?: readonly Rule[]
  /** True where the file as it is now could not be loaded at all. */
  readonly isBroken: boolean
  /** True where tools and rules are those of an earlier version. */
  readonly isKept?: true
}

/** Why a file that takes long has no tools yet. */
export const STILL_LOADING = 'it is still loading; its tools are not there yet'

/** True while a file is still loading. */
export function isWaiting({ skipped }: Pick<FileLoad, 'skipped'>): boolean {
  return skipped.some(({ loadingSince }) => loadingSince !== undefined)
}

const KEPT = 'Its last version that worked stays in use.'

/**
 * Gives every file that is broken now the tools and rules that it had before, and says so in its reasons.
 * A file that is gone, or that was never good, has no tools.
 */
export function keepLastGood(previous: readonly FileLoad[], next: readonly FileLoad[]): readonly FileLoad[] {
  const before = new Map(previous.map((load) => [load.file, load]))
  return next.map((load) => {
    const last = before.get(load.file)
    if (!load.isBroken || last === undefined || (last.isBroken && !last.isKept)) return load
    const { tools, rules = [] } = last
    if (tools.length + rules.length === 0) return load
    const skipped = load.skipped.map((one) => ({ ...one, reason: addSentence(one.reason) }))
    return { ...load, tools, rules, skipped, isKept: true }
  })
}

/** Adds that the last good version stays in use: behind one line, and below several. */
function addSentence(reason: string): string {
  if (reason.includes('\n')) return `${reason}\n${KEPT}`
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} ${KEPT}`
}

/** The tools, reasons and rules of all files together, in their order. */
export function joinLoads(loads: readonly FileLoad[]): Loaded {
  return {
    tools: loads.flatMap(({ tools }) => tools),
    skipped: loads.flatMap(({ skipped }) => skipped),
    rules: loads.flatMap(({ rules = [] }) => rules),
  }
}
