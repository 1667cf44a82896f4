// Control codes, format characters (bidirectional, zero-width, tags), line separators and lone surrogates.
const HARMFUL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** Text from a model or tool, safe to send to a terminal: newlines and tabs stay, what acts unseen is shown as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(HARMFUL, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** The same on one line: newlines and tabs are shown too. */
export function printableLine(text: string): string {
  return printable(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t')
}
