/** The bits of a character that count: letters are the same in either case. */
const BITS = 5
const LAST = (1 << BITS) - 1
const SIZE = 1 << (3 * BITS)

/**
 * Returns a function that is false for a text in which none of the given beginnings occurs, in whatever case. It may be true for
 * others, so a pattern has to look again. Reads each character once: for short texts a pattern with two dozen alternatives takes
 * three times as long, and all arguments and results are checked (gates 1b and 1d).
 */
export function createTrigramScan(beginnings: readonly string[]): (text: string) => boolean {
  const isBeginning = new Uint8Array(SIZE)
  for (const beginning of beginnings) {
    if (beginning.length < 3) throw new Error(`${JSON.stringify(beginning)} is too short to look for`)
    isBeginning[trigramAt(beginning, 0)] = 1
  }
  return (text) => {
    let trigram = 0
    for (let at = 0; at < text.length; at++) {
      trigram = ((trigram << BITS) | (text.charCodeAt(at) & LAST)) & (SIZE - 1)
      if (isBeginning[trigram] === 1) return true
    }
    return false
  }
}

function trigramAt(text: string, at: number): number {
  return [0, 1, 2].reduce((trigram, offset) => (trigram << BITS) | (text.charCodeAt(at + offset) & LAST), 0)
}
