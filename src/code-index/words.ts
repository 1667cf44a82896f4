/** Words that say nothing about code. */
const STOP = new Set(
  'a an and are as at be by for from has have if in into is it its of on or that the this to was were will with not no we you can when which what where'.split(
    ' ',
  ),
)

/** The longest word that is kept; longer ones are data. */
const MAX_WORD = 40

/** Splits text into words: identifiers into their parts, in lower case, without endings, so that `parseHeaders` and "parsing a header" meet. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  for (const [identifier] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (identifier.length > MAX_WORD * 2) continue
    const parts = identifier.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{N}+|\p{Lu}/gu) ?? []
    for (const part of parts) {
      const word = stem(part.toLowerCase())
      if (word.length > 1 && word.length <= MAX_WORD && !STOP.has(word)) words.push(word)
    }
    if (parts.length > 1 && parts.length < 4) {
      const joined = identifier.toLowerCase()
      if (joined.length <= MAX_WORD) words.push(joined)
    }
  }
  return words
}

/** Removes the endings of English words that differ between a name and a sentence. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const base = word
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/ies$/, 'y')
    .replace(/([^su])s$/, '$1')
  const plain = base.replace(/(.{3,}?)(?:ing|ed|er|or|ion|ly|ment)$/, '$1').replace(/(.)\1$/, '$1')
  return plain.length >= 3 ? plain.replace(/(.{3,})[ei]$/, '$1').replace(/(.{3,})at$/, '$1') : base
}
