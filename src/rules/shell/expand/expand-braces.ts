import { SHELL_LIMITS, ShellLimit } from '../shell-budget.ts'

/** Expands the braces of a raw word; quotes stay. Throws ShellLimit when there are too many results. */
export function expandBraces(raw: string, depth = 0): string[] {
  if (depth === 0 && raw.split('{').length > 500) throw new ShellLimit('it has too many braces')
  const group = firstGroup(raw)
  if (group === undefined) return [raw]
  if (depth > SHELL_LIMITS.depth) throw new ShellLimit('its braces are nested too deeply')
  const before = raw.slice(0, group.start)
  const results: string[] = []
  const tails = expandBraces(raw.slice(group.end), depth + 1)
  for (const member of group.members) {
    for (const middle of group.sequence ? [member] : expandBraces(member, depth + 1)) {
      for (const tail of tails) results.push(before + middle + tail)
      if (results.length > 4_096) throw new ShellLimit('its braces make too many words')
    }
  }
  return results
}

interface Group {
  readonly start: number
  readonly end: number
  readonly members: readonly string[]
  readonly sequence: boolean
}

function firstGroup(raw: string): Group | undefined {
  for (let at = 0; at < raw.length; at++) {
    const skipped = skipQuoted(raw, at)
    if (skipped > at) {
      at = skipped - 1
      continue
    }
    if (raw.charAt(at) !== '{') continue
    const group = groupAt(raw, at)
    if (group !== undefined) return group
  }
  return undefined
}

function groupAt(raw: string, start: number): Group | undefined {
  const members: string[] = []
  let level = 0
  let from = start + 1
  for (let at = start; at < raw.length; at++) {
    const skipped = skipQuoted(raw, at)
    if (skipped > at) {
      at = skipped - 1
      continue
    }
    const character = raw.charAt(at)
    if (character === '{') level++
    else if (character === ',' && level === 1) {
      members.push(raw.slice(from, at))
      from = at + 1
    } else if (character === '}' && --level === 0) {
      const last = raw.slice(from, at)
      if (members.length > 0) return { start, end: at + 1, members: [...members, last], sequence: false }
      const sequence = sequenceOf(last)
      return sequence && { start, end: at + 1, members: sequence, sequence: true }
    }
  }
  return undefined
}

/** Returns the end of the quoted or escaped piece that starts here, or the position itself when none does. */
function skipQuoted(raw: string, at: number): number {
  const character = raw.charAt(at)
  if (character === '\\') return at + 2
  if (character === "'") return endAfter(raw, "'", at + 1)
  if (character === '`') return endAfter(raw, '`', at + 1)
  if (character === '"') return endOfDouble(raw, at + 1)
  if (character === '$' && raw.charAt(at + 1) === '{') return endOfNested(raw, at + 1, '{}')
  if (character === '$' && raw.charAt(at + 1) === '(') return endOfNested(raw, at + 1, '()')
  return at
}

function endAfter(raw: string, quote: string, from: number): number {
  const end = raw.indexOf(quote, from)
  return end < 0 ? raw.length : end + 1
}

function endOfDouble(raw: string, from: number): number {
  for (let at = from; at < raw.length; at++) {
    if (raw.charAt(at) === '\\') at++
    else if (raw.charAt(at) === '"') return at + 1
  }
  return raw.length
}

function endOfNested(raw: string, from: number, pair: string): number {
  let level = 0
  for (let at = from; at < raw.length; at++) {
    if (raw.charAt(at) === '\\') at++
    else if (raw.charAt(at) === pair.charAt(0)) level++
    else if (raw.charAt(at) === pair.charAt(1) && --level === 0) return at + 1
  }
  return raw.length
}

/** Expands `1..5`, `a..e` and `1..9..2`. Of a long range only the ends are returned, since numbers are never dangerous names. */
function sequenceOf(text: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?\d{1,9})?$/.exec(text)
  if (numbers) return range(Number(numbers[1]), Number(numbers[2])).map(String)
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.-?\d{1,9})?$/.exec(text)
  if (!letters) return undefined
  const [from, to] = [letters[1] ?? '', letters[2] ?? '']
  return range(from.charCodeAt(0), to.charCodeAt(0)).map((code) => String.fromCharCode(code))
}

function range(from: number, to: number): number[] {
  const [low, high] = from < to ? [from, to] : [to, from]
  if (high - low > 200) return [low, low + 1, high]
  const values = Array.from({ length: high - low + 1 }, (_, index) => low + index)
  return from < to ? values : values.reverse()
}
