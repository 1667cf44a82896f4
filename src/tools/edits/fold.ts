/** A text normalized for comparison; `from` and `to` map each unit to its range in the original. */
export interface Folded {
  readonly text: string
  readonly from: Int32Array
  readonly to: Int32Array
  /** The original's length. */
  readonly length: number
  /** True when a final newline was added that the original lacks. */
  readonly virtualNewline: boolean
}

const LINE_END = /\r\n/g
const TRAILING_BLANKS = /(?<![ \t])[ \t]+(?=\n|$)/g
const LOOK_ALIKE =
  /[^\p{M}]\p{M}+|[\u2018\u2019\u201a\u201b\u2032\u201c\u201d\u201e\u201f\u2033\u2010-\u2015\u2212\u2026\u00a0\u2000-\u200a\u202f\u205f\u3000]|[\uac00-\ud7a3]?[\u1100-\u11ff]+|[\u0374\u037e\u0387\u1f71-\u1fff\u2126\u212a\u212b\u2329\u232a\uf900-\ufaff\u{2f800}-\u{2fa1d}]/gu

const LOOKS_LIKE: readonly [RegExp, string][] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
]

/** Turns CRLF into LF. */
export const foldLineEnds = (text: string): string => text.replace(LINE_END, '\n')

/** Removes blanks at the end of lines and of the text. Expects folded line ends. */
export const foldTrailing = (text: string): string => text.replace(TRAILING_BLANKS, '')

/** Turns typographic quotes, dashes, dots and spaces into ASCII, and composes letters (NFC). */
export const foldLookAlikes = (text: string): string => text.replace(LOOK_ALIKE, plainForm)

/** Folds the line ends of a file and makes sure that it ends with a newline. */
export function foldFileLineEnds(text: string): Folded {
  const folded = foldBy(identity(text), LINE_END, () => '\n')
  if (text === '' || folded.text.endsWith('\n')) return folded
  const [from, to] = [append(folded.from, text.length), append(folded.to, text.length)]
  return { ...folded, text: `${folded.text}\n`, from, to, virtualNewline: true }
}

/** Removes blanks at the line ends of a folded file. */
export const foldFileTrailing = (file: Folded): Folded => foldBy(file, TRAILING_BLANKS, () => '')

/** Turns look-alike characters of a folded file into their plain form. */
export const foldFileLookAlikes = (file: Folded): Folded => foldBy(file, LOOK_ALIKE, plainForm)

function plainForm(cluster: string): string {
  return LOOKS_LIKE.reduce((text, [pattern, plain]) => text.replace(pattern, plain), cluster.normalize('NFC'))
}

function identity(text: string): Folded {
  const from = Int32Array.from({ length: text.length }, (_, index) => index)
  return { text, from, to: from.map((index) => index + 1), length: text.length, virtualNewline: false }
}

/** Replaces every match of a pattern and keeps the mapping: each unit of a replacement maps to the full range it replaced. */
function foldBy(source: Folded, pattern: RegExp, replace: (found: string) => string): Folded {
  const pieces: string[] = []
  const from: number[] = []
  const to: number[] = []
  let at = 0
  const copyUntil = (end: number) => {
    pieces.push(source.text.slice(at, end))
    for (; at < end; at++) {
      from.push(source.from[at] ?? 0)
      to.push(source.to[at] ?? 0)
    }
  }
  for (const { 0: found, index } of source.text.matchAll(pattern)) {
    copyUntil(index)
    const plain = replace(found)
    pieces.push(plain)
    at = index + found.length
    for (let unit = 0; unit < plain.length; unit++) {
      from.push(source.from[index] ?? 0)
      to.push(source.to[at - 1] ?? 0)
    }
  }
  copyUntil(source.text.length)
  return { ...source, text: pieces.join(''), from: Int32Array.from(from), to: Int32Array.from(to) }
}

function append(numbers: Int32Array, last: number): Int32Array {
  const longer = new Int32Array(numbers.length + 1)
  longer.set(numbers)
  longer[numbers.length] = last
  return longer
}
