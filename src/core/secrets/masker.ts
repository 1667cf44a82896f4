import { lazyCrypto } from '../text/lazy-crypto.ts'

/** Finds secrets beyond the known forms, and says what stands in their place. One for each home. */
export interface Masker {
  /** The person's own patterns. */
  readonly patterns: readonly RegExp[]
  /** Returns the mask of a secret: the same secret has the same mask wherever the key is the same. */
  maskOf(secret: string): string
  /** Returns secrets that are known by themselves, as the values of .env files are: the longest first, the same array while nothing changed. */
  known(): readonly string[]
  /** Looks for secrets that were added or changed since, unless it did so less than `within` milliseconds before `now`, in milliseconds of the process's clock. Called when a call begins and ends. */
  refresh(within?: number, now?: number): void
}

/** What a masker is made of; everything may be left out. */
export interface MaskerOptions {
  readonly patterns?: readonly RegExp[]
  /** Returns the key of the digests; asked for at the first mask. A random one when left out. */
  key?(): Uint8Array
  known?(): readonly string[]
  refresh?(within?: number, now?: number): void
}

/** Creates a masker. */
export function createMasker({ patterns = [], key, known, refresh }: MaskerOptions = {}): Masker {
  let kept: Uint8Array | undefined
  const masks = new Map<string, string>()
  return {
    patterns,
    maskOf(secret) {
      const made = masks.get(secret)
      if (made !== undefined) return made
      kept ??= key?.() ?? crypto.getRandomValues(new Uint8Array(32))
      const digest = lazyCrypto().createHmac('sha256', kept).update(secret).digest('hex')
      const mask = `[masked ${digest.slice(0, 4)}]`
      if (masks.size < MAX_KEPT) masks.set(secret, mask)
      return mask
    },
    known: known ?? (() => NONE),
    refresh: refresh ?? (() => undefined),
  }
}

const NONE: readonly string[] = Object.freeze([])
/** The most masks that are kept to save their computation. */
const MAX_KEPT = 1_000

/** A masker with a random key that knows nothing but the forms of secrets. */
export const FORMS_ONLY: Masker = createMasker()

/** A mask, as it stands in place of a secret. */
export const MASK = /\[masked [0-9a-f]{4}\]/

/** The length of a mask, in characters. */
const MASK_LENGTH = 13

/** Returns the first mask in a text; undefined when there is none. */
export function findMask(text: string): string | undefined {
  return text.length >= MASK_LENGTH && text.includes('[masked ') ? MASK.exec(text)?.[0] : undefined
}
