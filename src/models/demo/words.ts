/** A text in quotes, or one word: as a piece of a regular expression. */
export const WORD = `(?:"[^"]*"|'[^']*'|\`[^\`]*\`|\\S+)`
/** The same, or several words up to what follows. */
export const WORDS = `(?:"[^"]*"|'[^']*'|\`[^\`]*\`|.+?)`

const QUOTED = /(?<!\w)(?:"[^"]*"|'[^']*'|`[^`]*`)(?!\w)/g
const POLITE =
  /^(?:(?:please|now|just|okay|ok|so|also|can you|could you|would you|will you|i want you to|i would like you to|let us|let's)[,\s]+)+/i

/** Makes a pattern for all that follows a verb; spaces in it stand for one or more. */
export function pattern(source: string): RegExp {
  return new RegExp(`^${source.replaceAll(' ', '\\s+')}$`, 'isu')
}

/** Takes the quotes away that enclose a text. */
export function unquote(text: string): string {
  const inner = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`)$/s.exec(text.trim())
  return inner ? (inner[1] ?? inner[2] ?? inner[3] ?? '') : text.trim()
}

/** A text that a person wrote on one line, as it shall stand in a file: `\n` and `\t` become a new line and a tab. */
export function unescapeText(text: string): string {
  return unquote(text).replaceAll('\\n', '\n').replaceAll('\\t', '\t')
}

/** Takes away a greeting and words of courtesy around a command. */
export function plainSentence(text: string): string {
  return text
    .trim()
    .replace(/^(?:hi|hello|hey)[,!]\s+(?=\S)/i, '')
    .replace(POLITE, '')
    .replace(/(?<![,\s])[,\s]+please[.!?]*$/i, '')
}

/** Takes away the full stop at the end of a command, where it is not part of a path such as `..`. */
export function withoutStop(text: string): string {
  return text.trim().replace(/(?<=[\w"'`*/])[.!?]+$/, '')
}

/** Enough to see the first word of a command behind words of courtesy. */
const LOOK_AHEAD = 200

/** Splits a message at "then" and at new lines, but not inside quotes, and only where a command follows. */
export function splitCommands(message: string, isCommand: (text: string) => boolean): string[] {
  const quoted = [...message.matchAll(QUOTED)].map(({ index, 0: text }) => [index, index + text.length] as const)
  const parts: string[] = []
  let start = 0
  for (const { index, 0: found } of message.matchAll(/(?<!\s)(?:[,;.]?\s+(?:and\s+)?then[,:]?\s+|\s*\n\s*)/gi)) {
    const isInside = quoted.some(([from, to]) => index >= from && index < to)
    const next = index + found.length
    if (isInside || index < start || !isCommand(plainSentence(message.slice(next, next + LOOK_AHEAD)))) continue
    parts.push(message.slice(start, index))
    start = next
  }
  return [...parts, message.slice(start)].map(plainSentence).filter((part) => part !== '')
}
