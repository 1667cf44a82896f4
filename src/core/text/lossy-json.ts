/** Describes what JSON.parse would hide or change in valid JSON text, or returns undefined. `keys` is the number of keys in the parsed value, if known. */
export function findLoss(text: string, keys?: number): string | undefined {
  const twice = findDuplicateKey(text, keys)
  if (twice !== undefined) return `the key ${JSON.stringify(twice)} is given twice`
  const inexact = findInexactNumber(text)
  return inexact === undefined ? undefined : `${inexact}: the number has too many digits to be kept exactly`
}

/** Returns the first key that one object has twice; JSON.parse would keep only the last. If the text has as many colons as there are keys, no key can be hidden and the text is not scanned. */
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

/** Returns where the string that starts at an index of valid JSON text ends. */
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

/** Returns the key of the first integer with more digits than a number can hold; JSON.parse would change its value. */
function findInexactNumber(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined
  let found: string | undefined
  JSON.parse(text, (key, value, context?: { readonly source?: string }) => {
    if (!isExact(value, context?.source)) found ??= key
    return value
  })
  return found
}

/** False for an integer whose digits a number cannot hold exactly. */
function isExact(value: unknown, source = ''): boolean {
  return typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+(\.0*)?$/.test(source)
}
