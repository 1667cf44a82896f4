import { ToolError } from '../../core/call/result.ts'
import type { ReadFiles } from '../../core/ports/files.ts'
import { foldersAbove, openProject, type Project } from '../project/project-files.ts'
import { FORMATTERS, type Formatter } from './formatters.ts'

/** Files that one run of a formatter formats. Paths are relative to the folder of the project. */
export interface FormatGroup {
  readonly formatter: Formatter
  readonly project: Project
  readonly files: readonly string[]
}

/** The most files of one call, so that they fit into the arguments of a program. */
const MAX_FILES = 2_000

/** Finds the files at and below some paths and the formatter of each. Throws ToolError if no file has one, or if there are too many. */
export async function planFormatting(
  files: ReadFiles,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly FormatGroup[]> {
  const projects = new Map<string, Project>()
  const projectOf = (folder: string): Project => {
    const project = projects.get(folder) ?? openProject(files, folder)
    projects.set(folder, project)
    return project
  }
  const groups = new Map<string, { formatter: Formatter; project: Project; files: string[] }>()
  const found = (await Promise.all(paths.map((path) => listFiles(files, path, signal)))).flat()
  for (const file of new Set(found)) {
    const chosen = chooseFormatter(file, projectOf)
    if (chosen === undefined) continue
    const { formatter, project } = chosen
    const key = `${formatter.name}\0${project.folder}`
    const group = groups.get(key) ?? { formatter, project, files: [] }
    group.files.push(project.folder === '.' ? file : file.slice(project.folder.length + 1))
    groups.set(key, group)
  }
  if (groups.size > 0) return [...groups.values()]
  throw new ToolError(
    'FILE_NOT_FOUND',
    `No file in ${paths.join(', ')} has a formatter here. Known are ${FORMATTERS.map(({ name }) => name).join(', ')}; biome, prettier, ruff and clang-format count where the project has their settings.`,
  )
}

async function listFiles(files: ReadFiles, given: string, signal: AbortSignal): Promise<readonly string[]> {
  const path = given.replace(/^(\.\/)+|\/+$/g, '') || '.'
  const isFolder = path === '.' || isFolderAt(files, path)
  if (!isFolder) return [path]
  const { entries, more } = await files.walk(path, { ignore: true, limit: 20_000, signal })
  const below = entries
    .filter(({ type }) => type === 'file')
    .map(({ name }) => (path === '.' ? name : `${path}/${name}`))
  const wanted = below.filter((name) => FORMATTERS.some((one) => one.files.test(name)))
  if (!more && wanted.length <= MAX_FILES) return wanted
  throw new ToolError('TOO_LARGE', `${path} holds more than ${MAX_FILES} files to format; name fewer paths.`)
}

/** True for a folder, false for a file. Throws ToolError if there is nothing. */
function isFolderAt(files: ReadFiles, path: string): boolean {
  const slash = path.lastIndexOf('/')
  const { entries } = files.list(slash < 0 ? '.' : path.slice(0, slash), { hidden: true, limit: 100_000 })
  const entry = entries.find(({ name }) => name === path.slice(slash + 1))
  if (entry === undefined) throw new ToolError('FILE_NOT_FOUND', `${path} does not exist.`)
  return entry.type === 'directory'
}

/** The nearest project that has chosen a formatter of the file decides; else the one formatter of its language. */
function chooseFormatter(
  file: string,
  projectOf: (folder: string) => Project,
): Pick<FormatGroup, 'formatter' | 'project'> | undefined {
  const able = FORMATTERS.filter((one) => one.files.test(file))
  const folders = foldersAbove(file).slice(1)
  for (const folder of folders) {
    const project = projectOf(folder)
    const formatter = able.find((one) => one.fits(project) && isChosen(one, project))
    if (formatter) return { formatter, project }
  }
  const root = projectOf('.')
  const usual = able.find((one) => one.fits(root))
  return usual && { formatter: usual, project: root }
}

/** The manifests beside which a formatter of a language starts. */
function isChosen({ name }: Formatter, project: Project): boolean {
  if (name === 'black') return ['pyproject.toml', 'setup.cfg', 'setup.py'].some((file) => project.has(file))
  if (name === 'gofmt') return project.has('go.mod')
  return name !== 'rustfmt' || project.has('Cargo.toml')
}

/**
 * Runs formatters one after another. Arguments: a separating word, then for each: folder, program, its arguments, the word. A program of the
 * project (node_modules, .venv) comes before that of the machine.
 */
export const FORMAT_SCRIPT = `
mark=$1; shift
root=$(pwd)
failed=0
while (($# > 0)); do
  words=()
  while (($# > 0)) && [[ $1 != "$mark" ]]; do words+=("$1"); shift; done
  shift
  cd -- "$root/@{words[0]}" || exit 1
  program=@{words[1]}
  found=
  place=$PWD
  while :; do
    for folder in node_modules/.bin .venv/bin venv/bin; do [[ -z $found && -x $place/$folder/$program ]] && found=$place/$folder/$program; done
    [[ $place == "$root" || $place == / ]] && break
    place=@{place%/*}
  done
  [[ -z $found ]] && found=$(command -v "$program")
  if [[ -z $found ]]; then echo "$program is not installed" >&2; failed=127; continue; fi
  "$found" "@{words[@]:2}" || failed=$?
done
exit "$failed"
`.replaceAll('@{', '$'.concat('{'))
