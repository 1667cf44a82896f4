import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Every entry of a tree with its kind, mode and content, for comparing trees. */
export function describeTree(root: string, folder = ''): Record<string, string> {
  const entries: Record<string, string> = {}
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === '' ? name : `${folder}/${name}`
    const stats = lstatSync(join(root, path))
    const mode = (stats.mode & 0o7777).toString(8)
    if (stats.isSymbolicLink()) entries[path] = `link ${readlinkSync(join(root, path))}`
    else if (stats.isDirectory())
      Object.assign(
        entries,
        { [path]: `folder ${mode}` },
        ifAllowed(() => describeTree(root, path)),
      )
    else entries[path] = `file ${mode} ${ifAllowed(() => readFileSync(join(root, path), 'latin1'))}`
  }
  return entries
}

/** Undefined where this user may not look. */
function ifAllowed<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return undefined
    throw error
  }
}
