// Control codes, format characters (bidirectional, zero-width, tags), line separators and lone surrogates.
const HARMFUL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** Makes text from a model or tool safe for a terminal: newlines and tabs stay, other invisible characters are shown as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(HARMFUL, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** The same for JSON, whose meaning stays: each such character becomes `\\uXXXX`. */
export function printableJson(json: string): string {
  return json.replace(HARMFUL, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      const code = character.charCodeAt(at).toString(16)
      return `\\u${code.padStart(4, '0')}`
    }).join(''),
  )
}

/** The same on one line: newlines and tabs are escaped too. */
export function printableLine(text: string): string {
  return printable(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t')
}
