import { homedir } from 'node:os'
import { insidePath } from '../../core/text/paths.ts'

/** A path as people write it: `~/` for their home folder. */
export function shortPath(path: string): string {
  const inside = path.startsWith('/') ? insidePath(homedir(), path) : undefined
  return inside === undefined || inside === '.' ? path : `~/${inside}`
}

/** A place in a file: `~/.haft/tools/weather.py:12`. */
export function shortPlace({ source, line }: { readonly source: string; readonly line?: number | undefined }): string {
  return `${shortPath(source)}${line === undefined ? '' : `:${line}`}`
}
