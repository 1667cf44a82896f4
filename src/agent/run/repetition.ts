/** How much of the end of a text is looked at, in characters. */
const LOOKED_AT = 8_000
/** How often the same piece must follow itself in it. */
const TIMES = 16
/** How many characters arrive between two looks. */
const EVERY = 1_000

/** Follows a text that arrives in pieces, and notices when it repeats itself without end. */
interface RepetitionWatch {
  /** Takes in a piece; true once the end of the text is nothing but one piece, again and again. */
  push(piece: string): boolean
}

/** Starts to follow a text. Rows of a table or lines of code that differ in one character do not count. */
export function watchRepetition(): RepetitionWatch {
  let end = ''
  let added = ''
  return {
    push(piece) {
      added += piece
      if (added.length < EVERY) return false
      end = (end + added).slice(-LOOKED_AT)
      added = ''
      return end.length === LOOKED_AT && shortestPeriod(end) * TIMES <= LOOKED_AT
    },
  }
}

/** The length of the shortest piece that a text repeats from its beginning to its end, the last time perhaps in part. Linear, as in the search of Knuth, Morris and Pratt. */
function shortestPeriod(text: string): number {
  const borders = new Int32Array(text.length)
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++
    borders[at] = length
  }
  return text.length - (borders.at(-1) ?? 0)
}
