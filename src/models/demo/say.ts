const MAX_QUOTE = 80
const MAX_LINE = 160

/** The lines of a result that are not blank. */
export function linesOf(content: string): string[] {
  return content.split('\n').filter((line) => line.trim() !== '')
}

/** A number with its noun: `1 line`, `3 lines`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}

/** A piece of a result in quotes, on one line and not long. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `“${line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line}”`
}

/** The beginning of a text as a block of its own, and how many lines are left out. */
export function showLines(lines: readonly string[], most: number): string {
  const shown = lines.slice(0, most).map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line))
  const left = lines.length - shown.length
  const ticks = Math.max(2, ...(shown.join('\n').match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(ticks + 1)
  return `\n\n${fence}\n${shown.join('\n')}\n${fence}\n${left > 0 ? `\nand ${count(left, 'more line')}.` : ''}`
}

/** Some names, and how many more there are. */
export function nameSome(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map((name) => `\`${name}\``)
  const left = names.length - shown.length
  if (left > 0) return `${shown.join(', ')} and ${left} more`
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : shown.join('')
}

/** A sentence with a full stop at its end. */
export function sentence(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return /[.!?”]$/.test(plain) ? plain : `${plain}.`
}
