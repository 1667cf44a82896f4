/** The settings of a git configuration in their order; section and name in lower case, the part between them as written. */
export type GitConfig = readonly (readonly [key: string, value: string])[]

const SECTION = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?\]/
const KEY = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*/
const SPACE = /^[ \t\v\f\n]+/
const COMMENT = /^[#;][^\n]*/

/** Reads a git configuration as git does; undefined when any of it cannot be read for certain. */
export function parseGitConfig(source: string): GitConfig | undefined {
  let rest = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  if (/[\0\r]/.test(rest)) return undefined
  const settings: [string, string][] = []
  let section: string | undefined
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = pattern.exec(rest) ?? undefined
    rest = rest.slice(found?.[0].length ?? 0)
    return found
  }
  while (rest !== '') {
    if (take(SPACE) || take(COMMENT)) continue
    const head = take(SECTION)
    if (head) {
      section = nameSection(head[1] ?? '', head[2])
      continue
    }
    const key = take(KEY)?.[1]
    if (key === undefined || section === undefined) return undefined
    const value = take(/^=/) ? readValue(rest) : /^(\n|$|[#;])/.test(rest) ? { text: 'true', length: 0 } : undefined
    if (value === undefined) return undefined
    rest = rest.slice(value.length)
    settings.push([`${section}.${key.toLowerCase()}`, value.text])
  }
  return settings
}

/** `[a.B]` is the old form of `[a "b"]`. */
function nameSection(name: string, inside: string | undefined): string {
  const lower = name.toLowerCase()
  return inside === undefined ? lower : `${lower}.${inside.replace(/\\(.)/g, '$1')}`
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\', '\n': '' }

/** Reads the value that the text starts with, up to the end of its line; undefined for a wrong escape or an open quote. */
function readValue(source: string): { text: string; length: number } | undefined {
  let text = ''
  /** How much of the text stays when spaces at its end are cut. */
  let kept = 0
  let isQuoted = false
  let at = 0
  for (; at < source.length; at++) {
    const character = source[at] ?? ''
    if (character === '\n' && !isQuoted) break
    if (character === '\n') return undefined
    if (!isQuoted && (character === '#' || character === ';')) {
      const end = source.indexOf('\n', at)
      at = end === -1 ? source.length : end
      break
    }
    if (!isQuoted && (character === ' ' || character === '\t')) {
      if (text !== '') text += character
      continue
    }
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\') {
      const escaped = ESCAPES[source[++at] ?? '']
      if (escaped === undefined) return undefined
      text += escaped
    } else text += character
    kept = text.length
  }
  return isQuoted ? undefined : { text: text.slice(0, kept), length: at }
}
