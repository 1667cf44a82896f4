import type { Dirent } from 'node:fs'
import ignore, { type Ignore } from 'ignore'
import type { Descriptor } from '../descriptor.ts'
import { readAll } from './read-all.ts'
import { readingBelow } from './read-content.ts'

/** The rules of .gitignore files from a folder upwards; the deepest takes precedence. */
export interface IgnoreRules {
  readonly base: string
  readonly rules: Ignore
  readonly above: IgnoreRules | undefined
}

/** The largest .gitignore that is read, and the first guess of its size. */
const LIMIT = 1 << 20
const CHUNK = 4_096

/** Returns the rules for an open folder: those of its parents and of its own .gitignore. */
export function rulesIn(
  folder: Descriptor,
  base: string,
  { entries, above }: { entries: readonly Dirent[]; above: IgnoreRules | undefined },
): IgnoreRules | undefined {
  if (!entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) return above
  const bytes = readingBelow(folder, '.gitignore', (fd) => readAll(fd, CHUNK, LIMIT))
  if (bytes === undefined) return above
  return { base, rules: ignore().add(Buffer.from(bytes).toString('utf8')), above }
}

/** True when the deepest rule that matches a path (relative to the workspace) ignores it. */
export function isIgnored(rules: IgnoreRules | undefined, path: string, isFolder: boolean): boolean {
  for (let at = rules; at; at = at.above) {
    const below = at.base === '.' ? path : path.slice(at.base.length + 1)
    const { ignored, unignored } = at.rules.test(isFolder ? `${below}/` : below)
    if (ignored || unignored) return ignored
  }
  return false
}
