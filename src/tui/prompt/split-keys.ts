import type { Key } from 'ink'

interface OneKey {
  readonly input: string
  readonly key: Key
}

/** Control characters that have a key of their own; the others are Ctrl with a letter. */
const NAMED: Readonly<Record<string, 'return' | 'tab' | 'backspace'>> = {
  ...{ '\r': 'return', '\t': 'tab', '\u007f': 'backspace', '\b': 'backspace' },
}

/** Keys that can stand among letters in what a terminal sends at once: Ctrl-A to Ctrl-Z, and the key that deletes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the keys
const CONTROL = /([\u0001-\u001a\u007f])/

/** Text with several line breaks, or with those of Windows, was pasted: a terminal sends a carriage return for each. */
const PASTED = /\r\n|\r[^\r]*\r/

/** Splits what a terminal sent at once, because a person typed faster than it was read, into single keys. Returns undefined for a single key, and for text that was pasted. */
export function splitKeys(input: string, key: Key): OneKey[] | undefined {
  if (input.length < 2 || !CONTROL.test(input) || PASTED.test(input)) return undefined
  return input
    .split(CONTROL)
    .filter((piece) => piece !== '')
    .map((piece) => (CONTROL.test(piece) ? controlKey(piece, key) : { input: piece, key }))
}

function controlKey(character: string, key: Key): OneKey {
  const name = NAMED[character]
  if (name !== undefined) return { input: '', key: { ...key, [name]: true } }
  return { input: String.fromCharCode(character.charCodeAt(0) + 96), key: { ...key, ctrl: true } }
}
