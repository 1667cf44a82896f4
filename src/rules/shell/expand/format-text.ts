import { MARKS } from '../marks.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

/** Replaces the backslash escapes of `echo -e` and `printf`. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|(.))/gs,
    (whole, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const code = hex ?? short ?? long
      if (code !== undefined) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16)))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
      return ESCAPES[letter ?? ''] ?? whole
    },
  )
}

/** Returns the output of `printf`; the format is repeated while values remain. */
export function formatText(format: string, values: readonly string[]): string {
  const pieces = /%(?:\([^)]*\))?[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+))?([a-zA-Z%])/g
  const takes = [...format.matchAll(pieces)].filter(([, kind]) => kind !== '%').length
  const rounds = takes === 0 ? 1 : Math.max(1, Math.ceil(values.length / takes))
  let next = 0
  let text = ''
  for (let round = 0; round < Math.min(rounds, 4_096); round++) {
    // Only the format has escapes: values keep their backslashes.
    text += format
      .split(/(%(?:\([^)]*\))?[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+))?[a-zA-Z%])/)
      .map((piece, index) => {
        if (index % 2 === 0) return unescapeText(piece)
        return piece.endsWith('%') ? '%' : formatOne(piece, values[next++] ?? '')
      })
      .join('')
  }
  return text
}

function formatOne(piece: string, value: string): string {
  const kind = piece.at(-1) ?? 's'
  if (kind === 's' || kind === 'q' || kind === 'Q') {
    const limit = /\.(\d+)/.exec(piece)?.[1]
    return limit === undefined ? value : value.slice(0, Number(limit))
  }
  if (kind === 'b') return unescapeText(value)
  if (kind === 'c') return value.charAt(0)
  const number = /^['"]/.test(value) ? value.charCodeAt(1) : Number(value)
  if (!Number.isFinite(number)) return MARKS.unknown
  if (kind === 'o')
    return number.toString(8).padStart(/%0?(\d)/.test(piece) ? Number(/%0?(\d)/.exec(piece)?.[1]) : 0, '0')
  if (kind === 'x' || kind === 'X') return number.toString(16).padStart(Number(/%0?(\d*)/.exec(piece)?.[1] ?? 0), '0')
  return String(number)
}
