/** The most members that one object of arguments or of a request may have. */
export const MAX_MEMBERS = 10_000
/** The most values that arguments or a request may hold in all: members of objects and elements of arrays. Large data is text, which counts once. */
export const MAX_VALUES = 100_000

export const TOO_MANY_MEMBERS = `an object has more than ${MAX_MEMBERS.toLocaleString('en')} members`
export const TOO_MANY_VALUES = `there are more than ${MAX_VALUES.toLocaleString('en')} values; send large data as one text, or as a file`

/** Returns what a text of JSON has too much of, or undefined. Linear, and before anything is parsed. Single quotes are quotes too, since a text with them may be repaired. */
export function findExcess(text: string, maxDepth = Number.POSITIVE_INFINITY): string | undefined {
  /** The commas in each open object; those of arrays stay below every limit. */
  const commas: number[] = []
  let values = 0
  let isFirst = false
  let quote = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quote !== 0) {
      if (code === 0x5c) i++
      else if (code === quote) quote = 0
      continue
    }
    if (code <= 0x20) continue
    const isClosing = code === 0x7d || code === 0x5d
    if (isFirst && !isClosing) values++
    isFirst = false
    if (code === 0x22 || code === 0x27) quote = code
    else if (isClosing) commas.pop()
    else if (code === 0x7b || code === 0x5b) {
      isFirst = true
      if (commas.push(code === 0x7b ? 0 : Number.NEGATIVE_INFINITY) > maxDepth)
        return `it is nested deeper than ${maxDepth} levels`
    } else if (code === 0x2c) {
      values++
      const own = (commas.pop() ?? 0) + 1
      if (own >= MAX_MEMBERS) return TOO_MANY_MEMBERS
      commas.push(own)
    }
    if (values > MAX_VALUES) return TOO_MANY_VALUES
  }
  return undefined
}
