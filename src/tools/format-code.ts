import { answer, ToolError } from '../core/call/result.ts'
import { answerRun } from '../core/call/run-answer.ts'
import type { RunOrder, RunReport } from '../core/ports/sandbox.ts'
import { array, boolean, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'
import { FORMAT_SCRIPT, type FormatGroup, planFormatting } from './formatters/plan-formatting.ts'

const SECONDS = 120

export default defineTool({
  name: 'format_code',
  description:
    "Format files with the project's own formatter; can be undone. With `check` it only reports what would change.",
  input: objectSchema({
    paths: optional(
      array(string('File or folder', { minLength: 1, pattern: '^[^\\0]*$' }), 'Default the workspace', {
        minItems: 1,
        maxItems: 200,
      }),
    ),
    check: optional(boolean('Change nothing')),
  }),
  output: objectSchema({
    formatters: array(string('Formatter'), 'Formatters used'),
    files: array(string('File'), 'Files that changed, or would change'),
    diff: optional(string('Unified diff')),
    problems: optional(string('What the formatters reported')),
  }),
  effect: 'run',
  approval: false,
  main: 'paths',
  timeout: () => SECONDS * 2,
  touches: ({ paths = ['.'] }) => paths.map(reads),
  async prepare({ paths = ['.'], check }, { files, dryRun, signal }) {
    const groups = await planFormatting(files, paths, signal)
    const diff = check ? undefined : (await tryRun(() => dryRun(orderOf(groups))))?.diff
    return { preview: diff ? { kind: 'diff', text: diff } : { kind: 'text', text: namesOf(groups).join(', ') } }
  },
  async execute({ paths = ['.'], check = false }, { run, dryRun, delta, files, signal }) {
    const groups = await planFormatting(files, paths, signal)
    const order = { ...orderOf(groups), output: (_stream: string, text: string) => delta(text) }
    return describe(await (check ? dryRun(order) : run(order)), { groups, check })
  },
})

/** Runs the formatters on an overlay; undefined where there is none, and the change cannot be shown beforehand. */
async function tryRun(run: () => Promise<RunReport>): Promise<RunReport | undefined> {
  try {
    return await run()
  } catch (thrown) {
    if (!(thrown instanceof ToolError) || thrown.code !== 'UNAVAILABLE') throw thrown
    return undefined
  }
}

function orderOf(groups: readonly FormatGroup[]): RunOrder {
  const mark = 'haft-next'
  const words = groups.flatMap(({ formatter, project, files }) => [
    ...[project.folder, formatter.name, ...formatter.args(project)],
    ...files.map((file) => `./${file}`),
    mark,
  ])
  return { argv: ['bash', '-c', FORMAT_SCRIPT, 'format', mark, ...words], limits: { seconds: SECONDS } }
}

function namesOf(groups: readonly FormatGroup[]): readonly string[] {
  return [...new Set(groups.map(({ formatter }) => formatter.name))]
}

function filesOf({ changed }: RunReport): readonly string[] {
  return changed ? [...changed.added, ...changed.changed, ...changed.deleted] : []
}

interface Formatting {
  readonly groups: readonly FormatGroup[]
  readonly check: boolean
}

function describe(report: RunReport, { groups, check }: Formatting) {
  const { diff } = report
  if (report.ended !== 'exit') answerRun(report)
  const files = filesOf(report)
  const problems = report.exitCode === 0 ? '' : `${report.stderr}\n${report.stdout}`.trim().slice(0, 4_000)
  if (problems !== '' && files.length === 0)
    throw new ToolError('EXECUTION_ERROR', `Nothing was formatted. ${problems}`)
  const formatters = namesOf(groups)
  const count = groups.reduce((sum, group) => sum + group.files.length, 0)
  const verb = check ? 'would change' : 'changed'
  const head =
    files.length === 0
      ? `All ${count} files are formatted (${formatters.join(', ')}).`
      : `${formatters.join(', ')} ${verb} ${files.length} of ${count} files: ${files.slice(0, 50).join(', ')}`
  const text = [head, problems === '' ? '' : `[problems]\n${problems}`, check && diff ? diff : '']
    .filter(Boolean)
    .join('\n')
  return answer(text, { formatters, files, ...(diff && { diff }), ...(problems !== '' && { problems }) })
}
