/** Letters of a wanted line that are looked for in a long one, and the fewest that are worth showing. */
const LOOKED_FOR = 300
const LEAST = 5

/** Where a long line comes nearest to a wanted text: where the longest beginning or end of one of its lines lies; undefined when none does. */
export function nearestPart(line: string, wanted: string): number | undefined {
  for (const text of wanted.split('\n').slice(0, 12)) {
    const short = text.trim().slice(0, LOOKED_FOR)
    const head = longest(short.length, (length) => line.indexOf(short.slice(0, length)))
    const tail = longest(short.length, (length) => line.indexOf(short.slice(short.length - length)))
    const best = tail.length > head.length ? tail : head
    if (best.length >= Math.max(LEAST, short.length * 0.4)) return best.at
  }
  return undefined
}

/** The largest length that is found, and where: what is found at one length is found at each below. */
function longest(limit: number, find: (length: number) => number): { length: number; at: number } {
  let best = { length: 0, at: 0 }
  for (let [low, high] = [1, limit]; low <= high; ) {
    const length = (low + high) >> 1
    const at = find(length)
    if (at >= 0) {
      best = { length, at }
      low = length + 1
    } else high = length - 1
  }
  return best
}
