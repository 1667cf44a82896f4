/** A path without `.`, `..` and doubled slashes, joined to a base when it is not absolute. Words only: no file is looked at. */
export function resolvePath(base: string, path: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** A path relative to the workspace (`.` for itself), or undefined when it lies outside. Words only. */
export function insidePath(workspace: string, path: string): string | undefined {
  const root = resolvePath('/', workspace)
  const full = resolvePath(root, path)
  if (full === root) return '.'
  const prefix = root === '/' ? '/' : `${root}/`
  return full.startsWith(prefix) ? full.slice(prefix.length) : undefined
}
