/** The longest title, in characters. */
const MAX_TITLE = 60

/** Makes the title of a session from its first message: the first line with words, cut at a word. Empty where there are none. */
export function makeTitle(message: string): string {
  const lines = message.split('\n').map((line) => line.replace(/[\p{C}\s]+/gu, ' ').trim())
  const line = lines.find((one) => /[\p{L}\p{N}]/u.test(one)) ?? ''
  const text = line.replace(/^[#>*\-\s]+/, '')
  if (text.length <= MAX_TITLE) return text
  const cut = text.slice(0, MAX_TITLE).replace(/\p{Cs}$/u, '')
  const atWord = cut.slice(0, cut.lastIndexOf(' '))
  return `${(atWord.length > MAX_TITLE / 2 ? atWord : cut).replace(/[\s.,;:!?]+$/, '')}…`
}
