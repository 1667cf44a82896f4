import type { Key } from 'ink'

interface OneKey {
  readonly input: string
  readonly key: Key
}

/** Keys that can stand among letters in what a terminal sends at once. */
const CONTROL: Readonly<Record<string, 'return' | 'tab' | 'backspace'>> = {
  ...{ '\r': 'return', '\t': 'tab', '\u007f': 'backspace', '\b': 'backspace' },
}

/** Splits what a terminal sent at once, because a person typed faster than it was read, into single keys. Returns undefined for a single key, and for text with line breaks inside, which was pasted. */
export function splitKeys(input: string, key: Key): OneKey[] | undefined {
  if (input.length < 2 || !/[\r\t\u007f\b]/.test(input) || /[\r\n][^\r\n]*[\r\n]|\n/.test(input)) return undefined
  return input
    .split(/([\r\t\u007f\b])/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const name = CONTROL[piece]
      return name === undefined ? { input: piece, key } : { input: '', key: { ...key, [name]: true } }
    })
}
