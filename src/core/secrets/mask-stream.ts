import { maskKnown, maskTokens } from './mask-secrets.ts'
import { MASK, TOKEN_PREFIXES } from './secret-patterns.ts'

/** What a stream masks in addition to tokens with a recognisable form. */
export interface StreamSecrets {
  /** Patterns from the settings. With them a stream is passed on line by line. */
  readonly patterns?: readonly RegExp[]
  /** Known secrets. */
  readonly known?: readonly string[]
}

/** The most characters held back while they may be the beginning of a secret. A longer secret is masked and dropped up to its end. */
const MAX_HELD = 4_096

/** The characters of tokens. */
const TOKEN_CHARACTER = /[A-Za-z0-9_\-.+/=]/
const TOKEN_END = /[^A-Za-z0-9_\-.+/=]/
const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
/** The end marker of a private key at the end of a text; its dashes do not begin another key. */
const KEY_ENDED = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----$/
/** The longest possible end marker of a private key. */
const KEY_END_LENGTH = 80
/** The beginning of `-----BEGIN … PRIVATE KEY-----` at the end of a text. */
const KEY_BEGINNING = /-----BEGIN [A-Z0-9 -]{0,60}$|-{1,5}$|-----B(?:E(?:G(?:I(?:N)?)?)?)?$/

/**
 * Masks the secrets of a text that comes in pieces, wherever the pieces are cut: what may be the beginning of a secret is held back
 * until more has come. All that `push` and `end` return is the text with its secrets masked.
 */
export class MaskedStream {
  readonly #secrets: StreamSecrets
  #held = ''
  /** The last character that was returned. */
  #last = ''
  /** What is being dropped: the rest of a long token, or of a private key. */
  #swallows: 'token' | 'key' | undefined

  constructor(secrets: StreamSecrets = {}) {
    this.#secrets = secrets
  }

  /** Adds a piece and returns the text that can be shown now. */
  push(piece: string): string {
    const text = this.#swallow(this.#held + piece)
    if (text === undefined) return ''
    this.#held = ''
    const key = findOpenKey(text)
    if (key) {
      this.#swallows = 'key'
      this.#held = text.slice(key.index + key[0].length).slice(-KEY_END_LENGTH)
      return this.#show(text.slice(0, key.index)) + MASK
    }
    const cut = this.#holdFrom(text)
    if (text.length - cut > MAX_HELD) return this.#release(text, cut)
    this.#held = text.slice(cut)
    return this.#show(text.slice(0, cut))
  }

  /** Ends the stream and returns the text that was held back. */
  end(): string {
    const text = this.#swallows === undefined ? this.#show(this.#held) : ''
    this.#held = ''
    return text
  }

  /** Handles text that is too long to hold back: a token is masked and its rest dropped, a long line is passed on. */
  #release(text: string, cut: number): string {
    const isToken = TOKEN_PREFIXES.some((prefix) => text.startsWith(prefix, cut))
    if (!isToken) return this.#show(text)
    this.#swallows = 'token'
    return this.#show(text.slice(0, cut)) + MASK
  }

  /** Returns the text after the part that is dropped, or undefined if that part has not ended. */
  #swallow(text: string): string | undefined {
    if (this.#swallows === undefined) return text
    const isKey = this.#swallows === 'key'
    const end = (isKey ? KEY_END : TOKEN_END).exec(text)
    if (!end) {
      // The end of a key may itself come in pieces.
      this.#held = isKey ? text.slice(-KEY_END_LENGTH) : ''
      return undefined
    }
    this.#swallows = undefined
    return text.slice(isKey ? end.index + end[0].length : end.index)
  }

  /** Masks text before it is returned. A token cannot begin inside a word, so the character before it matters. */
  #show(text: string): string {
    if (text === '') return text
    const { patterns = [], known = [] } = this.#secrets
    const before = /\w$/.test(this.#last) ? this.#last : ''
    this.#last = text.slice(-1)
    return maskTokens(maskKnown(before + text, known), patterns).slice(before.length)
  }

  /** Returns where the part begins that may turn out to be a secret. */
  #holdFrom(text: string): number {
    const { patterns = [], known = [] } = this.#secrets
    const key = KEY_ENDED.test(text) ? undefined : KEY_BEGINNING.exec(text)
    const line = patterns.length > 0 ? text.lastIndexOf('\n') + 1 : text.length
    return Math.min(
      text.length,
      line,
      key?.index ?? text.length,
      tokenFrom(text),
      ...known.map((secret) => startsAt(text, secret)),
    )
  }
}

/** Returns the start of a private key that does not end in the text. */
function findOpenKey(text: string): (RegExpMatchArray & { index: number }) | undefined {
  for (const begin of text.matchAll(KEY_BEGIN)) if (!KEY_END.test(text.slice(begin.index))) return begin
  return undefined
}

/** Returns where a token, or the beginning of one, starts that reaches the end of the text. */
function tokenFrom(text: string): number {
  let start = text.length
  while (start > 0 && TOKEN_CHARACTER.test(text[start - 1] ?? '')) start--
  const run = text.slice(start)
  let from = run.length
  for (const prefix of TOKEN_PREFIXES) from = Math.min(from, findPrefix(run, prefix))
  return start + from
}

/** Returns where a prefix, or the beginning of one at the end of the text, starts a word; the length of the text if there is none. */
function findPrefix(run: string, prefix: string): number {
  for (let at = run.indexOf(prefix); at !== -1; at = run.indexOf(prefix, at + 1)) if (isWordStart(run, at)) return at
  const at = startsAt(run, prefix)
  return isWordStart(run, at) ? at : run.length
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/\w/.test(text[at - 1] ?? '')
}

/** Returns where the text ends with the beginning of a word; its length if it does not. */
function startsAt(text: string, word: string): number {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length--)
    if (word.startsWith(text.slice(text.length - length))) return text.length - length
  return text.length
}
