// Control codes, format characters (bidirectional, zero-width, tags), line separators and lone surrogates.
const HARMFUL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** A joiner where writing needs one: between the parts of an emoji, and between letters of scripts whose letters join. Nothing can hide behind it there. */
const JOINING = ['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym']
const LETTER = `[[\\p{L}\\p{M}]&&[${[...JOINING, 'Sinh', 'Mymr', 'Khmr'].map((script) => `\\p{scx=${script}}`).join('')}]]`
const PICTURE = '\\p{Extended_Pictographic}'
const JOINER = new RegExp(
  `(?<=${PICTURE}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=${PICTURE})|(?<=${LETTER})[\\u200C\\u200D](?=${LETTER})`,
  'vy',
)

/** True if the character at a position is a joiner that writing needs there. */
export function isJoiner(text: string, at: number): boolean {
  JOINER.lastIndex = at
  return JOINER.test(text)
}

/** Makes text from a model or tool safe for a terminal: newlines, tabs and the joiners of writing stay, other invisible characters are shown as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(HARMFUL, (character, at: number) =>
    isJoiner(text, at) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
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
