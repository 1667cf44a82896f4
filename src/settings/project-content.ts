import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Where a project's own tools lie, relative to its folder. */
export const PROJECT_TOOLS = '.haft/tools'

/** What a person trusts in a project. */
export interface ProjectContent {
  /** The files below its tools folder, relative to the project. */
  readonly tools: readonly string[]
  /** Everything that is trusted, as one text; undefined where the project has nothing of its own. */
  readonly text: string | undefined
}

/** Reads what trust is of: the project's settings, and every file below its tools folder. */
export function readProjectContent(workspace: string, settings: string | undefined): ProjectContent {
  const tools = listTree(join(workspace, PROJECT_TOOLS)).map((path) => relative(workspace, path))
  if (tools.length === 0) return { tools, text: settings }
  const parts = tools.map((path) => `\0${path}\0${readEntry(join(workspace, path))}`)
  return { tools, text: [settings ?? '', ...parts].join('') }
}

/** The files and links below a folder, in order; none where there is no such folder. */
function listTree(folder: string): string[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== '__pycache__')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? listTree(join(folder, entry.name)) : [join(folder, entry.name)]))
}

/** A file's content; of a link where it leads, and of anything else nothing. */
function readEntry(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink()) return `link ${readlinkSync(path)}`
  return stats?.isFile() ? readFileSync(path, 'latin1') : ''
}
