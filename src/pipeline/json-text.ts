/** What is wrong with a text that should be JSON, and where. */
export interface TextProblem {
  readonly problem: string
}

/** A value, and the strict JSON text it was read from. */
export interface Read {
  readonly value: unknown
  readonly text: string
}

/** Parses strict JSON; says where it stops being that. */
export function readJson(text: string): Read | TextProblem {
  try {
    return { value: JSON.parse(text), text }
  } catch (error) {
    return { problem: describeSyntaxError(text, error) }
  }
}

function describeSyntaxError(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const at = Number(/at position (\d+)/.exec(message)?.[1] ?? (/end of JSON/.test(message) ? text.length : Number.NaN))
  if (Number.isNaN(at)) return 'it is not valid JSON'
  const lines = text.slice(0, at).split('\n')
  const where = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
  if (at >= text.length) return `it is not valid JSON: it ends too early (${where})`
  return `it is not valid JSON at ${where}, after ${JSON.stringify(text.slice(Math.max(0, at - 20), at))}`
}

/**
 * The first key that valid JSON text gives twice to one object: JSON.parse keeps the last and hides the first.
 * `keys` is how many the parsed value has; where it is known and the text has as many colons, none can be hidden and nothing is scanned.
 */
export function findDuplicateKey(text: string, keys?: number): string | undefined {
  let colons = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons++
  return colons === keys ? undefined : scanForDuplicate(text)
}

function scanForDuplicate(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = stringEnd(text, i)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) {
        const raw = text.slice(i, end)
        const key: string = raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1)
        if (keys.has(key)) return key
        keys.add(key)
      }
      i = end - 1
    }
  }
  return undefined
}

function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

function isKey(text: string, after: number): boolean {
  let i = after
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\t' || text[i] === '\r') i++
  return text[i] === ':'
}

/** The key of the first whole number in valid JSON text that has more digits than a number can keep: it would arrive as another one. */
export function findInexactNumber(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined
  let found: string | undefined
  JSON.parse(text, (key, value, context?: { readonly source?: string }) => {
    if (!isExact(value, context?.source)) found ??= key
    return value
  })
  return found
}

/** False for digits that stand for a number which they do not come out as. */
function isExact(value: unknown, source = ''): boolean {
  return typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+(\.0*)?$/.test(source)
}

/** The keys and texts of valid JSON text, in their order. */
export function textsOf(text: string): string[] {
  const texts: string[] = []
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = stringEnd(text, start)
    texts.push(JSON.parse(text.slice(start, end)))
    start = text.indexOf('"', end)
  }
  return texts
}
