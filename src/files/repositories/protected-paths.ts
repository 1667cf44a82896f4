import { isGitName, plainName } from './git-folders.ts'

/** The entries of `.git` that name programs to run, or where to find them. */
const GIT_TRUSTS = new Set([
  ...['hooks', 'config', 'config.worktree', 'commondir', 'gitdir', 'modules', 'worktrees'],
  ...['rebase-merge', 'sequencer', 'branches', 'remotes'],
])
const PLAIN_INFO = new Set(['exclude', 'sparse-checkout'])

/** Returns the part of a path that no tool may change, if any: `.haft`, `.git` itself, and what git executes or trusts in it. Case is ignored. */
export function protectedPart(path: string): string | undefined {
  const parts = path.split('/')
  for (const [index, part] of parts.entries()) {
    const upTo = parts.slice(0, index + 1).join('/')
    if (isHaftName(part)) return upTo
    if (!isGitName(part)) continue
    const next = parts[index + 1]
    if (next === undefined) return upTo
    const isInfo = plainName(next) === 'info' && !PLAIN_INFO.has(parts[index + 2] ?? '')
    if (isInfo || GIT_TRUSTS.has(plainName(next))) return `${upTo}/${next}`
  }
  return undefined
}

/** True for a name that is `.haft` on any file system. */
export function isHaftName(name: string): boolean {
  return plainName(name) === '.haft'
}
