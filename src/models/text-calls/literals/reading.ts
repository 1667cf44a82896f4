/** A value that was read from a text, and where it ends. */
export interface Found<T> {
  readonly value: T
  readonly end: number
}

/**
 * The outcome of reading at one place of a text.
 * `cut`: the text ended first, and more text could complete it. `none`: something else stands there.
 */
export type Reading<T> = Found<T> | 'cut' | 'none'

/** Returns the first place at or after `at` that holds no white space. */
export function skipSpace(text: string, at: number): number {
  let end = at
  while (isSpace(text.charCodeAt(end))) end++
  return end
}

/** Returns the first place at or after `at` that holds neither white space nor a comment in the style of JavaScript. A comment of one line ends before a marker that ends what it stands in. */
export function skipComments(text: string, at: number, endMarkers: readonly string[] = []): number {
  let end = skipSpace(text, at)
  while (text[end] === '/') {
    if (text[end + 1] === '*') {
      const close = text.indexOf('*/', end + 2)
      end = close === -1 ? text.length : skipSpace(text, close + 2)
    } else if (text[end + 1] === '/') {
      const line = text.slice(end, lineEnd(text, end))
      const stops = endMarkers.map((marker) => line.indexOf(marker)).filter((stop) => stop !== -1)
      end = skipSpace(text, end + Math.min(line.length, ...stops))
    } else return end
  }
  return end
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** True for the character codes that JSON and Python count as white space, and for a no-break space. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0
}

/** Matches a sticky expression at one place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** Returns the one of some texts that stands at a place. */
export function findAt(text: string, at: number, candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => text.startsWith(candidate, at))
}

/** True when the text ends at or after `at`, and what is left could be the beginning of `marker`. */
export function isCutMarker(text: string, at: number, marker: string): boolean {
  const left = text.length - at
  return left < marker.length && marker.startsWith(text.slice(at))
}
