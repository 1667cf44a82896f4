const DIGITS = 36
/** The last two digits of every id. */
const LAST = Array.from({ length: DIGITS * DIGITS }, (_, number) => number.toString(DIGITS).padStart(2, '0'))

/** Returns a function that makes ids: the prefix and a number of at least five digits that grows. Only one number in 1,296 is turned into text, which was a tenth of the time of a call (gate 1b). */
export function countIds(prefix: string): () => string {
  let head = `${prefix}000`
  let heads = 0
  let last = 0
  return () => {
    if (++last === LAST.length) {
      last = 0
      head = prefix + (++heads).toString(DIGITS).padStart(3, '0')
    }
    return head + LAST[last]
  }
}
