import { randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fchmodSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The shortest token that a person may choose. */
const MIN_LENGTH = 16

/** Compares a token with one that was sent, in a time that depends on the length of the token alone. */
export function createTokenCheck(token: string): (sent: string) => boolean {
  const own = Buffer.from(token)
  const given = Buffer.alloc(own.length)
  return (sent) => {
    given.fill(0)
    given.write(sent)
    return timingSafeEqual(own, given) && sent.length === token.length
  }
}

/** Returns the token that `Authorization: Bearer` holds; undefined if the header is missing or has another form. */
export function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer ([\x21-\x7e]+)$/i.exec(header)?.[1]
}

/** Throws where a token that a person has chosen is too easy to guess or cannot be sent in a header. */
export function checkToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < MIN_LENGTH)
    throw new Error(`HAFT_TOKEN must have at least ${MIN_LENGTH} characters, printable ASCII without spaces`)
  return token
}

/** Returns the token of a home: the one that is stored, or a new one. Only the owner can read the file. */
export function openTokenFile(home: string): string {
  const path = join(home, 'server-token')
  const stored = readToken(path)
  if (stored !== undefined) return stored
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const made = randomBytes(32).toString('base64url')
  try {
    const file = openSync(path, 'wx', 0o600)
    fchmodSync(file, 0o600)
    writeSync(file, `${made}\n`)
    closeSync(file)
    return made
  } catch (thrown) {
    // Another process was first, or the file is empty or broken.
    const other = readToken(path)
    if (other !== undefined) return other
    throw new Error(`${path} holds no token. Delete it, and a new one is made.`, { cause: thrown })
  }
}

function readToken(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^[\x21-\x7e]{16,}$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}
