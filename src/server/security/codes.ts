import { createHash, randomBytes } from 'node:crypto'

/** How long a code can be used, in milliseconds. */
const LIFETIME = 30 * 60_000
/** How many unused codes there are at most; the oldest is forgotten. */
const MAX_CODES = 20

/** One-time codes, for links that sign a page in. */
export interface Codes {
  /** Makes a code that can be used once. */
  make(): { readonly code: string; readonly expiresAt: number }
  /** Uses a code up; false if there is no such code, it was used before or it is too old. */
  use(code: string): boolean
}

/** Makes an empty set of codes. They are kept as digests, so that finding one takes the same time for all. */
export function createCodes(now: () => number = Date.now): Codes {
  const open = new Map<string, number>()
  const digest = (code: string) => createHash('sha256').update(code).digest('base64')
  return {
    make() {
      const code = randomBytes(24).toString('base64url')
      const expiresAt = now() + LIFETIME
      const [oldest] = open.keys()
      if (open.size >= MAX_CODES && oldest !== undefined) open.delete(oldest)
      open.set(digest(code), expiresAt)
      return { code, expiresAt }
    },
    use(code) {
      const key = digest(code)
      const expiresAt = open.get(key)
      open.delete(key)
      return expiresAt !== undefined && expiresAt > now()
    },
  }
}
