const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }
const QUOTES: Readonly<Record<string, readonly string[]>> = {
  '"': ['"'],
  "'": ["'"],
  '`': ['`'],
  '“': ['”', '“', '"'],
  '”': ['”'],
  '‘': ['’', '‘', "'"],
  '’': ['’'],
}
const ESCAPES = new Set(['"', "'", '`', '\\', '/', 'b', 'f', 'n', 'r', 't', 'u', '\n'])

/**
 * Looks through almost-JSON for what no repair may guess: an end that is missing, an elision, an escape with two meanings,
 * something after the end. Returns it in words, or undefined when all brackets and quotes close exactly at the end.
 */
export function findHole(text: string): string | undefined {
  const open: string[] = []
  for (let i = 0; i < text.length; ) {
    const character = text[i] ?? ''
    if (QUOTES[character] && startsToken(text, i)) {
      const end = quoteEnd(text, i)
      if (typeof end === 'string') return end
      i = end
      continue
    }
    const comment = commentEnd(text, i)
    if (comment !== undefined) {
      i = comment
      continue
    }
    if (text.startsWith('...', i) || character === '…')
      return `it leaves something out ("${character === '…' ? '…' : '...'}")`
    if (character === ':' && /^\s*([,}\]]|$)/.test(text.slice(i + 1, i + 200))) return 'a value is missing after a ":"'
    if (CLOSING[character]) open.push(CLOSING[character])
    else if (character === '}' || character === ']') {
      if (open.pop() !== character) return `there is a "${character}" too many, or one of another kind is missing`
      const rest = text.slice(i + 1).trim()
      if (open.length === 0 && rest !== '')
        return `something follows after the end: ${JSON.stringify(rest.slice(0, 20))}`
    }
    i++
  }
  return open.length === 0
    ? undefined
    : `it was cut off: ${open.length === 1 ? 'a closing' : `${open.length} closing`} "${open.at(-1)}" missing at the end`
}

/** A quote opens a string only where a key or value can begin; inside a bare word it is an apostrophe. */
function startsToken(text: string, at: number): boolean {
  return at === 0 || /[\s{[,:+"'”’}\]]/.test(text[at - 1] ?? '')
}

function quoteEnd(text: string, start: number): number | string {
  const closers = QUOTES[text[start] ?? ''] ?? []
  for (let i = start + 1; i < text.length; i++) {
    const character = text[i] ?? ''
    if (character === '\\') {
      const escaped = text[i + 1]
      if (escaped === undefined) return 'it was cut off inside an escape'
      if (!ESCAPES.has(escaped)) return `"\\${escaped}" is no JSON escape; write "\\\\${escaped}" for a backslash`
      i++
    } else if (closers.includes(character) && endsToken(text, i + 1)) return i + 1
  }
  return 'it was cut off inside a string'
}

/** A quote closes its string only where the string can end; otherwise it is a quote the model forgot to escape. */
function endsToken(text: string, after: number): boolean {
  return /^\s*([,:}\]+"'“‘/]|$)/.test(text.slice(after, after + 200))
}

function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at)
    return end === -1 ? text.length : end
  }
  if (!text.startsWith('/*', at)) return undefined
  const end = text.indexOf('*/', at + 2)
  return end === -1 ? text.length : end + 2
}
