/** The entries of `.git` that name programs to run, or where to find them. */
const GIT_TRUSTS = new Set(['hooks', 'config', 'config.worktree', 'commondir', 'gitdir', 'modules', 'worktrees'])

/** Characters that some file systems ignore when they compare names. */
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** Returns the part of a path that no tool may change, if any: `.haft`, `.git` itself, and what git executes or trusts in it. Case is ignored. */
export function protectedPart(path: string): string | undefined {
  const parts = path.split('/')
  for (const [index, part] of parts.entries()) {
    const name = plain(part)
    const upTo = parts.slice(0, index + 1).join('/')
    if (name === '.haft') return upTo
    if (name !== '.git') continue
    const next = parts[index + 1]
    if (next === undefined) return upTo
    if (GIT_TRUSTS.has(plain(next))) return `${upTo}/${next}`
  }
  return undefined
}

function plain(name: string): string {
  return name
    .replace(UNSEEN, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[. ]+$/, '')
}
