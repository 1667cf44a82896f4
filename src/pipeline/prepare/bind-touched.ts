import type { ReadFiles } from '../../core/ports/files.ts'
import { listNamedPaths } from '../../core/rules/named-words.ts'
import type { CallReading } from '../../core/rules/rule.ts'
import { insidePath, resolvePath } from '../../core/text/paths.ts'
import { listProgramFiles } from './program-files.ts'

/** How many paths of a command are bound, and how large a file may be, in bytes. */
const MAX_PATHS = 100
const MAX_SIZE = 20_000_000

/** Characters of paths that are patterns or not known for certain. */
const UNCERTAIN = /[*?[\]{}~$…\uE000-\uF8FF]/

/** Returns the state of each path that a command names: the scripts it would run, the files in which programs look them up, what these name and lead to in turn, and what it would read, change or delete. A yes is bound to them. A path that may not be looked at is left out. */
export function bindTouched(
  reading: Pick<CallReading, 'commands' | 'touches'>,
  files: ReadFiles,
  workspace: string,
): Readonly<Record<string, string | null>> {
  const named = reading.touches.flatMap((touch) => ('path' in touch ? [touch.path] : []))
  const paths = [...listProgramFiles(reading), ...named].map((path) => insidePath(workspace, path))
  const certain = paths.filter((path) => path !== undefined && path !== '.' && !UNCERTAIN.test(path))
  const found: Record<string, string | null> = {}
  const queue = new Set(certain.slice(0, MAX_PATHS))
  for (const path of queue) {
    const state = path === undefined ? undefined : stateOf(path, files)
    if (path === undefined || state === undefined) continue
    found[path] = state
    if (state === null || queue.size >= MAX_PATHS) continue
    for (const next of followed(path, state, files)) if (stateOf(next, files) != null) queue.add(next)
  }
  return found
}

/** The endings of programs that name further ones. */
const PROGRAM = /\.(?:sh|bash|zsh|py|rb|pl|php|mk|mak|[cm]?[jt]s)$|(?:^|\/)[^.]+$/
const MAX_PROGRAM = 200_000

/** Returns where a link leads, and what a program names that would run in turn, from its own folder and from the workspace. */
function followed(path: string, state: string, files: ReadFiles): string[] {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const from = (base: string, name: string) => insidePath('/', resolvePath(`/${base}`, name)) ?? []
  if (state.startsWith('link ')) return [from(folder, state.slice('link '.length))].flat()
  if (/(^|\/)package\.json$/.test(path)) return listOfScripts(textOf(path, files), folder)
  if (!PROGRAM.test(path)) return []
  // A file of secrets is data, and rules deny to read it.
  const names = listNamedPaths(textOf(path, files)).paths.filter((name) => !/(^|\/)\.env[\w.-]*$/.test(name))
  return names.flatMap((name) =>
    ['', '.js', '.mjs', '.cjs', '.ts'].flatMap((end) => [from(folder, name + end), from('', name + end)].flat()),
  )
}

/** Returns what the scripts of a package.json run: files that they name, and the programs of installed packages. */
function listOfScripts(text: string, folder: string): string[] {
  const scripts = scriptsOf(text)
  const inFolder = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const programs = scripts.split(/[^\w.@-]+/).filter((word) => word !== '')
  const installed = [...new Set(programs)].map((name) => `node_modules/.bin/${name}`)
  return [...listNamedPaths(scripts).paths, ...installed].map(inFolder)
}

function scriptsOf(text: string): string {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown }
    return typeof scripts === 'object' && scripts !== null ? Object.values(scripts).join('\n') : ''
  } catch {
    return ''
  }
}

function textOf(path: string, files: ReadFiles): string {
  try {
    if (!files.isThere(path)) return ''
    return files.readText(path, MAX_PROGRAM).text ?? ''
  } catch {
    return ''
  }
}

function stateOf(path: string, files: ReadFiles): string | null | undefined {
  try {
    const { current } = files.changeable(path)
    return current !== undefined && current.size > MAX_SIZE ? undefined : files.left(path)
  } catch {
    return undefined
  }
}
