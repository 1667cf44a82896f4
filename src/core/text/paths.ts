/** Resolves `.`, `..` and doubled slashes, relative to a base if the path is not absolute. Works on the text alone, without reading the file system. */
export function resolvePath(base: string, path: string): string {
  const full = path.startsWith('/') ? path : `${base}/${path}`
  if (full.startsWith('/') && !UNRESOLVED.test(full)) return full
  const parts: string[] = []
  for (const part of full.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** Matches a path with a part that is empty, `.` or `..`. */
const UNRESOLVED = /\/\.{0,2}(?:\/|$)/

/** Returns a path relative to the workspace (`.` for itself), or undefined if it is outside. Works on the text alone. */
export function insidePath(workspace: string, path: string): string | undefined {
  const root = resolvePath('/', workspace)
  const full = resolvePath(root, path)
  if (full === root) return '.'
  const prefix = root === '/' ? '/' : `${root}/`
  return full.startsWith(prefix) ? full.slice(prefix.length) : undefined
}

/** Formats a path for a message: quoted if it has unusual characters, shortened if it is long. */
export function shownPath(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 100)}…${path.slice(-60)}` : path
  return /^[\w./@+-]+$/.test(short) ? short : JSON.stringify(short)
}
