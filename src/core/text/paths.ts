/** A path without `.`, `..` and doubled slashes, joined to a base when it is not absolute. Words only: no file is looked at. */
export function resolvePath(base: string, path: string): string {
  const whole = path.startsWith('/') ? path : `${base}/${path}`
  if (whole.startsWith('/') && !UNRESOLVED.test(whole)) return whole
  const parts: string[] = []
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** A part that is empty, `.` or `..`. */
const UNRESOLVED = /\/\.{0,2}(?:\/|$)/

/** A path relative to the workspace (`.` for itself), or undefined when it lies outside. Words only. */
export function insidePath(workspace: string, path: string): string | undefined {
  const root = resolvePath('/', workspace)
  const full = resolvePath(root, path)
  if (full === root) return '.'
  const prefix = root === '/' ? '/' : `${root}/`
  return full.startsWith(prefix) ? full.slice(prefix.length) : undefined
}

/** A path as a message shows it: quoted when it would read badly, cut when it is long. */
export function shownPath(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 100)}…${path.slice(-60)}` : path
  return /^[\w./@+-]+$/.test(short) ? short : JSON.stringify(short)
}
