import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'

/** An object in a file of its own; its name is the hash of its content. */
const LOOSE = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38}|[0-9a-f]{62})$/

/** The largest object that is read, in bytes. Git puts files of more than half of it into a pack. */
const MAX_OBJECT = 1024 ** 3

/** True for a path of a git folder at which git looks for an object. */
export function isObjectPath(inner: string): boolean {
  return LOOSE.test(inner)
}

/** True when a file holds the object that its name says. Git does not check that when it reads one, so that other content under the name of a known hook would be checked out as that hook. */
export function isSoundObject(inner: string, bytes: Uint8Array | undefined): boolean {
  const [, start = '', rest = ''] = LOOSE.exec(inner) ?? []
  if (bytes === undefined) return false
  try {
    const content = inflateSync(bytes, { maxOutputLength: MAX_OBJECT })
    const kind = rest.length === 38 ? 'sha1' : 'sha256'
    return createHash(kind).update(content).digest('hex') === `${start}${rest}`
  } catch {
    return false
  }
}

/** True for refs that show one object in place of another: `refs/replace/OLD` names the new one. */
export function isReplacement(inner: string): boolean {
  return /^refs\/replace\/./.test(inner)
}

/** Lists the lines of `packed-refs` that show one object in place of another; undefined where it cannot be read. */
export function listReplacements(packed: Uint8Array | undefined): string[] | undefined {
  if (packed === undefined) return undefined
  return Buffer.from(packed)
    .toString('latin1')
    .split('\n')
    .filter((line) => /\srefs\/replace\//.test(line))
}
