/** The longest and the shortest part of a wanted line that is searched for in a long line. */
const LOOKED_FOR = 300
const LEAST = 5

/** Returns the offset in a long line of the longest prefix or suffix of a wanted line, or undefined. */
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

/** Finds the greatest length with a match by bisection: a match at one length is a match at every shorter one. */
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
