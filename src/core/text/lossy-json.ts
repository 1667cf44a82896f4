/** What reading valid JSON text hides or changes, in words: who sent it meant something else. `keys` is how many the parsed value has, where that is known. */
export function findLoss(text: string, keys?: number): string | undefined {
  const twice = findDuplicateKey(text, keys)
  if (twice !== undefined) return `the key ${JSON.stringify(twice)} is there twice`
  const inexact = findInexactNumber(text)
  return inexact === undefined ? undefined : `${inexact}: the number has too many digits to be kept exactly`
}

/** The first key given twice to one object: JSON.parse keeps the last and hides the first. Where the text has as many colons as there are keys, none can be hidden and nothing is scanned. */
function findDuplicateKey(text: string, keys?: number): string | undefined {
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

/** Where the string that opens at a place of valid JSON text is over. */
export function stringEnd(text: string, start: number): number {
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

/** The key of the first whole number that has more digits than a number can keep: it would arrive as another one. */
function findInexactNumber(text: string): string | undefined {
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
