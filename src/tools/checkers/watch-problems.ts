import { ToolError } from '../../core/call/result.ts'
import { type RunReport, SCRIPT_PLACE } from '../../core/ports/sandbox.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import { array, integer, objectSchema, string } from '../../core/tool/schema.ts'
import { FORMAT_SCRIPT } from '../formatters/plan-formatting.ts'
import { foldersAbove, openProject } from '../project/project-files.ts'
import { CHECKERS, type Checker } from './checkers.ts'
import { findNew, type Problem, readProblems } from './read-problems.ts'

/** How long the checkers of one edit may take together; slower ones are not run again. */
const SECONDS = 8

/** The most problems that are reported. */
const SHOWN = 20

/** The largest file that is checked, in bytes. */
const MAX_CHECKED = 1_000_000

/** The schema of new problems. */
export const PROBLEMS = array(
  objectSchema({ line: integer('Line, from 1', { minimum: 1 }), message: string('What is wrong') }),
  'New problems that the project’s own checks report',
)

type CheckContext = Pick<ToolContext, 'files' | 'editChecks' | 'dryRun' | 'workspace'>

/** Remembers a file before it is changed. The returned function, called after the change, finds the problems that it brought; none where no checker is configured, installed and quick. */
export function watchProblems(path: string, context: CheckContext): () => Promise<readonly Problem[]> {
  const { files, editChecks, workspace } = context
  if (!editChecks.isOn) return async () => []
  const file = files.writable(path).path
  const chosen = chooseCheckers(file, context).filter((one) => !editChecks.slow.has(keyOf(one)))
  if (chosen.length === 0) return async () => []
  const before = textOf(context, path)
  const isFile = (printed: string) => chosen.some(({ folder }) => isSamePath(printed, { file, folder, workspace }))
  const check = async (text?: string): Promise<readonly Problem[] | undefined> => {
    const report = await tryRun(() => context.dryRun(orderOf(chosen, file, text)))
    if (report !== undefined && report.ended !== 'exit') for (const one of chosen) editChecks.slow.add(keyOf(one))
    return report?.ended === 'exit' ? readProblems(`${report.stdout}\n${report.stderr}`, isFile) : undefined
  }
  return async () => {
    const after = (await check()) ?? []
    if (after.length === 0 || before === undefined) return after.slice(0, SHOWN)
    const known = await check(before)
    return known === undefined ? [] : findNew(after, known).slice(0, SHOWN)
  }
}

/** Describes new problems for the model. */
export function describeProblems(problems: readonly Problem[]): string {
  if (problems.length === 0) return ''
  const lines = problems.map(({ line, message }) => `line ${line}: ${message}`)
  return `\nThe project's own checks report new problems in this file:\n${lines.join('\n')}`
}

interface Chosen {
  readonly checker: Checker
  /** The folder of the project. */
  readonly folder: string
}

const keyOf = ({ checker, folder }: Chosen): string => `${checker.name} ${folder}`

/** Chooses the checkers of a file, each in the nearest project that has settings for it. */
function chooseCheckers(file: string, { files }: CheckContext): readonly Chosen[] {
  const able = CHECKERS.filter((one) => one.files.test(file))
  if (able.length === 0) return []
  const projects = foldersAbove(file)
    .slice(1)
    .map((folder) => openProject(files, folder))
  return able.flatMap((checker) => {
    const project = projects.find((one) => checker.fits(one))
    return project ? [{ checker, folder: project.folder }] : []
  })
}

/** The text of a file; undefined when it is new, too large or no text. */
function textOf({ files }: CheckContext, path: string): string | undefined {
  try {
    return files.readText(path, MAX_CHECKED).text
  } catch (thrown) {
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
}

/** Runs all checkers, one after another, after giving the file an earlier text if there is one. */
function orderOf(chosen: readonly Chosen[], file: string, text: string | undefined) {
  const mark = 'haft-next'
  const words = chosen.flatMap(({ checker, folder }) => [
    ...[folder, checker.name, ...checker.args(folder === '.' ? file : file.slice(folder.length + 1))],
    mark,
  ])
  const limits = { seconds: SECONDS }
  const env = { CI: '1', NO_COLOR: '1', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' }
  if (text === undefined) return { argv: ['bash', '-c', FORMAT_SCRIPT, 'check', mark, ...words], limits, env }
  const script = `cat -- "$1" > "$2" && shift 2\n${FORMAT_SCRIPT}`
  return { argv: ['bash', '-c', script, 'check', SCRIPT_PLACE, file, mark, ...words], script: text, limits, env }
}

/** Runs something in the sandbox; undefined where it cannot be run: the edit itself was made. */
async function tryRun(run: () => Promise<RunReport>): Promise<RunReport | undefined> {
  try {
    return await run()
  } catch (thrown) {
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
}

function isSamePath(
  printed: string,
  { file, folder, workspace }: { readonly file: string; readonly folder: string; readonly workspace: string },
): boolean {
  const plain = printed.replace(/^(\.\/)+/, '')
  if (plain.startsWith('/')) return plain === `${workspace}/${file}`
  return (folder === '.' ? plain : `${folder}/${plain}`) === file
}
