/** Makes a reason of a rule a sentence: a capital first letter and one full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const ended = /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
  // A path, and the name of a tool or rule, stay as they are.
  return /^[^\s]*[_:./]\S/.test(ended) ? ended : ended.charAt(0).toUpperCase() + ended.slice(1)
}
