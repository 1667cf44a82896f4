/**
 * Words of a command line are plain strings in which single characters of Unicode's private area (marks) represent what the
 * reader does not know. A mark never comes from the command itself: `unmarked` removes such characters first.
 */
export const MARKS = {
  /** Text known only at run time. */
  unknown: '\uE000',
  /** An unquoted `*`, `?`, `[` or `]`. */
  star: '\uE001',
  any: '\uE002',
  setOpen: '\uE003',
  setClose: '\uE004',
  /** Text that came from the network. */
  network: '\uE005',
  /** Text that a filter made from constants and the reader cannot compute: it was obfuscated. */
  hidden: '\uE006',
  /** Follows a default value: the text may also be something else. */
  maybe: '\uE007',
  /** A variable that nothing in this text sets; most likely empty. */
  unset: '\uE008',
  /** Any relative path below a folder, as a listing prints it. */
  deep: '\uE009',
} as const

const EVERY_MARK = /[\uE000-\uE00F]/g
const EVERY_MARK_ONCE = /[\uE000-\uE00F]/
const NOT_CONSTANT = /[\uE000\uE005\uE006\uE007\uE008\uE009]/
const OPEN = /[\uE000\uE005\uE006\uE009]/
const GLOB = /[\uE001-\uE004\uE009]/
const SHOWN: Readonly<Record<string, string>> = {
  [MARKS.star]: '*',
  [MARKS.any]: '?',
  [MARKS.setOpen]: '[',
  [MARKS.setClose]: ']',
  [MARKS.maybe]: '',
  [MARKS.unset]: '',
  [MARKS.deep]: '**',
}

/** Replaces characters that would be read as marks. */
export function unmarked(text: string): string {
  return hasMark(text) ? text.replace(EVERY_MARK, '\uFFFD') : text
}

/** True when the text contains a mark. */
export function hasMark(text: string): boolean {
  return EVERY_MARK_ONCE.test(text)
}

/** True when the text is fully known, globs aside. */
export function isConstant(text: string): boolean {
  return !NOT_CONSTANT.test(text)
}

/** True when part of the text is known only at run time. */
export function isOpen(text: string): boolean {
  return OPEN.test(text)
}

/** True when the text contains an unquoted glob. */
export function isGlob(text: string): boolean {
  return GLOB.test(text)
}

/** Removes the marks of defaults and of variables that are most likely empty. */
export function settled(text: string): string {
  if (!hasMark(text)) return text
  return text.replace(/[\uE007\uE008]/g, '')
}

/** Returns the text for people: globs as typed, unknown parts as `…`. */
export function showText(text: string): string {
  if (!hasMark(text)) return text
  return text.replace(EVERY_MARK, (mark) => SHOWN[mark] ?? '…')
}

/** Replaces glob characters in the value of an unquoted expansion by marks. */
export function markGlobs(text: string): string {
  if (!/[*?[]/.test(text)) return text
  return text
    .replaceAll('*', MARKS.star)
    .replaceAll('?', MARKS.any)
    .replace(/\[([^\]/]+)\]/g, `${MARKS.setOpen}$1${MARKS.setClose}`)
}

/** Returns an expression that matches every text a marked text may become; `*` and `?` match within one path segment. */
export function globExpression(text: string): RegExp {
  let source = ''
  let wild = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const segmentStart = at === 0 || text.charAt(at - 1) === '/'
    // Many wildcards would make matching slow, so the rest may be anything.
    if (hasMark(character) && ++wild > 6) return new RegExp(`^${source}.*$`, 's')
    if (character === MARKS.star) source += segmentStart ? '(?!\\.)[^/]*' : '[^/]*'
    else if (character === MARKS.any) source += segmentStart ? '[^/.]' : '[^/]'
    else if (character === MARKS.setOpen) {
      const close = text.indexOf(MARKS.setClose, at)
      source += close < 0 ? '[^/]' : setExpression(text.slice(at + 1, close))
      if (close >= 0) at = close
    } else if (character === MARKS.deep && text.charAt(at + 1) === '/') {
      source += '(?:.*/)?'
      at++
    } else if (OPEN.test(character)) source += '.*'
    else if (settled(character) !== '') source += character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  }
  return new RegExp(`^${source}$`, 's')
}

function setExpression(members: string): string {
  const negated = /^[!^]/.test(members)
  const escaped = showText(negated ? members.slice(1) : members).replace(/[\\\]^[]/g, '\\$&')
  if (escaped === '' || /\w-\W|\W-\w/.test(escaped) || !isOrdered(escaped)) return '[^/]'
  return `[${negated ? '^/' : ''}${escaped}]`
}

function isOrdered(members: string): boolean {
  return [...members.matchAll(/(.)-(.)/g)].every(([, from = '', to = '']) => from <= to)
}
