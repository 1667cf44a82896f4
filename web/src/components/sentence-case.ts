/** Makes a reason of a rule a sentence: a capital first letter and one full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const ended = /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
  // A name of a tool or rule stays as it is.
  return /^[a-z]+[_:.]/.test(ended) ? ended : ended.charAt(0).toUpperCase() + ended.slice(1)
}
